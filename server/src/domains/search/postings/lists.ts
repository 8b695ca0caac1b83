import { type Bits, segmentRows, wordAt } from './bits.ts';
import { kernels, shortsColumn, wordsColumn } from './kernels/room.ts';

// More than so many rows are smaller as a bit for each.
const fewRows = 4_096;

/** Which rows have each key, as they were when the segment was read: 16 bits for each row, or a bit for all of them. */
export type Lists = {
  keys: Uint32Array;
  starts: Uint32Array;
  sizes: Uint32Array;
  rows: Uint16Array;
  words: Uint32Array;
  /** Where the lists of many stand. */
  many: readonly number[];
};

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
  const many = [...sizes.keys()].filter((place) => (sizes[place] as number) > fewRows);
  return { keys, starts, sizes, rows, words, many };
}

/** Where a key stands among the lists, or where it would. */
export const placeOf = ({ keys }: Lists, key: number): number => placeIn(keys, key);

function placeIn(numbers: Uint32Array | readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Adds the rows of all lists from one place up to below another. Between those of many the rows of few stand side by side. */
export function addLists(lists: Lists, from: number, below: number, to: Bits): void {
  const { many } = lists;
  let next = from;
  for (let at = placeIn(many, from); next < below; at += 1) {
    const place = Math.min(many[at] ?? below, below);
    if (place > next) addFew(lists, next, place - 1, to);
    if (place < below) addList(lists, place, to);
    next = place + 1;
  }
}

function addFew({ starts, sizes, rows }: Lists, first: number, last: number, to: Bits) {
  const end = (starts[last] as number) + (sizes[last] as number);
  kernels.addRows(to.byteOffset, rows.byteOffset + (starts[first] as number) * 2, rows.byteOffset + end * 2);
}

/** Adds the rows of the list at this place. */
export function addList(lists: Lists, place: number, to: Bits): void {
  const start = lists.starts[place] as number;
  if ((lists.sizes[place] as number) > fewRows) kernels.either(to.byteOffset, to.byteOffset, lists.rows.byteOffset + start * 2);
  else addFew(lists, place, place, to);
}
