import { expect, test } from 'vitest';
import { shouldWalk, wordCount, wordQuery } from './search.planner.ts';

test('a search query holds one group for each word and one token for each facet', () => {
  expect(
    wordQuery([['roof', 'roofing'], ['taupo']], { place: { level: 'region', code: 3 }, category: { level: 'sub', codes: [201, 301] } })
      .text,
  ).toBe("('roof'|'roofing')&('taupo')&'region:3'&('sub:201'|'sub:301')");
});

test('common words are walked to, rare ones fetched and sorted', () => {
  expect(shouldWalk(300_000, 3_000_000, 0, 20)).toBe(true);
  expect(shouldWalk(50, 3_000_000, 0, 20)).toBe(false);
  expect(shouldWalk(0, 3_000_000, 0, 20)).toBe(false);
});

test('a group of more words than a query bears is looked up word by word, the others stand in it', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `roof${index}`);
  const { text, wide } = wordQuery([words(33), words(32)], {});
  expect(wide).toEqual([words(33)]);
  expect(text.split('|')).toHaveLength(32);
});

test('walking costs what it skips, and pays while that is less than to fetch what matches', () => {
  // 20 rows of which each tenth matches: 200 are read.
  expect(shouldWalk(1_000, 10_000, 0, 20)).toBe(true);
  expect(shouldWalk(1_000, 10_000, 80, 20)).toBe(false);
  // Never more than 20,000, and up to 200 for few matches.
  expect(shouldWalk(100_000, 1_000_000, 1_979, 20)).toBe(true);
  expect(shouldWalk(100_000, 1_000_000, 1_980, 20)).toBe(false);
  expect(shouldWalk(10, 90, 0, 20)).toBe(true);
  expect(shouldWalk(10, 100, 0, 20)).toBe(false);
});

test('one word is counted by region and group, without what has two of its words', () => {
  expect(wordCount([['roof', 'roofing']], { place: { level: 'region', code: 3 }, category: { level: 'group', code: 7 } })).toEqual({
    words: ['roof', 'roofing'],
    several: "(('roof'&'roofing'))&'region:3'&'category:7'",
    regionCodes: [3],
    categoryCodes: [7],
  });
  expect(wordCount([['roof']], {})).toEqual({ words: ['roof'], several: null, regionCodes: null, categoryCodes: null });
  expect(wordCount([['roof']], { place: { level: 'country', country: 'NZ' } })?.regionCodes).toHaveLength(16);
});

test.each([
  ['two words', [['roof'], ['taupo']], {}],
  ['a district', [['roof']], { place: { level: 'district', code: 306 } }],
  ['a sub-category', [['roof']], { category: { level: 'sub', codes: [601] } }],
  ['nine words', [['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']], {}],
] as const)('%s cannot be counted so', (_, groups, filter) => {
  expect(wordCount(groups, filter)).toBeNull();
});
