import { type Bits, hasBit, newBits, segmentWords, setBit } from './bits.ts';
import { facetKey } from './keys.ts';
import { addKeys } from './matching.ts';
import { type Match, rankAt, rowsOf } from './pages.ts';
import type { AskedRings } from './query.ts';
import { type Lists, type Segment, fewRows, placeOf } from './segment.ts';

const firstCell = facetKey('cell', 0);
const belowCell = firstCell + 65_536;

/** Rows of those who are based in the places of the rings, and the ring of each: one row is based in one place. */
class Based {
  rows = new Uint16Array(4_096);
  legs = new Uint16Array(4_096);
  length = 0;

  /** `legOfCell` has one more than the number of the leg. */
  find({ lists, changed, changes, added }: Segment, legOfCell: Uint16Array) {
    this.length = 0;
    for (let place = placeOf(lists, firstCell); place < lists.keys.length; place += 1) {
      const cell = (lists.keys[place] as number) - firstCell;
      if (cell >= belowCell - firstCell) break;
      const leg = legOfCell[cell] as number;
      if (leg > 0) this.#addList(lists, place, leg - 1);
    }
    if (changes === 0) return;
    this.#leaveOut(changed);
    for (const [key, rows] of added) {
      if (key < firstCell || key >= belowCell) continue;
      const leg = legOfCell[key - firstCell] as number;
      if (leg > 0) for (const row of rows) this.#add(row, leg - 1);
    }
  }

  #addList({ starts, sizes, rows, words }: Lists, place: number, leg: number) {
    const start = starts[place] as number;
    const size = sizes[place] as number;
    if (size <= fewRows) {
      for (let at = start; at < start + size; at += 1) this.#add(rows[at] as number, leg);
      return;
    }
    for (let at = 0; at < segmentWords; at += 1) {
      for (let word = words[(start >>> 1) + at] as number; word !== 0; word &= word - 1)
        this.#add((at << 5) + 31 - Math.clz32(word & -word), leg);
    }
  }

  #add(row: number, leg: number) {
    if (this.length === this.rows.length) {
      const [rows, legs] = [new Uint16Array(this.length * 2), new Uint16Array(this.length * 2)];
      rows.set(this.rows);
      legs.set(this.legs);
      [this.rows, this.legs] = [rows, legs];
    }
    this.rows[this.length] = row;
    this.legs[this.length] = leg;
    this.length += 1;
  }

  #leaveOut(changed: Bits) {
    let left = 0;
    for (let at = 0; at < this.length; at += 1) {
      if (hasBit(changed, this.rows[at] as number)) continue;
      this.rows[left] = this.rows[at] as number;
      this.legs[left] = this.legs[at] as number;
      left += 1;
    }
    this.length = left;
  }
}

const based = new Based();
const serving = newBits();
const within = newBits();

/** Rows of a segment that count, and in which ring each of them is. */
export type Within = { rows: Uint16Array; rings: Uint16Array };

/** Leaves of the matches those within the rings. */
export function keepWithin({ segment, found }: Match, asked: AskedRings, legOfCell: Uint16Array): Within {
  const matching = found.at(-1) as Bits;
  serving.fill(0);
  if (asked.serves.length > 0) addKeys(segment, asked.serves, serving);
  based.find(segment, legOfCell);
  const { rows, legs, length } = based;
  within.fill(0);
  let left = 0;
  for (let at = 0; at < length; at += 1) {
    const row = rows[at] as number;
    if (!hasBit(matching, row)) continue;
    const leg = legs[at] as number;
    const least = asked.least[leg] as number;
    if (least > 0 && (segment.radii[row] as number) < least && !hasBit(serving, row)) continue;
    setBit(within, row);
    rows[left] = row;
    legs[left] = asked.rings[leg] as number;
    left += 1;
  }
  matching.set(within);
  return { rows: rows.slice(0, left), rings: legs.slice(0, left) };
}

/** The nearest first, between equals by rank and then the newest. Of who is within some may have been left out since. */
export function pageByRing(matches: readonly (Match & { within: Within })[], page: { skip: number; take: number }): number[] {
  const sizes = new Uint32Array(65_536);
  for (const match of matches) {
    const passing = rowsOf(match);
    const { rows, rings } = match.within;
    for (let at = 0; at < rows.length; at += 1) {
      if (hasBit(passing, rows[at] as number)) sizes[rings[at] as number] = (sizes[rings[at] as number] as number) + 1;
    }
  }
  const last = sizes.length - 1;
  let from = 0;
  let before = 0;
  while (from < last && before + (sizes[from] as number) <= page.skip) before += sizes[from++] as number;
  let to = from;
  for (let reached = before + (sizes[to] as number); to < last && reached < page.skip + page.take; reached += sizes[to] as number) to += 1;
  const found: number[] = [];
  const byRing = 2 ** 34;
  const byRank = 2 ** 32;
  for (const match of matches) {
    const passing = rowsOf(match);
    const { rows, rings } = match.within;
    for (let at = 0; at < rows.length; at += 1) {
      const ring = rings[at] as number;
      if (ring < from || ring > to) continue;
      const row = rows[at] as number;
      if (hasBit(passing, row)) found.push((last - ring) * byRing + rankAt(match, row) * byRank + match.segment.first + row);
    }
  }
  const skip = page.skip - before;
  const inOrder = Float64Array.from(found).toSorted().toReversed();
  return Array.from(inOrder.subarray(skip, skip + page.take), (key) => key % byRank);
}
