import { type Bits, both, countBits, either, hasBit, newBits, scratch, setBit, without } from './bits.ts';
import { keptBits } from './kept-bits.ts';
import type { Numbered } from './forms.ts';
import { kernels, wordsColumn } from './kernels/room.ts';
import { addKeys } from './matching.ts';
import { type Page, type Some, pageByRank } from './pages.ts';
import type { AskedRings } from './query.ts';
import type { Segment } from './segment.ts';

// As many as there are cells of both countries at most.
const mostLegs = 65_536;
const legs = wordsColumn(mostLegs * 2);
const anyDistance = wordsColumn(mostLegs * 2);
// Who has told where they are asks for other services and pages around it.
const keptAround = 16;
const serving = newBits();
const there = newBits();
const unkept = newBits();

/** The legs of a ring, from the first to below the last. */
type Stretch = { ring: number; from: number; to: number };

/** Where those within the rings are based, the nearest first. */
export type Rings = {
  asked: AskedRings;
  /** Which legs each ring has. */
  stretches: readonly Stretch[];
  /** By the number of a cell one more than the number of its leg. */
  legOfCell: Uint16Array;
};

/** Rings as they were made for a point, with what they wrote into the columns, and how many cells there were then. */
type Made = Rings & { legs: Uint32Array; anyDistance: Uint32Array; cells: number };

const made = new WeakMap<Numbered<number>, Map<string, Made>>();

/** The rings of a search, until the next search. Those of the points that were last asked for are kept until there are other cells. */
export function ringsOf(asked: AskedRings, cells: Numbered<number>): Rings {
  const { key } = asked;
  if (key === null) return makeRings(asked, cells);
  const kept = made.get(cells) ?? new Map<string, Made>();
  made.set(cells, kept);
  const known = kept.get(key);
  kept.delete(key);
  if (known?.cells === cells.size) {
    legs.set(known.legs);
    anyDistance.set(known.anyDistance);
    kept.set(key, known);
    return known;
  }
  const rings = makeRings(asked, cells);
  const written = (rings.stretches.at(-1)?.to ?? 0) * 2;
  kept.set(key, { ...rings, legs: legs.slice(0, written), anyDistance: anyDistance.slice(0, written), cells: cells.size });
  const [oldest] = kept.keys();
  if (kept.size > keptAround && oldest !== undefined) kept.delete(oldest);
  return rings;
}

function makeRings(asked: AskedRings, cells: Numbered<number>): Rings {
  const numbers = Int32Array.from(asked.cells, (code) => cells.peek(code) ?? -1);
  const legOfCell = new Uint16Array(cells.size);
  const last = asked.rings.reduce((most, ring) => Math.max(most, ring), -1);
  const starts = new Uint32Array(last + 2);
  for (const [leg, cell] of numbers.entries()) {
    if (cell === -1) continue;
    legOfCell[cell] = leg + 1;
    starts[(asked.rings[leg] as number) + 1] = (starts[(asked.rings[leg] as number) + 1] as number) + 1;
  }
  const stretches: Stretch[] = [];
  for (let ring = 0; ring <= last; ring += 1) {
    const [from, to] = [starts[ring] as number, (starts[ring] as number) + (starts[ring + 1] as number)];
    starts[ring + 1] = to;
    if (to > from) stretches.push({ ring, from, to });
  }
  for (const [leg, cell] of numbers.entries()) {
    if (cell === -1) continue;
    const at = starts[asked.rings[leg] as number] as number;
    starts[asked.rings[leg] as number] = at + 1;
    legs[at * 2] = anyDistance[at * 2] = cell;
    legs[at * 2 + 1] = asked.least[leg] as number;
  }
  return { asked, stretches, legOfCell };
}

function addLegs({ bases }: Segment, column: Uint32Array, { from, to }: Pick<Stretch, 'from' | 'to'>, bits: Bits) {
  const [first, end] = [column.byteOffset + from * 8, column.byteOffset + to * 8];
  kernels.addNear(bits.byteOffset, first, end, bases.starts.byteOffset, bases.cells, bases.rows.byteOffset, bases.radii.byteOffset);
}

/** Adds those who are based in a cell. */
export function addBased(segment: Segment, cell: number, to: Bits): void {
  [anyDistance[0], anyDistance[1]] = [cell, 0];
  addLegs(segment, anyDistance, { from: 0, to: 1 }, to);
  if (segment.changes === 0) return;
  without(to, to, segment.changed);
  for (const [row, based] of segment.based) if (based.cell === cell) setBit(to, row);
}

