/** So many listing numbers lie in one segment, and so many words of 32 bits hold a bit for each. */
export const segmentRows = 65_536;
export const segmentWords = segmentRows / 32;

/** A bit for each row of a segment. */
export type Bits = Uint32Array;
export const newBits = (): Bits => new Uint32Array(segmentWords);

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

export function countBits(bits: Bits): number {
  let sum = 0;
  for (let at = 0; at < segmentWords; at += 1) {
    const word = bits[at] as number;
    if (word !== 0) sum += ones(word);
  }
  return sum;
}

/** Calls with each row that has a bit, the first first. */
export function eachRow(bits: Bits, call: (row: number) => void): void {
  for (let at = 0; at < bits.length; at += 1) {
    for (let word = bits[at] as number; word !== 0; word &= word - 1) call((at << 5) + 31 - Math.clz32(word & -word));
  }
}
