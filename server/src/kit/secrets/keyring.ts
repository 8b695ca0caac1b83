import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ownSecret } from './own-secret.ts';

/** Something sealed, and under which key: both are kept. */
export type Sealed = { keyId: string; sealed: Buffer };

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Keys that are not in the database, by their ids. The first one seals; what the others have sealed can still be opened, so a new key is put
 * before the old ones, and an old one is taken away once nothing is sealed with it any more.
 */
export class Keyring {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly keyId: string;
  readonly #variable: string;

  /** `variable` is where the keys come from, for those who read of a missing one. */
  constructor(keys: Readonly<Record<string, string>>, variable = 'PRIZE_KEYS') {
    this.#variable = variable;
    this.#keys = new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')]));
    const [keyId] = this.#keys.keys();
    if (keyId === undefined) throw new Error('a keyring has at least one key');
    this.keyId = keyId;
  }

  /** Seals a text (AES-256-GCM). It opens only as what it was sealed as: `about` names the row that it belongs to. */
  seal(text: string, about: string): Sealed {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key(this.keyId), nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
    return { keyId: this.keyId, sealed: Buffer.concat([sealed, cipher.getAuthTag()]) };
  }

  /** Throws where the key is not there, the bytes were changed, or they belong to something else. */
  open({ keyId, sealed }: Sealed, about: string): string {
    const end = sealed.length - tagBytes;
    const decipher = createDecipheriv(algorithm, this.#key(keyId), sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(about))
      .setAuthTag(sealed.subarray(end));
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, end)), decipher.final()]).toString('utf8');
  }

  #key(id: string): Buffer {
    const key = this.#keys.get(id);
    if (!key) throw new Error(`${this.#variable} has no key ${id}`);
    return key;
  }
}

type Keys = Readonly<Record<string, string>> | null;

/** The keys of the environment for bank details of winners, or those that a sandbox makes for itself at its first start. */
export const openKeyring = ({ prizeKeys, dataDir }: { prizeKeys: Keys; dataDir: string }): Keyring =>
  new Keyring(prizeKeys ?? ownKeys(join(dataDir, 'prize-keys.json')), 'PRIZE_KEYS');

/** The same for what accounts sign in with. */
export const openAccountKeyring = ({ accountKeys, dataDir }: { accountKeys: Keys; dataDir: string }): Keyring =>
  new Keyring(accountKeys ?? ownKeys(join(dataDir, 'account-keys.json')), 'ACCOUNT_KEYS');

function ownKeys(file: string): Record<string, string> {
  const parse = (text: string) => {
    const keys = JSON.parse(text) as Record<string, string>;
    return Object.values(keys).every((key) => Buffer.from(key, 'base64').length === 32) ? keys : undefined;
  };
  return ownSecret(file, () => JSON.stringify({ sandbox: newKey() }), parse);
}

const newKey = () => randomBytes(32).toString('base64');
