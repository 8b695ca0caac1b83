import { type Bits, hasBit, newBits, segmentRows, segmentWords, setBit } from './bits.ts';
import { facetKey } from './keys.ts';
import { addKeys } from './matching.ts';
import { type Match, pageByRank, rowsOf } from './pages.ts';
import type { AskedRings } from './query.ts';
import { fewRows, placeOf } from './segment.ts';

const firstCell = facetKey('cell', 0);
const belowCell = firstCell + 65_536;

/** Rows of a segment that count, and in which ring each of them is. */
export type Within = { rows: Uint16Array; rings: Uint16Array };

// A segment has no more rows than these.
const rowsWithin = new Uint16Array(segmentRows);
const ringsWithin = new Uint16Array(segmentRows);
const serving = newBits();
const within = newBits();
const listed = newBits();

/** Leaves of the matches those within the rings. `legOfCell` has one more than the number of the leg. */
export function keepWithin({ segment, found }: Match, asked: AskedRings, legOfCell: Uint16Array): Within {
  const { lists, radii, changed, changes, added } = segment;
  const matching = found.at(-1) as Bits;
  serving.fill(0);
  if (asked.serves.length > 0) addKeys(segment, asked.serves, serving);
  within.fill(0);
  let length = 0;
  const take = (row: number, least: number, ring: number) => {
    if (least > 0 && (radii[row] as number) < least && !hasBit(serving, row)) return;
    setBit(within, row);
    rowsWithin[length] = row;
    ringsWithin[length] = ring;
    length += 1;
  };
  // Of rows that have changed the lists tell nothing true.
  for (let at = 0; at < segmentWords; at += 1) listed[at] = (matching[at] as number) & ~(changed[at] as number);
  for (let place = placeOf(lists, firstCell); place < lists.keys.length; place += 1) {
    const cell = (lists.keys[place] as number) - firstCell;
    if (cell >= belowCell - firstCell) break;
    const leg = legOfCell[cell] as number;
    if (leg === 0) continue;
    const least = asked.least[leg - 1] as number;
    const ring = asked.rings[leg - 1] as number;
    const start = lists.starts[place] as number;
    const size = lists.sizes[place] as number;
    if (size > fewRows) {
      for (let at = 0; at < segmentWords; at += 1) {
        for (let word = (lists.words[(start >>> 1) + at] as number) & (listed[at] as number); word !== 0; word &= word - 1)
          take((at << 5) + 31 - Math.clz32(word & -word), least, ring);
      }
      continue;
    }
    for (let at = start; at < start + size; at += 1) {
      const row = lists.rows[at] as number;
      if (((listed[row >>> 5] as number) & (1 << (row & 31))) !== 0) take(row, least, ring);
    }
  }
  if (changes > 0) {
    for (const [key, rows] of added) {
      const leg = key >= firstCell && key < belowCell ? (legOfCell[key - firstCell] as number) : 0;
      if (leg === 0) continue;
      for (const row of rows) if (hasBit(matching, row)) take(row, asked.least[leg - 1] as number, asked.rings[leg - 1] as number);
    }
  }
  matching.set(within);
  return { rows: rowsWithin.slice(0, length), rings: ringsWithin.slice(0, length) };
}

/** How many of those within stand in each ring. Of them some may have been left out since. */
function sizesOf(matches: readonly Near[]): Uint32Array {
  const sizes = new Uint32Array(65_536);
  for (const match of matches) {
    const passing = rowsOf(match);
    const { rows, rings } = match.within;
    for (let at = 0; at < rows.length; at += 1) {
      if (hasBit(passing, rows[at] as number)) sizes[rings[at] as number] = (sizes[rings[at] as number] as number) + 1;
    }
  }
  return sizes;
}

type Near = Match & { within: Within };

/** The nearest first, between equals by rank and then the newest. */
export function pageByRing(matches: readonly Near[], page: { skip: number; take: number }): number[] {
  const sizes = sizesOf(matches);
  const numbers: number[] = [];
  let { skip, take } = page;
  for (let ring = 0; ring < sizes.length && take > 0; ring += 1) {
    const size = sizes[ring] as number;
    if (size === 0) continue;
    if (skip >= size) skip -= size;
    else {
      const found = pageByRank(ofRing(matches, ring), false, { skip, take });
      numbers.push(...found);
      take -= found.length;
      skip = 0;
    }
  }
  return numbers;
}

/** The matches of one ring, where there are any. */
function ofRing(matches: readonly Near[], ring: number): Match[] {
  return matches.flatMap((match) => {
    const { rows, rings } = match.within;
    const passing = rowsOf(match);
    let those: Bits | undefined;
    for (let at = rings.indexOf(ring); at !== -1; at = rings.indexOf(ring, at + 1)) {
      const row = rows[at] as number;
      if (hasBit(passing, row)) setBit((those ??= newBits()), row);
    }
    return those ? [{ segment: match.segment, found: [those, those, those, those] }] : [];
  });
}
