import { type Entry, buildEntryLevels } from '@handwise/proof/draw';
import { emptyRoot } from '@handwise/proof/tree';

// The layout of a closed draw's files, which allows reading parts of them by position.

const placeBytes = 20;
const idBytes = 16;

export type Files = { root: Buffer; entries: Buffer; places: Buffer; tree: Buffer };

/** The files stored for sorted entries. */
export function buildDrawFiles(sorted: readonly Entry[]): Files {
  const levels = buildEntryLevels(sorted);
  const places = Buffer.alloc(sorted.length * placeBytes);
  let firstTicket = 0;
  for (const [index, { id, tickets }] of sorted.entries()) {
    places.write(id, index * placeBytes, 'hex');
    places.writeUInt32BE(firstTicket, index * placeBytes + idBytes);
    firstTicket += tickets;
  }
  return {
    root: Buffer.from(levels.at(-1)?.[0] ?? emptyRoot),
    entries: Buffer.from(JSON.stringify(sorted.map(({ id, tickets }) => ({ id, tickets })))),
    places,
    tree: Buffer.concat(levels.flat()),
  };
}

export type EntryPlace = { index: number; size: number; firstTicket: number };

/** Binary search among the sorted entries. */
export function findEntryPlace(places: Buffer, id: string): EntryPlace | undefined {
  const wanted = Buffer.from(id, 'hex');
  const size = places.length / placeBytes;
  let [from, to] = [0, size];
  while (from < to) {
    const index = (from + to) >>> 1;
    const at = index * placeBytes;
    const order = places.compare(wanted, 0, idBytes, at, at + idBytes);
    if (order === 0) return { index, size, firstTicket: places.readUInt32BE(at + idBytes) };
    if (order < 0) from = index + 1;
    else to = index;
  }
  return undefined;
}

/** Positions in the tree file of the hashes on the path from a leaf to the root. */
export function pathPositions({ index, size }: Pick<EntryPlace, 'index' | 'size'>): number[] {
  const places: number[] = [];
  let before = 0;
  let at = index;
  // The last of an odd number has no sibling and moves up unchanged.
  for (let width = size; width > 1; width = Math.ceil(width / 2)) {
    const sibling = at ^ 1;
    if (sibling < width) places.push(before + sibling);
    before += width;
    at >>= 1;
  }
  return places;
}
