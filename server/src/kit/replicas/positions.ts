import { createCipheriv, createDecipheriv } from 'node:crypto';

/** How far a database has written, or replayed what another wrote: PostgreSQL's LSN as a number. */
export type Position = bigint;

/** Of what nobody could say how far it was written: no replica has replayed that far. */
export const beyondAll: Position = 2n ** 64n - 1n;

/** As PostgreSQL writes it, such as 16/B374D848. */
export function asPosition(text: string): Position {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const algorithm = 'aes-256-ecb';
const blockBytes = 16;

/**
 * Positions as clients carry them: one block of a cipher, half of it zeros, so that nobody can make one up, and nobody can read how much is written here.
 * The key is the same on all servers.
 */
export class PositionSeal {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  seal(position: Position): string {
    const block = Buffer.alloc(blockBytes);
    block.writeBigUInt64BE(position);
    const cipher = createCipheriv(algorithm, this.#key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
  }

  /** Null for what was not sealed here. */
  open(text: string): Position | null {
    const sealed = Buffer.from(text, 'base64url');
    if (sealed.length !== blockBytes) return null;
    const decipher = createDecipheriv(algorithm, this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
    return block.readBigUInt64BE(8) === 0n ? block.readBigUInt64BE() : null;
  }
}
