import { type Bits, segmentRows } from './bits.ts';
import { bytesColumn, shortsColumn, wordsColumn } from './kernels/room.ts';

/**
 * Which rows are based in each cell, those who come furthest first, as they were when the segment was read: of a cell those from its `starts` on, up
 * to that of the next. Beside where it begins, in the upper 8 bits, stands how far the first of them comes, so that most cells that are too far
 * away need not be looked into. `radii` tell how far each of `rows` comes, `around` who counts around the points that were last asked for.
 */
export type Bases = { cells: number; starts: Uint32Array; rows: Uint16Array; radii: Uint8Array; around: Map<string, Bits> };

const furthestFrom = 24;

export const noBases = (): Bases => ({ cells: 0, starts: wordsColumn(0), rows: shortsColumn(0), radii: bytesColumn(0), around: new Map() });

/** `cellOf` has the cell's number of each row, and -1 where there is none; `radiusOf` how far each comes. */
export function basesOf(cellOf: Int32Array, radiusOf: Uint8Array, cells: number): Bases {
  const furthestFirst = rowsByRadius(cellOf, radiusOf);
  const starts = wordsColumn(cells + 1);
  for (const row of furthestFirst) starts[(cellOf[row] as number) + 1] = (starts[(cellOf[row] as number) + 1] as number) + 1;
  for (let cell = 0; cell < cells; cell += 1) starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number);
  const next = Uint32Array.from(starts);
  const rows = shortsColumn(furthestFirst.length);
  const radii = bytesColumn(furthestFirst.length);
  for (const row of furthestFirst) {
    const cell = cellOf[row] as number;
    const at = next[cell] as number;
    if (at === starts[cell]) starts[cell] = at + (radiusOf[row] as number) * 2 ** furthestFrom;
    rows[at] = row;
    radii[at] = radiusOf[row] as number;
    next[cell] = at + 1;
  }
  return { cells, starts, rows, radii, around: new Map() };
}

function rowsByRadius(cellOf: Int32Array, radiusOf: Uint8Array): Uint16Array {
  const howMany = new Uint32Array(257);
  for (let row = 0; row < segmentRows; row += 1)
    if (cellOf[row] !== -1) howMany[radiusOf[row] as number] = (howMany[radiusOf[row] as number] as number) + 1;
  // From the furthest on, where the rows of each radius begin.
  for (let radius = 255; radius >= 0; radius -= 1) howMany[radius] = (howMany[radius] as number) + (howMany[radius + 1] as number);
  const rows = new Uint16Array(howMany[0] as number);
  const next = howMany.subarray(1);
  for (let row = 0; row < segmentRows; row += 1) {
    if (cellOf[row] === -1) continue;
    const radius = radiusOf[row] as number;
    rows[next[radius] as number] = row;
    next[radius] = (next[radius] as number) + 1;
  }
  return rows;
}
