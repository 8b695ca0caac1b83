import { type Bits, clearBit, newBits, segmentRows, setBit, wordAt } from './bits.ts';

/** What search knows of one active listing. `keys` are its words and facets. */
export type Row = {
  row: number;
  rank: number;
  evidence: number;
  /** In cents, null where none is named. */
  price: number | null;
  score: number;
  radius: number;
  cell: number;
  keys: readonly number[];
};

/** The paid ranks are 1 to 3. */
export const ranks = 3;
/** Ratings from 3, 3.5, 4 and 4.5 on, verified, photos, answers within a day, and prices up to each limit; the last: any price. */
const planes = 14;
export const firstPricePlane = 7;

// More than so many rows are smaller as a bit for each.
export const fewRows = 4_096;

/** Which rows have each key, as they were when the segment was read: 16 bits for each row, or a bit for all of them. */
export type Lists = { keys: Uint32Array; starts: Uint32Array; sizes: Uint32Array; rows: Uint16Array; words: Uint32Array };

/** The listings of 65,536 numbers: what changes often in columns that are written to, words and facets in lists with what has changed since beside them. */
export class Segment {
  readonly first: number;
  readonly ranks: Bits[] = Array.from({ length: ranks }, newBits);
  readonly evidence: Bits[] = Array.from({ length: planes }, newBits);
  readonly scores = new Uint32Array(segmentRows);
  /** 0 where none is named, else one more than its cents. */
  readonly prices = new Uint32Array(segmentRows);
  readonly radii = new Uint8Array(segmentRows);
  lists: Lists = listsOf(new Uint32Array(0), new Uint16Array(0));
  /** Rows of which the lists tell nothing true any more, and what is true of them by key. */
  readonly changed = newBits();
  readonly added = new Map<number, number[]>();
  readonly #keysOfChanged = new Map<number, readonly number[]>();

  constructor(first: number) {
    this.first = first;
  }

  get changes(): number {
    return this.#keysOfChanged.size;
  }

  /** Takes what is true of a row now: null where its listing is not active. */
  change(row: number, now: Row | null): void {
    for (const key of this.#keysOfChanged.get(row) ?? []) {
      const rows = (this.added.get(key) ?? []).filter((one) => one !== row);
      if (rows.length > 0) this.added.set(key, rows);
      else this.added.delete(key);
    }
    setBit(this.changed, row);
    this.#keysOfChanged.set(row, now?.keys ?? []);
    for (const key of now?.keys ?? []) {
      const rows = this.added.get(key);
      if (rows) rows.push(row);
      else this.added.set(key, [row]);
    }
    this.write(row, now);
  }

  write(row: number, now: Row | null): void {
    for (const [index, plane] of this.ranks.entries()) put(plane, row, now?.rank === index + 1);
    const cell = now?.evidence ?? 7;
    const [rating, price] = [cell >> 6, cell & 7];
    for (const [index, plane] of this.evidence.entries()) {
      // As `evidence_cell` of migration 040 is put together.
      const holds =
        index < 4 ? rating > index : index < firstPricePlane ? (cell & (32 >> (index - 4))) !== 0 : price <= index - firstPricePlane;
      put(plane, row, now !== null && holds);
    }
    this.scores[row] = now?.score ?? 0;
    this.prices[row] = now === null || now.price === null ? 0 : Math.min(now.price + 1, 0xffffffff);
    this.radii[row] = now?.radius ?? 0;
  }
}

const put = (bits: Bits, row: number, holds: boolean) => (holds ? setBit(bits, row) : clearBit(bits, row));

/** Lists of pairs of a key and a row, which come in any order. */
export function listsOf(keysOfPairs: Uint32Array, rowsOfPairs: Uint16Array): Lists {
  const howMany = new Map<number, number>();
  for (const key of keysOfPairs) howMany.set(key, (howMany.get(key) ?? 0) + 1);
  const keys = Uint32Array.from(howMany.keys()).toSorted();
  const starts = new Uint32Array(keys.length);
  const sizes = new Uint32Array(keys.length);
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
  const rows = new Uint16Array(length + (length % 2));
  const words = new Uint32Array(rows.buffer);
  const next = starts.slice();
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
  if (size > fewRows) {
    for (let at = 0, from = start >>> 1; at < to.length; at += 1, from += 1) to[at] = (to[at] as number) | (words[from] as number);
    return;
  }
  for (let at = start; at < start + size; at += 1) {
    const row = rows[at] as number;
    to[row >>> 5] = (to[row >>> 5] as number) | (1 << (row & 31));
  }
}
