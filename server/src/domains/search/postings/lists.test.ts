import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newBits, rowsOf as rowsIn, segmentRows, setBit } from './bits.ts';
import { facetKey, formKey } from './keys.ts';
import { takenBytes } from './kernels/room.ts';
import { addLists, listsOf } from './lists.ts';
import { fewestFirst, matchSegment, wordOf } from './matching.ts';
import { Pairs } from './reading/pairs.ts';
import { Segment } from './segment.ts';

const bytesOfBits = segmentRows / 8;
const kept = 72;

/** Lists of these keys with so many rows each, which differ from key to key. */
function made(sizes: ReadonlyMap<number, number>) {
  const rowsOf = (key: number) => Array.from({ length: sizes.get(key) ?? 0 }, (_, at) => (at * 7 + key * 501) % segmentRows);
  const pairs = new Pairs();
  for (const key of sizes.keys()) for (const row of rowsOf(key)) pairs.add(pairs.numberOf(key), row);
  return { lists: listsOf(pairs), rowsOf };
}

// Every ninth is a bit for each row, the others are too short for it.
const sizes = new Map(Array.from({ length: 60 }, (_, at) => [10 + at, at % 9 === 4 ? 4_500 : 150 + at * 10]));

test('the rows of a stretch of lists are told, however long it is, however often and whatever else is asked for between', () => {
  const { lists, rowsOf } = made(sizes);
  const end = fc.nat({ max: sizes.size });
  fc.assert(
    fc.property(end, end, fc.boolean(), (one, other, again) => {
      const [from, below] = [Math.min(one, other), Math.max(one, other)];
      for (let asked = 0; asked < (again ? 2 : 1); asked += 1) {
        // What was there stays there.
        const [bits, expected] = [newBits(), newBits()];
        for (const those of [bits, expected]) setBit(those, 12_345);
        addLists(lists, from, below, bits);
        for (const key of [...sizes.keys()].slice(from, below)) for (const row of rowsOf(key)) setBit(expected, row);
        expect(bits.every((word, at) => word === expected[at])).toBe(true);
      }
    }),
    { numRuns: 150, seed: 42 },
  );
  expect(lists.stretches.size).toBe(kept);
});

test('of long stretches the last 72 are kept, of short ones none, and with the segment their room is given back', () => {
  const bits = newBits();
  const { lists: few } = made(new Map([[1, 4_094]]));
  addLists(few, 0, 1, bits);
  expect(few.stretches.size).toBe(0);
  const before = takenBytes();
  const segment = new Segment(0);
  const { lists } = made(new Map(Array.from({ length: 100 }, (_, at) => [at + 1, 4_096])));
  segment.lists = lists;
  const without = takenBytes();
  const ask = (from: number, below = from + 1) => {
    addLists(lists, from, below, bits);
    return (takenBytes() - without) / bytesOfBits;
  };
  expect([ask(0), ask(0), ask(1), ask(0, 2)]).toEqual([1, 1, 2, 3]);
  for (let from = 2; from < kept - 1; from += 1) ask(from);
  const [first, second, ...others] = lists.stretches.keys();
  expect(ask(0)).toBe(kept);
  // The one that nobody has asked for longest goes.
  expect(ask(99)).toBe(kept);
  expect([...lists.stretches.keys()].slice(0, -1)).toEqual([...others, first]);
  expect(lists.stretches.has(second ?? -1)).toBe(false);
  // Beside them lies who is based around a point.
  segment.bases.around.set('somewhere', newBits());
  segment.giveBack();
  expect(takenBytes()).toBe(before);
});

test('of several words the one of fewest rows is looked for first', () => {
  const { lists } = made(
    new Map([
      [formKey(1, 1), 40],
      [formKey(1, 3), 500],
      [formKey(2, 2), 300],
      [formKey(3, 1), 4_200],
      [formKey(4, 2), 100],
      [formKey(5, 2), 20],
      [facetKey('category', 1), 200],
    ]),
  );
  const segment = new Segment(0);
  segment.lists = lists;
  const words = {
    twoFields: wordOf([1], [], 9),
    oneField: wordOf([2], [], 9),
    many: wordOf([3], [], 9),
    beginning: wordOf([], [], 9, { from: 4, to: 6 }),
    named: wordOf([5], [facetKey('category', 1)], 9),
    nobody: wordOf([8], [], 9),
  };
  const { twoFields, oneField, many, beginning, named, nobody } = words;
  expect(fewestFirst([many, oneField, beginning, twoFields, nobody, named], segment)).toEqual([
    nobody,
    beginning,
    named,
    oneField,
    twoFields,
    many,
  ]);
  segment.giveBack();
});

test('who has a facet is told, whether many have it or few, one of two will do, and whatever has changed since', () => {
  const [group, place, rare] = [21, 22, 23];
  const { lists, rowsOf } = made(
    new Map([
      [group, 5_000],
      [place, 6_000],
      [rare, 40],
    ]),
  );
  const segment = new Segment(0);
  segment.lists = lists;
  segment.active.fill(0xffff_ffff);
  const found = newBits();
  const match = (...facets: number[][]) => [matchSegment(segment, { words: [], facets, byWorth: false }, [found]), [...rowsIn(found)]];
  const inOrder = (rows: Iterable<number>) => {
    const all = [...new Set(rows)].toSorted((one, other) => one - other);
    return [all.length, all];
  };
  const shared = rowsOf(group).filter((row) => rowsOf(place).includes(row));
  expect(match([group])).toEqual(inOrder(rowsOf(group)));
  expect(match([rare])).toEqual(inOrder(rowsOf(rare)));
  expect(match([group, rare])).toEqual(inOrder([...rowsOf(group), ...rowsOf(rare)]));
  expect(match([rare, place, group])).toEqual(inOrder([rare, place, group].flatMap(rowsOf)));
  expect(match([group], [place])).toEqual(inOrder(shared));

  const [gone = 0, ...left] = rowsOf(group);
  const come = Array.from({ length: segmentRows }, (_, row) => row).find((row) => !left.includes(row) && row !== gone) ?? 0;
  segment.change(gone, null);
  segment.change(come, { row: come, rank: 1, evidence: 7, price: null, score: 0, radius: 0, cell: 0, keys: [group] });
  expect(match([group])).toEqual(inOrder([...left, come]));
  segment.giveBack();
});
