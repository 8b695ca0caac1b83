import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Entry,
  hashEntry,
  findEntriesFault,
  buildEntryLevels,
  generateNumbers,
  buildMerklePath,
  pickEntries,
  computeEntriesRoot,
  sortEntries,
  drawTicketIndexes,
  countTickets,
  countUsableNumbers,
} from './draw.ts';
import vectors from './testing/draw-vectors.json' with { type: 'json' };
import { verifyInclusion } from './tree.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** Entries with distinct ids and uneven tickets. */
const numbered = (tickets: number[]): Entry[] =>
  sortEntries(tickets.map((count, index) => ({ id: hashOf(`entry ${index}`).slice(0, 32), tickets: count })));
/** The owner of each ticket. */
const ownersOf = (entries: Entry[]) => entries.flatMap(({ id, tickets }) => Array.from({ length: tickets }, () => id));
const anEntry = fc.record({
  id: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
  tickets: fc.integer({ min: 1, max: 50 }),
});
const someEntries = fc.uniqueArray(anEntry, { selector: ({ id }) => id, minLength: 1, maxLength: 40 });
const randomness = hashOf('randomness');

test.each(vectors)(
  'the worked example of “$name” comes out as published',
  ({ entries, randomness, root, totalTickets, winner, reserves }) => {
    const sorted = sortEntries(entries);
    expect(computeEntriesRoot(sorted)).toBe(root);
    expect(countTickets(sorted)).toBe(totalTickets);
    expect(pickEntries(sorted, randomness, root)).toEqual([winner, ...reserves]);
  },
);

test('the stream is the first eight bytes, big-endian, of HMAC-SHA256 over the root and a counter', () => {
  const [key, root] = [Buffer.from(hashOf('key'), 'hex'), Buffer.from(hashOf('root'), 'hex')];
  const numbers = generateNumbers(key, root);
  for (let k = 0; k < 300; k += 1) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(k));
    const digest = createHmac('sha256', key).update(root).update(counter).digest();
    expect(numbers.next().value, `number ${k}`).toBe(digest.readBigUInt64BE(0));
  }
});

test('the order of the given entries does not matter', () => {
  fc.assert(
    fc.property(
      someEntries.chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))),
      ([entries, shuffled]) => {
        const [one, other] = [sortEntries(entries), sortEntries(shuffled)];
        expect(other).toEqual(one);
        expect(pickEntries(other, randomness, computeEntriesRoot(other))).toEqual(pickEntries(one, randomness, computeEntriesRoot(one)));
      },
    ),
    { numRuns: 100, seed: 1 },
  );
});

test('picks different entries by one of their own tickets, with ten reserves at most', () => {
  fc.assert(
    fc.property(someEntries, (entries) => {
      const sorted = sortEntries(entries);
      const picks = pickEntries(sorted, randomness, computeEntriesRoot(sorted));
      expect(new Set(picks.map(({ entryId }) => entryId)).size).toBe(Math.min(11, sorted.length));
      expect(picks).toHaveLength(Math.min(11, sorted.length));
      const owner = ownersOf(sorted);
      for (const { entryId, ticketIndex } of picks) expect(owner[ticketIndex]).toBe(entryId);
    }),
    { numRuns: 100, seed: 2 },
  );
});

test('entries win in proportion to their tickets: χ² over 100,000 draws', () => {
  const entries = numbered([1, 2, 3, 5, 8, 13, 21, 34, 50, 1, 1, 4]);
  const total = countTickets(entries);
  const wins = new Map<number, number>();
  const draws = 100_000;
  const root = Buffer.from(computeEntriesRoot(entries), 'hex');
  const owner = entries.flatMap(({ tickets }, place) => Array.from({ length: tickets }, () => place));
  for (let draw = 0; draw < draws; draw += 1) {
    const key = Buffer.alloc(32);
    key.writeUInt32BE(draw);
    const [ticket = -1] = drawTicketIndexes(generateNumbers(key, root), total);
    const place = owner[ticket] ?? -1;
    wins.set(place, (wins.get(place) ?? 0) + 1);
  }
  let chiSquare = 0;
  for (const [place, { tickets }] of entries.entries()) {
    const expected = (draws * tickets) / total;
    chiSquare += ((wins.get(place) ?? 0) - expected) ** 2 / expected;
  }
  // 11 degrees of freedom, p = 0.01.
  expect(chiSquare).toBeLessThan(24.725);
});

