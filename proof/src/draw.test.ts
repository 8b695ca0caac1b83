import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Entry,
  entryLeaf,
  faultOfEntries,
  levelsOfEntries,
  numbersOf,
  pathInLevels,
  pickEntries,
  rootOfEntries,
  sortEntries,
  ticketsOf,
  totalOf,
  usableNumbers,
} from './draw.ts';
import vectors from './testing/draw-vectors.json' with { type: 'json' };
import { verifyInclusion } from './tree.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
/** Entries with ids of their own, uneven in tickets. */
const numbered = (tickets: number[]): Entry[] =>
  sortEntries(tickets.map((count, index) => ({ id: hashOf(`entry ${index}`).slice(0, 32), tickets: count })));
/** Whose each ticket is. */
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
    expect(rootOfEntries(sorted)).toBe(root);
    expect(totalOf(sorted)).toBe(totalTickets);
    expect(pickEntries(sorted, randomness, root)).toEqual([winner, ...reserves]);
  },
);

test('the stream is HMAC-SHA256 over the root and a counter, its first eight bytes read from the left', () => {
  const [key, root] = [Buffer.from(hashOf('key'), 'hex'), Buffer.from(hashOf('root'), 'hex')];
  const numbers = numbersOf(key, root);
  for (let k = 0; k < 300; k += 1) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(k));
    const digest = createHmac('sha256', key).update(root).update(counter).digest();
    expect(numbers.next().value, `number ${k}`).toBe(digest.readBigUInt64BE(0));
  }
});

test('the order in which entries are given changes nothing', () => {
  fc.assert(
    fc.property(
      someEntries.chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))),
      ([entries, shuffled]) => {
        const [one, other] = [sortEntries(entries), sortEntries(shuffled)];
        expect(other).toEqual(one);
        expect(pickEntries(other, randomness, rootOfEntries(other))).toEqual(pickEntries(one, randomness, rootOfEntries(one)));
      },
    ),
    { numRuns: 100, seed: 1 },
  );
});

test('winner and reserves are different entries, each with a ticket of its own, ten reserves at most and everybody where there are fewer', () => {
  fc.assert(
    fc.property(someEntries, (entries) => {
      const sorted = sortEntries(entries);
      const picks = pickEntries(sorted, randomness, rootOfEntries(sorted));
      expect(new Set(picks.map(({ entryId }) => entryId)).size).toBe(Math.min(11, sorted.length));
      expect(picks).toHaveLength(Math.min(11, sorted.length));
      const owner = ownersOf(sorted);
      for (const { entryId, ticketIndex } of picks) expect(owner[ticketIndex]).toBe(entryId);
    }),
    { numRuns: 100, seed: 2 },
  );
});

