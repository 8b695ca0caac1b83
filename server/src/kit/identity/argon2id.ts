import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
const toText = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
// The PHC string format, https://github.com/P-H-C/phc-string-format.
const format = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Password hashes in the PHC string format, which holds the cost beside the hash, so that hashes of another cost still match. */
export const argon2id = {
  /** 19 MiB in KiB, 2 passes, 1 lane: OWASP's first choice. A hash takes a core for some 30 ms, on one of the four threads that also do file I/O. */
  cost: { memory: 19_456, passes: 2, parallelism: 1 },

  async hash(password: string): Promise<string> {
    const { memory, passes, parallelism } = argon2id.cost;
    const nonce = randomBytes(16);
    const tag = await derive('argon2id', { message: password, nonce, tagLength: 32, memory, passes, parallelism });
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toText(nonce)}$${toText(tag)}`;
  },

  /** Throws if `hash` is not in the format. */
  async verify(hash: string, password: string): Promise<boolean> {
    const [, memory, passes, parallelism, nonce, tag] = format.exec(hash) ?? [];
    if (!nonce || !tag) throw new Error('not an Argon2id hash in the PHC string format');
    const expected = Buffer.from(tag, 'base64');
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism), tagLength: expected.length };
    return timingSafeEqual(await derive('argon2id', { message: password, nonce: Buffer.from(nonce, 'base64'), ...cost }), expected);
  },
};