test('the winner of a whole draw is the owner of the stream’s first ticket', () => {
  const entries = numbered([7, 1, 12, 30, 2, 2]);
  const root = computeEntriesRoot(entries);
  const owner = ownersOf(entries);
  for (let draw = 0; draw < 300; draw += 1) {
    const key = hashOf(`draw ${draw}`);
    const [ticket = -1] = drawTicketIndexes(generateNumbers(Buffer.from(key, 'hex'), Buffer.from(root, 'hex')), countTickets(entries));
    expect(pickEntries(entries, key, root)[0]).toEqual({ entryId: owner[ticket], ticketIndex: ticket });
  }
});

test.each([3, 2 ** 20 + 1, 2 ** 32 + 1, 2 ** 52 + 1])('the remainder of 2^64 favours none of %i tickets', (total) => {
  const limit = countUsableNumbers(total);
  expect(limit % BigInt(total)).toBe(0n);
  expect(2n ** 64n - limit < BigInt(total)).toBe(true);
  const tickets = drawTicketIndexes([0n, limit - 1n, limit, limit + 1n, 2n ** 64n - 1n, 1n], total);
  expect([...tickets]).toEqual([0, total - 1, 1]);
});

test('uses every number when the tickets divide 2^64', () => {
  expect([...drawTicketIndexes([2n ** 64n - 1n, 2n ** 63n], 1024)]).toEqual([1023, 0]);
});

test('a single entry wins without reserves, and no entries have no winner', () => {
  const one = numbered([3]);
  const picks = pickEntries(one, randomness, computeEntriesRoot(one));
  expect(picks.map(({ entryId }) => entryId)).toEqual([one[0]?.id]);
  expect(computeEntriesRoot(one)).toBe(createHash('sha256').update(Buffer.of(0)).update(`${one[0]?.id}:3`).digest('hex'));
  expect(pickEntries([], randomness, computeEntriesRoot([]))).toEqual([]);
  expect(computeEntriesRoot([])).toBe(hashOf(''));
});

test('rejects duplicate, unsorted, empty and invalid entries', () => {
  const [a, b] = ['0'.repeat(32), `${'0'.repeat(31)}1`] as [string, string];
  expect(findEntriesFault([{ id: a, tickets: 1 }, { id: b, tickets: 2 }])).toBeNull(); // prettier-ignore
  const fault = (...entries: [string, number][]) => findEntriesFault(entries.map(([id, tickets]) => ({ id, tickets })));
  expect(fault([a, 1], [a, 1])).toContain('twice');
  expect(fault([b, 1], [a, 1])).toContain('sorted');
  expect(fault([a, 0])).toContain('0 tickets');
  expect(fault([a, 1.5])).toContain('1.5 tickets');
  expect(fault([a, 2 ** 53])).toContain('tickets');
  expect(fault([a, 2 ** 53 - 1], [b, 1])).toContain('counted exactly');
  for (const id of ['', 'A'.repeat(32), 'a'.repeat(31), `${a}0`]) expect(fault([id, 1])).toContain('is not an entry id');
  expect(() => sortEntries([{ id: a, tickets: 1 }, { id: a, tickets: 1 }])).toThrow('twice'); // prettier-ignore
});

test('rejects randomness and roots that are not 32 bytes', () => {
  const root = computeEntriesRoot(numbered([1, 2]));
  for (const wrong of ['', randomness.slice(2), `${randomness}00`, randomness.toUpperCase()]) {
    expect(() => pickEntries(numbered([1, 2]), wrong, root)).toThrow('32 bytes');
    expect(() => pickEntries(numbered([1, 2]), randomness, wrong)).toThrow('32 bytes');
  }
});

test('gives up on entries too uneven to draw from', () => {
  const uneven = sortEntries([{ id: '0'.repeat(32), tickets: 2 ** 52 }, { id: 'f'.repeat(32), tickets: 1 }]); // prettier-ignore
  expect(() => pickEntries(uneven, randomness, computeEntriesRoot(uneven))).toThrow('too uneven');
});

test('verifies the path of every entry to the root', () => {
  for (const size of [1, 2, 3, 7, 8, 13]) {
    const entries = numbered(Array.from({ length: size }, (_, index) => index + 1));
    const root = Buffer.from(computeEntriesRoot(entries), 'hex');
    const levels = buildEntryLevels(entries);
    for (const [index, entry] of entries.entries()) {
      const path = buildMerklePath(levels, index).map((hash) => Buffer.from(hash, 'hex'));
      expect(verifyInclusion({ leaf: hashEntry(entry), index, size, path, root }), `${index} of ${size}`).toBe(true);
    }
  }
});
