import { createCipheriv, createDecipheriv } from 'node:crypto';

/** How far a database has written or replayed: PostgreSQL's LSN as a number. */
export type Position = bigint;

/** For an unknown position: no replica has replayed that far. */
export const unreachable: Position = 2n ** 64n - 1n;

/** Parses PostgreSQL's form, such as 16/B374D848. */
export function parsePosition(text: string): Position {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

const algorithm = 'aes-256-ecb';
const blockBytes = 16;

/**
 * Encrypts positions for clients: one cipher block, half of it zeros, so that a client can neither forge one nor read how much is written here. All
 * servers share the key.
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

  /** Null if the text was not sealed with this key. */
  open(text: string): Position | null {
    const sealed = Buffer.from(text, 'base64url');
    if (sealed.length !== blockBytes) return null;
    const decipher = createDecipheriv(algorithm, this.#key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
    return block.readBigUInt64BE(8) === 0n ? block.readBigUInt64BE() : null;
  }
}
