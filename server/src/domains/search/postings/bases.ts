import { segmentRows } from './bits.ts';
import { bytesColumn, shortsColumn, wordsColumn } from './kernels/room.ts';

/**
 * Which rows are based in each cell, those who come furthest first, as they were when the segment was read: of a cell those from `starts` of its
 * number on, up to that of the next.
 */
export type Bases = { cells: number; starts: Uint32Array; rows: Uint16Array; radii: Uint8Array };

export const noBases = (): Bases => ({ cells: 0, starts: wordsColumn(0), rows: shortsColumn(0), radii: bytesColumn(0) });

/** `cellOf` has the cell's number of each row, and -1 where there is none; `radii` how far each comes. */
export function basesOf(cellOf: Int32Array, radiusOf: Uint8Array, cells: number): Bases {
  const nearestFirst = Array.from({ length: 256 }, (): number[] => []);
  const starts = wordsColumn(cells + 1);
  for (let row = 0; row < segmentRows; row += 1) {
    const cell = cellOf[row] as number;
    if (cell === -1) continue;
    nearestFirst[radiusOf[row] as number]?.push(row);
    starts[cell + 1] = (starts[cell + 1] as number) + 1;
  }
  for (let cell = 0; cell < cells; cell += 1) starts[cell + 1] = (starts[cell + 1] as number) + (starts[cell] as number);
  const next = Uint32Array.from(starts);
  const rows = shortsColumn(starts[cells] as number);
  for (const some of nearestFirst.toReversed()) {
    for (const row of some) {
      const cell = cellOf[row] as number;
      const at = next[cell] as number;
      rows[at] = row;
      next[cell] = at + 1;
    }
  }
  const radii = bytesColumn(segmentRows);
  radii.set(radiusOf);
  return { cells, starts, rows, radii };
}
