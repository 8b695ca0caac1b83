import { type Bits, either, segmentRows, wordAt } from './bits.ts';
import { kernels, shortsColumn, wordsColumn } from './kernels/room.ts';

// More than so many rows are smaller as a bit for each.
const fewRows = 4_096;

/** Which rows have each key, as they were when the segment was read: 16 bits for each row, or a bit for all of them. */
export type Lists = { keys: Uint32Array; starts: Uint32Array; sizes: Uint32Array; rows: Uint16Array; words: Uint32Array };

export const noLists = (): Lists => listsOf(new Uint32Array(0), new Uint16Array(0));

/** Lists of pairs of a key and a row, which come in any order. */
export function listsOf(keysOfPairs: Uint32Array, rowsOfPairs: Uint16Array): Lists {
  const howMany = new Map<number, number>();
  for (const key of keysOfPairs) howMany.set(key, (howMany.get(key) ?? 0) + 1);
  const keys = wordsColumn(howMany.size);
  keys.set(Uint32Array.from(howMany.keys()).toSorted());
  const starts = wordsColumn(keys.length);
  const sizes = wordsColumn(keys.length);
  const placeOfKey = howMany;
  let length = 0;
  for (const [place, key] of keys.entries()) {
    const size = howMany.get(key) ?? 0;
    // Those of bits begin at a word of 32.
    if (size > fewRows && length % 2 === 1) length += 1;
    starts[place] = length;
    sizes[place] = size;
    length += size > fewRows ? segmentRows / 16 : size;
    placeOfKey.set(key, place);
  }
  const rows = shortsColumn(length + (length % 2));
  const words = new Uint32Array(rows.buffer, rows.byteOffset, rows.length / 2);
  const next = Uint32Array.from(starts);
  for (const [pair, key] of keysOfPairs.entries()) {
    const place = placeOfKey.get(key) ?? 0;
    const row = rowsOfPairs[pair] as number;
    const at = next[place] as number;
    if ((sizes[place] as number) > fewRows) words[(at >>> 1) + (row >>> 5)] = wordAt(words, (at >>> 1) + (row >>> 5)) | (1 << (row & 31));
    else {
      rows[at] = row;
      next[place] = at + 1;
    }
  }
  return { keys, starts, sizes, rows, words };
}

/** Where a key stands among the lists, or where it would. */
export function placeOf({ keys }: Lists, key: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] as number) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the rows of the list at this place. */
export function addList({ starts, sizes, rows, words }: Lists, place: number, to: Bits): void {
  const start = starts[place] as number;
  const size = sizes[place] as number;
  if (size > fewRows) return either(to, to, words.subarray(start >>> 1, (start >>> 1) + to.length));
  const from = rows.byteOffset + start * 2;
  kernels.addRows(to.byteOffset, from, from + size * 2);
}