test('who has more tickets wins more often, exactly in proportion: χ² over 100,000 draws', () => {
  const entries = numbered([1, 2, 3, 5, 8, 13, 21, 34, 50, 1, 1, 4]);
  const total = totalOf(entries);
  const wins = new Map<number, number>();
  const draws = 100_000;
  const root = Buffer.from(rootOfEntries(entries), 'hex');
  const owner = entries.flatMap(({ tickets }, place) => Array.from({ length: tickets }, () => place));
  for (let draw = 0; draw < draws; draw += 1) {
    const key = Buffer.alloc(32);
    key.writeUInt32BE(draw);
    const [ticket = -1] = ticketsOf(numbersOf(key, root), total);
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
  const root = rootOfEntries(entries);
  const owner = ownersOf(entries);
  for (let draw = 0; draw < 300; draw += 1) {
    const key = hashOf(`draw ${draw}`);
    const [ticket = -1] = ticketsOf(numbersOf(Buffer.from(key, 'hex'), Buffer.from(root, 'hex')), totalOf(entries));
    expect(pickEntries(entries, key, root)[0]).toEqual({ entryId: owner[ticket], ticketIndex: ticket });
  }
});

test.each([3, 2 ** 20 + 1, 2 ** 32 + 1, 2 ** 52 + 1])('of %i tickets none is favoured by the rest that 2^64 leaves', (total) => {
  const limit = usableNumbers(total);
  expect(limit % BigInt(total)).toBe(0n);
  expect(2n ** 64n - limit < BigInt(total)).toBe(true);
  const tickets = ticketsOf([0n, limit - 1n, limit, limit + 1n, 2n ** 64n - 1n, 1n], total);
  expect([...tickets]).toEqual([0, total - 1, 1]);
});

test('every number is used where tickets divide 2^64', () => {
  expect([...ticketsOf([2n ** 64n - 1n, 2n ** 63n], 1024)]).toEqual([1023, 0]);
});

test('one entry always wins and has no reserve; of no entries nobody wins', () => {
  const one = numbered([3]);
  const picks = pickEntries(one, randomness, rootOfEntries(one));
  expect(picks.map(({ entryId }) => entryId)).toEqual([one[0]?.id]);
  expect(rootOfEntries(one)).toBe(createHash('sha256').update(Buffer.of(0)).update(`${one[0]?.id}:3`).digest('hex'));
  expect(pickEntries([], randomness, rootOfEntries([]))).toEqual([]);
  expect(rootOfEntries([])).toBe(hashOf(''));
});

test('entries are refused where they are doubled, unsorted, without tickets or none at all', () => {
  const [a, b] = ['0'.repeat(32), `${'0'.repeat(31)}1`] as [string, string];
  expect(faultOfEntries([{ id: a, tickets: 1 }, { id: b, tickets: 2 }])).toBeNull(); // prettier-ignore
  const fault = (...entries: [string, number][]) => faultOfEntries(entries.map(([id, tickets]) => ({ id, tickets })));
  expect(fault([a, 1], [a, 1])).toContain('twice');
  expect(fault([b, 1], [a, 1])).toContain('sorted');
  expect(fault([a, 0])).toContain('0 tickets');
  expect(fault([a, 1.5])).toContain('1.5 tickets');
  expect(fault([a, 2 ** 53])).toContain('tickets');
  expect(fault([a, 2 ** 53 - 1], [b, 1])).toContain('counted exactly');
  for (const id of ['', 'A'.repeat(32), 'a'.repeat(31), `${a}0`]) expect(fault([id, 1])).toContain('no entry id');
  expect(() => sortEntries([{ id: a, tickets: 1 }, { id: a, tickets: 1 }])).toThrow('twice'); // prettier-ignore
});

test('randomness and root are taken as 32 bytes and nothing else', () => {
  const root = rootOfEntries(numbered([1, 2]));
  for (const wrong of ['', randomness.slice(2), `${randomness}00`, randomness.toUpperCase()]) {
    expect(() => pickEntries(numbered([1, 2]), wrong, root)).toThrow('32 bytes');
    expect(() => pickEntries(numbered([1, 2]), randomness, wrong)).toThrow('32 bytes');
  }
});

test('a file that nobody could draw from is given up instead of searched for ever', () => {
  const uneven = sortEntries([{ id: '0'.repeat(32), tickets: 2 ** 52 }, { id: 'f'.repeat(32), tickets: 1 }]); // prettier-ignore
  expect(() => pickEntries(uneven, randomness, rootOfEntries(uneven))).toThrow('too uneven');
});

test('every entry has its path to the root', () => {
  for (const size of [1, 2, 3, 7, 8, 13]) {
    const entries = numbered(Array.from({ length: size }, (_, index) => index + 1));
    const root = Buffer.from(rootOfEntries(entries), 'hex');
    const levels = levelsOfEntries(entries);
    for (const [index, entry] of entries.entries()) {
      const path = pathInLevels(levels, index).map((hash) => Buffer.from(hash, 'hex'));
      expect(verifyInclusion({ leaf: entryLeaf(entry), index, size, path, root }), `${index} of ${size}`).toBe(true);
    }
  }
});
