import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashEntry, computeEntriesRoot, sortEntries } from '@handwise/proof/draw';
import { emptyRoot, verifyInclusion } from '@handwise/proof/tree';
import { buildDrawFiles, pathPositions, findEntryPlace } from './draws.rules.ts';

const idOf = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 32);

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 31, 32, 33])('finds each of %i entries at its position with its path to the root', (count) => {
  const entries = sortEntries(
    Array.from({ length: count }, (_, number) => ({ id: idOf(`${count} ${number}`), tickets: 1 + (number % 4) })),
  );
  const { root, places, tree } = buildDrawFiles(entries);
  expect(root.toString('hex')).toBe(computeEntriesRoot(entries));
  let firstTicket = 0;
  for (const [index, entry] of entries.entries()) {
    const place = findEntryPlace(places, entry.id);
    expect(place).toEqual({ index, size: count, firstTicket });
    const path = pathPositions({ index, size: count }).map((at) => new Uint8Array(tree.subarray(at * 32, at * 32 + 32)));
    expect(verifyInclusion({ leaf: hashEntry(entry), index, size: count, path, root: new Uint8Array(root) })).toBe(true);
    firstTicket += entry.tickets;
  }
  for (const other of ['0'.repeat(32), 'f'.repeat(32), idOf('nobody’s')]) expect(findEntryPlace(places, other)).toBeUndefined();
});

test('builds the root of an empty tree without entries', () => {
  const { root, entries, places, tree } = buildDrawFiles([]);
  expect([root.equals(emptyRoot), entries.toString(), places.length, tree.length]).toEqual([true, '[]', 0, 0]);
  expect(findEntryPlace(places, idOf('anybody’s'))).toBeUndefined();
});

test('publishes only id and tickets of an entry', () => {
  const entries = [{ id: idOf('one'), tickets: 2, userId: 'somebody' }];
  expect(JSON.parse(buildDrawFiles(entries).entries.toString())).toEqual([{ id: idOf('one'), tickets: 2 }]);
});
