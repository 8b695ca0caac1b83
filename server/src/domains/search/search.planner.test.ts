import { expect, test } from 'vitest';
import { shouldWalk, wordQuery } from './search.planner.ts';

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