/** Those of the rings that have changed since their segment was read, whether or not they come far enough. */
function* changedWithin({ based }: Segment, { asked, legOfCell }: Rings): Generator<{ row: number; comes: boolean; ring: number }> {
  for (const [row, { cell, radius }] of based) {
    const leg = (legOfCell[cell] as number) - 1;
    if (leg !== -1) yield { row, comes: radius >= (asked.least[leg] as number), ring: asked.rings[leg] as number };
  }
}

/** Leaves of these rows those within the rings, and tells how many. */
export function keepWithin(segment: Segment, rows: Bits, rings: Rings): number {
  const { serves } = rings.asked;
  const near = basedWithin(segment, rings, 'as far as they come', legs);
  if (serves.length === 0 && segment.changes === 0) return both(rows, rows, near);
  there.set(near);
  serving.fill(0);
  if (serves.length > 0) {
    addKeys(segment, serves, serving);
    scratch.during(() => {
      const named = scratch.take();
      both(named, basedWithin(segment, rings, 'however far', anyDistance), serving);
      either(there, there, named);
    });
  }
  if (segment.changes > 0) {
    without(there, there, segment.changed);
    for (const { row, comes } of changedWithin(segment, rings)) if (comes || hasBit(serving, row)) setBit(there, row);
  }
  return both(rows, rows, there);
}

/** Who is based within the rings by one of the two columns: kept for those around which somebody may ask again. */
function basedWithin(segment: Segment, { asked, stretches }: Rings, who: string, column: Uint32Array): Bits {
  const all = { from: 0, to: stretches.at(-1)?.to ?? 0 };
  const add = (bits: Bits) => addLegs(segment, column, all, bits);
  if (asked.key !== null) return keptBits(segment.bases.around, `${who} ${asked.key}`, keptAround, add);
  const bits = unkept.fill(0);
  add(bits);
  return bits;
}

/** Matches apart by what tells in which ring they are: the bases as they were read, or for what has changed the row itself. */
type Near = Some & { listed: Bits; changed: ReadonlyMap<number, readonly number[]> };

function nearOf({ segment, rows, count }: Some, rings: Rings): Near {
  if (segment.changes === 0) return { segment, rows, count, listed: rows, changed: new Map() };
  const listed = scratch.take();
  without(listed, rows, segment.changed);
  const passing = [...changedWithin(segment, rings)].filter(({ row }) => hasBit(rows, row));
  const changed = new Map<number, number[]>();
  for (const { ring, row } of passing) changed.set(ring, [...(changed.get(ring) ?? []), row]);
  return { segment, rows, count, listed, changed };
}

/** The nearest first, between equals by rank and then the newest. */
export function pageByRing(matches: readonly Some[], rings: Rings, page: Page): number[] {
  const near = matches.map((match) => nearOf(match, rings));
  const numbers: number[] = [];
  let { skip, take } = page;
  for (const stretch of rings.stretches) {
    if (take === 0) break;
    const sizes = near.map((match) => countIn(match, stretch));
    const size = sizes.reduce((sum, one) => sum + one, 0);
    if (skip >= size) skip -= size;
    else {
      const found = scratch.during(() =>
        pageByRank(
          near.filter((_, index) => sizes[index] !== 0).map((match) => ofRing(match, stretch)),
          { skip, take },
        ),
      );
      numbers.push(...found);
      take -= found.length;
      skip = 0;
    }
  }
  return numbers;
}

function countIn({ segment, listed, changed }: Near, { ring, from, to }: Stretch): number {
  const { cells, starts, rows } = segment.bases;
  const [first, end] = [anyDistance.byteOffset + from * 8, anyDistance.byteOffset + to * 8];
  const count = kernels.countNear(listed.byteOffset, first, end, starts.byteOffset, cells, rows.byteOffset);
  return count + (changed.get(ring)?.length ?? 0);
}

function ofRing({ segment, listed, changed }: Near, stretch: Stretch): Some {
  const rows = scratch.take().fill(0);
  addLegs(segment, anyDistance, stretch, rows);
  both(rows, rows, listed);
  for (const row of changed.get(stretch.ring) ?? []) setBit(rows, row);
  return { segment, rows, count: countBits(rows) };
}
