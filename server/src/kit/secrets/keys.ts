import { createCipheriv, createDecipheriv, randomBytes, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { formatHead, computeKeyId, type SignedHead, type Signer } from '@handwise/proof/checkpoint';
import { StartupError } from '../startup-error.ts';

/** Encrypted bytes and the id of their key. */
export type Sealed = { keyId: string; sealed: Buffer };

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encryption keys outside of the database, by their ids. The first one encrypts, all of them decrypt: to rotate, put a new key first, and remove an
 * old one once nothing is encrypted with it.
 */
export class Keyring {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly keyId: string;
  readonly #variable: string;

  /** `variable` is the environment variable that an error about a missing key names. */
  constructor(keys: Readonly<Record<string, string>>, variable = 'PRIZE_KEYS') {
    this.#variable = variable;
    this.#keys = new Map(Object.entries(keys).map(([id, key]) => [id, Buffer.from(key, 'base64')]));
    const [keyId] = this.#keys.keys();
    if (keyId === undefined) throw new Error('a keyring has at least one key');
    this.keyId = keyId;
  }

  /** Encrypts a text (AES-256-GCM). `about` names the row that it belongs to; it can be opened with the same value only. */
  seal(text: string, about: string): Sealed {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.#key(this.keyId), nonce).setAAD(Buffer.from(about));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
    return { keyId: this.keyId, sealed: Buffer.concat([sealed, cipher.getAuthTag()]) };
  }

  /** Throws if the key is missing, the bytes were changed, or `about` differs. */
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

/** The keys for winners' bank details: from the environment, or created by a sandbox at its first start. */
export const openKeyring = ({ prizeKeys, dataDir }: { prizeKeys: Keys; dataDir: string }): Keyring =>
  new Keyring(prizeKeys ?? loadOwnKeys(join(dataDir, 'prize-keys.json')), 'PRIZE_KEYS');

/** The same for a command that reads: it creates no key, which would not open what the lost one sealed. Null if there is none. */
export const findKeyring = (given: { prizeKeys: Keys; dataDir: string }): Keyring | null =>
  given.prizeKeys || existsSync(join(given.dataDir, 'prize-keys.json')) ? openKeyring(given) : null;

/** The same for credentials of accounts. */
export const openAccountKeyring = ({ accountKeys, dataDir }: { accountKeys: Keys; dataDir: string }): Keyring =>
  new Keyring(accountKeys ?? loadOwnKeys(join(dataDir, 'account-keys.json')), 'ACCOUNT_KEYS');

function loadOwnKeys(file: string): Record<string, string> {
  const parse = (text: string) => {
    const keys = JSON.parse(text) as Record<string, string>;
    return Object.values(keys).every((key) => Buffer.from(key, 'base64').length === 32) ? keys : undefined;
  };
  return ensureSecret(file, () => JSON.stringify({ sandbox: createKey() }), parse);
}

const createKey = () => randomBytes(32).toString('base64');

// The header before the 32 bytes of an Ed25519 key in PKCS 8.
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The signer of the ticket log's heads, from its 32 secret bytes. */
export function createLogSigner(secret: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(publicKey), sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** The signer with the environment's key, or in a sandbox with a key that the first start creates in `dataDir`. */
export function openLogSigner({ logKey, dataDir }: { logKey: string | null; dataDir: string }): Signer {
  if (logKey !== null) return createLogSigner(Buffer.from(logKey, 'base64'));
  const parse = (text: string) => {
    const secret = Buffer.from(text, 'base64');
    return secret.length === 32 ? createLogSigner(secret) : undefined;
  };
  return ensureSecret(join(dataDir, 'log-key'), () => `${randomBytes(32).toString('base64')}\n`, parse);
}

/** Whether a head was signed with a key (32 bytes in hexadecimal). The result equals that of `verifyHead`, ten times as fast. */
export function createHeadVerifier(publicKey: string): (head: SignedHead) => boolean {
  const bytes = Buffer.from(publicKey, 'hex');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
  return (head) =>
    Buffer.from(computeKeyId(head.origin, bytes)).equals(head.keyId) && verify(null, Buffer.from(formatHead(head)), key, head.signature);
}

/** Reads a sandbox's secret, or creates it in a file that only its user may read. Throws a `StartupError` if the file is damaged. */
function ensureSecret<Secret>(file: string, make: () => string, parse: (text: string) => Secret | undefined): Secret {
  mkdirSync(dirname(file), { recursive: true });
  // Linking is atomic, so processes that start together share one secret.
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, make(), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  let secret: Secret | undefined;
  try {
    secret = parse(readFileSync(file, 'utf8').trim());
  } catch {
    // Reported below.
  }
  if (secret === undefined)
    throw new StartupError(
      `${file} is damaged or cannot be read. Put it back as it was. What was encrypted or signed with it cannot be read or continued with another key.`,
    );
  return secret;
}
