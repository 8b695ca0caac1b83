import { kernels, shortsColumn, wordsColumn } from './kernels/room.ts';

/** So many listing numbers lie in one segment, and so many words of 32 bits hold a bit for each. */
export const segmentRows = 65_536;
export const segmentWords = segmentRows / 32;

/** A bit for each row of a segment, in the room that kernels work on. */
export type Bits = Uint32Array;
export const newBits = (): Bits => wordsColumn(segmentWords);
export function bitsBehindOneAnother(howMany: number): Bits[] {
  const all = wordsColumn(howMany * segmentWords);
  return Array.from({ length: howMany }, (_, index) => all.subarray(index * segmentWords, (index + 1) * segmentWords));
}

/** How many bits of a word are set. */
export function ones(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function setBit(bits: Bits, row: number): void {
  bits[row >>> 5] = wordAt(bits, row >>> 5) | (1 << (row & 31));
}
export function clearBit(bits: Bits, row: number): void {
  bits[row >>> 5] = wordAt(bits, row >>> 5) & ~(1 << (row & 31));
}
export const hasBit = (bits: Bits, row: number): boolean => (wordAt(bits, row >>> 5) & (1 << (row & 31))) !== 0;

/** Within its bounds, which is for the caller to know. */
export const wordAt = (bits: Bits | Uint16Array | Uint8Array, at: number): number => bits[at] as number;

/** Makes `to` what both have, and tells how many that is. */
export const both = (to: Bits, one: Bits, other: Bits): number => kernels.both(to.byteOffset, one.byteOffset, other.byteOffset);
/** Makes `to` what the one has and the other does not, and tells how many that is. */
export const without = (to: Bits, one: Bits, other: Bits): number => kernels.without(to.byteOffset, one.byteOffset, other.byteOffset);
/** Makes `to` what either has. */
export const either = (to: Bits, one: Bits, other: Bits): void => kernels.either(to.byteOffset, one.byteOffset, other.byteOffset);
export const countBoth = (one: Bits, other: Bits): number => kernels.countBoth(one.byteOffset, other.byteOffset);
export const countBits = (bits: Bits): number => countBoth(bits, bits);

const listed = shortsColumn(segmentRows);

/** The rows that have a bit, the first first: until somebody asks for those of others. */
export const rowsOf = (bits: Bits): Uint16Array =>
  listed.subarray(0, (kernels.listRows(bits.byteOffset, listed.byteOffset) - listed.byteOffset) / 2);

const sums = wordsColumn(4);

/** How many of these rows are set in each of four: the first of them, and those that lie behind it. */
export function countFour(rows: Bits, first: Bits): readonly number[] {
  sums.fill(0);
  kernels.countFour(rows.byteOffset, first.byteOffset, sums.byteOffset);
  return [...sums];
}

/** Bits that one search needs, until the next begins. */
class Scratch {
  readonly #kept: Bits[] = [];
  #next = 0;

  /** As somebody left them. */
  take(): Bits {
    const bits = (this.#kept[this.#next] ??= newBits());
    this.#next += 1;
    return bits;
  }

  /** What was taken so far stays whoever has it, what `work` takes does not. */
  during<Result>(work: () => Result): Result {
    const before = this.#next;
    const result = work();
    this.#next = before;
    return result;
  }
}
export const scratch = new Scratch();
