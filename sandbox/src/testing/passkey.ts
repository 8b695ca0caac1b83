import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

type Challenge = { challenge: string; user?: { id: string } };
type Site = { id: string; origin: string };

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const encoded = (data: Buffer | string) => Buffer.from(data).toString('base64url');

// The parts of CBOR that passkeys need.
const head = (kind: number, size: number) =>
  size < 24
    ? Buffer.from([(kind << 5) | size])
    : size < 256
      ? Buffer.from([(kind << 5) | 24, size])
      : Buffer.from([(kind << 5) | 25, size >> 8, size & 255]);
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (data: Buffer) => Buffer.concat([head(2, data.length), data]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (...entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** A device with one passkey, like a phone, which can be made to report wrong values. */
export class TestPasskey {
  readonly id = randomBytes(16);
  /** The number of uses reported by the device. */
  counter = 0;
  /** Whether its owner unlocked it. */
  isUnlocked = true;
  /** The site reported by the device. */
  site: Site;
  readonly #publicKey: KeyObject;
  readonly #privateKey: KeyObject;
  #user = '';

  constructor(site: Site = { id: 'localhost', origin: 'http://localhost:3000' }) {
    this.site = site;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#publicKey = publicKey;
    this.#privateKey = privateKey;
  }

  /** Responds to the options for a new passkey. */
  make({ challenge, user }: Challenge) {
    this.#user = user?.id ?? '';
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = map(
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, 'base64url'))],
      [integer(-3), bytes(Buffer.from(y, 'base64url'))],
    );
    const size = Buffer.from([0, this.id.length]);
    const authData = Buffer.concat([this.#authData(true), Buffer.alloc(16), size, this.id, key]);
    const attestationObject = map([text('fmt'), text('none')], [text('attStmt'), map()], [text('authData'), bytes(authData)]);
    return this.#answer({
      clientDataJSON: encoded(this.#clientData('webauthn.create', challenge)),
      attestationObject: encoded(attestationObject),
      transports: ['internal'],
    });
  }

  /** Responds to the options for using it. */
  use({ challenge }: Challenge) {
    this.counter += 1;
    const clientData = this.#clientData('webauthn.get', challenge);
    const authData = this.#authData(false);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#privateKey);
    return this.#answer({
      clientDataJSON: encoded(clientData),
      authenticatorData: encoded(authData),
      signature: encoded(signature),
      ...(this.#user && { userHandle: this.#user }),
    });
  }

  #answer<Response>(response: Response) {
    const id = encoded(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData = (type: string, challenge: string) => JSON.stringify({ type, challenge, origin: this.site.origin, crossOrigin: false });

  #authData(isNew: boolean) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = 1 | (this.isUnlocked ? 4 : 0) | (isNew ? 64 : 0);
    return Buffer.concat([sha256(this.site.id), Buffer.from([flags]), counter]);
  }
}
