import { type Bases, noBases } from './bases.ts';
import { type Bits, bitsBehindOneAnother, clearBit, newBits, segmentRows, setBit } from './bits.ts';
import { giveBack, wordsColumn } from './kernels/room.ts';
import { type Lists, noLists } from './lists.ts';

/** What search knows of one active listing. `keys` are its words and facets, `cell` the number of where it is based. */
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
// So many more that the last four are whole.
const planesUnused = 1;
export const firstFlagPlane = 4;
export const firstPricePlane = 7;
/** The digits of a score, which is at most 500,000. */
export const scoreBits = 19;

/** The listings of 65,536 numbers: what changes often in columns that are written to, words, facets and bases in lists with what has changed since beside them. */
export class Segment {
  readonly first: number;
  readonly active = newBits();
  readonly ranks: readonly Bits[] = Array.from({ length: ranks }, newBits);
  /** Behind one another, because four are counted at a time. */
  readonly evidence: readonly Bits[] = bitsBehindOneAnother(planes + planesUnused);
  /** The digits of each score in the system of two, the lowest first. */
  readonly scores: readonly Bits[] = Array.from({ length: scoreBits }, newBits);
  /** 0 where none is named, else one more than its cents. */
  readonly prices = wordsColumn(segmentRows);
  lists: Lists = noLists();
  bases: Bases = noBases();
  /** Rows of which the lists tell nothing true any more, and what is true of them by key. */
  readonly changed = newBits();
  readonly added = new Map<number, number[]>();
  /** Of the changed rows that are active. */
  readonly based = new Map<number, { cell: number; radius: number }>();
  readonly #keysOfChanged = new Map<number, readonly number[]>();

  constructor(first: number) {
    this.first = first;
  }

  get changes(): number {
    return this.#keysOfChanged.size;
  }

  /** How much of it has changed: rows, of which those that nobody finds any more take no more of a search than their places in lists. */
  get worn(): number {
    return this.based.size + (this.changes - this.based.size) / 16;
  }

  /** Takes what is true of a row now: null where its listing is not active. */
  change(row: number, now: Row | null): void {
    for (const key of this.#keysOfChanged.get(row) ?? []) {
      const rows = (this.added.get(key) ?? []).filter((one) => one !== row);
      if (rows.length > 0) this.added.set(key, rows);
      else this.added.delete(key);
    }
    setBit(this.changed, row);
    const keys = now?.keys ?? [];
    if (now) this.based.set(row, { cell: now.cell, radius: now.radius });
    else this.based.delete(row);
    this.#keysOfChanged.set(row, keys);
    for (const key of keys) {
      const rows = this.added.get(key);
      if (rows) rows.push(row);
      else this.added.set(key, [row]);
    }
    this.write(row, now);
  }

  write(row: number, now: Omit<Row, 'keys'> | null): void {
    put(this.active, row, now !== null);
    for (let rank = 1; rank <= ranks; rank += 1) put(this.ranks[rank - 1] as Bits, row, now !== null && now.rank === rank);
    const cell = now?.evidence ?? 7;
    const [rating, price] = [cell >> 6, cell & 7];
    for (let plane = 0; plane < planes; plane += 1) {
      // As `evidence_cell` of migration 040 is put together.
      const holds =
        plane < firstFlagPlane
          ? rating > plane
          : plane < firstPricePlane
            ? (cell & (32 >> (plane - firstFlagPlane))) !== 0
            : price <= plane - firstPricePlane;
      put(this.evidence[plane] as Bits, row, now !== null && holds);
    }
    const score = now?.score ?? 0;
    for (let digit = 0; digit < scoreBits; digit += 1) put(this.scores[digit] as Bits, row, ((score >>> digit) & 1) === 1);
    this.prices[row] = now === null || now.price === null ? 0 : Math.min(now.price + 1, 0xffffffff);
  }

  scoreOf(row: number): number {
    return this.scores.reduce((score, plane, digit) => score + ((((plane[row >>> 5] as number) >>> (row & 31)) & 1) << digit), 0);
  }

  /** Gives back its room. Nobody may use it any more. */
  giveBack(): void {
    const { active, prices, changed, lists, bases } = this;
    const { keys, starts, sizes, rows, stretches } = lists;
    for (const column of [active, ...this.ranks, ...this.evidence, ...this.scores, prices, changed, ...stretches.values()])
      giveBack(column);
    for (const column of [keys, starts, sizes, rows, bases.starts, bases.rows, bases.radii, ...bases.around.values()]) giveBack(column);
  }
}

const put = (bits: Bits, row: number, holds: boolean) => (holds ? setBit(bits, row) : clearBit(bits, row));
