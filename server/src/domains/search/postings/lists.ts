import { type Bits, either, segmentRows, segmentWords, wordAt } from './bits.ts';
import { keptBits } from './kept-bits.ts';
import { kernels, shortsColumn, wordsColumn } from './kernels/room.ts';
import { Pairs } from './reading/pairs.ts';

// More than so many rows are smaller as a bit for each.
const fewRows = 4_096;

/** Which rows have each key, as they were when the segment was read: 16 bits for each row, or a bit for all of them. */
export type Lists = {
  keys: Uint32Array;
  starts: Uint32Array;
  sizes: Uint32Array;
  rows: Uint16Array;
  /** The same as words of bits, which those of many are. */
  bits: Uint32Array;
  /** Where the lists of many stand. */
  many: readonly number[];
  /** What stretches of lists came to, by their ends: those that were last asked for. */
  stretches: Map<number, Bits>;
};

export const noLists = (): Lists => listsOf(new Pairs());

/** Lists of pairs of a key and a row. */
export function listsOf(pairs: Pairs): Lists {
  const { numbers, rows: rowsOfPairs } = pairs.all();
  const howMany = new Uint32Array(pairs.keys.length);
  for (const number of numbers) howMany[number] = (howMany[number] as number) + 1;
  const inOrder = Uint32Array.from([...howMany.keys()].filter((number) => howMany[number] !== 0));
  inOrder.sort((one, other) => (pairs.keys[one] as number) - (pairs.keys[other] as number));
  const keys = wordsColumn(inOrder.length);
  const starts = wordsColumn(keys.length);
  const sizes = wordsColumn(keys.length);
  // Of each number where its rows go next, and for those of many where their bits begin.
  const next = new Uint32Array(howMany.length);
  let length = 0;
  for (const [place, number] of inOrder.entries()) {
    const size = howMany[number] as number;
    // Those of bits begin at a word of 32.
    if (size > fewRows && length % 2 === 1) length += 1;
    keys[place] = pairs.keys[number] as number;
    starts[place] = length;
    sizes[place] = size;
    next[number] = length;
    length += size > fewRows ? segmentRows / 16 : size;
  }
  const rows = shortsColumn(length + (length % 2));
  const bits = new Uint32Array(rows.buffer, rows.byteOffset, rows.length / 2);
  for (let pair = 0; pair < numbers.length; pair += 1) {
    const number = numbers[pair] as number;
    const row = rowsOfPairs[pair] as number;
    const at = next[number] as number;
    if ((howMany[number] as number) > fewRows) bits[(at >>> 1) + (row >>> 5)] = wordAt(bits, (at >>> 1) + (row >>> 5)) | (1 << (row & 31));
    else {
      rows[at] = row;
      next[number] = at + 1;
    }
  }
  const many = [...sizes.keys()].filter((place) => (sizes[place] as number) > fewRows);
  return { keys, starts, sizes, rows, bits, many, stretches: new Map() };
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

// A letter has three stretches, one for each field: 600 kB a segment for 24 of them.
const keptStretches = 72;
const mostLists = 0x400_0000;

/** Adds the rows of all lists from one place up to below another. Those that are long are gone through once and then kept: lists never change. */
export function addLists(lists: Lists, from: number, below: number, to: Bits): void {
  if (from === below) return;
  if (lengthOf(lists, from, below) < fewRows) return addEach(lists, from, below, to);
  const key = from * mostLists + below;
  either(
    to,
    to,
    keptBits(lists.stretches, key, keptStretches, (rows) => addEach(lists, from, below, rows)),
  );
}

/** How many numbers of 16 bits the lists take from one place up to below another. */
export const lengthOf = ({ starts, rows }: Lists, from: number, below: number): number =>
  (starts[below] ?? rows.length) - (starts[from] ?? rows.length);

// Between those of many the rows of few stand side by side.
function addEach(lists: Lists, from: number, below: number, to: Bits) {
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

/** The rows of a key as they lie in the lists, where they are so many that a bit stands for each. Nobody may change them. */
export function bitsOfKey(lists: Lists, key: number): Bits | undefined {
  const place = placeOf(lists, key);
  if (lists.keys[place] !== key || (lists.sizes[place] as number) <= fewRows) return undefined;
  const from = (lists.starts[place] as number) / 2;
  return lists.bits.subarray(from, from + segmentWords);
}

/** Adds the rows of the list at this place. */
export function addList(lists: Lists, place: number, to: Bits): void {
  const start = lists.starts[place] as number;
  if ((lists.sizes[place] as number) > fewRows) kernels.either(to.byteOffset, to.byteOffset, lists.rows.byteOffset + start * 2);
  else addFew(lists, place, place, to);
}
