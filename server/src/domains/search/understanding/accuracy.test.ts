import { expect, test } from 'vitest';
import { accuracyOfReadings } from './accuracy.ts';
import { searches } from './searches.table.ts';

test('of two hundred searches as people type them each is read as it is meant, but for one town that is spelled like a suburb elsewhere', () => {
  const { of, misses } = accuracyOfReadings();
  expect(of).toBeGreaterThanOrEqual(200);
  expect(misses).toEqual([expect.stringMatching(/^plumber paramatta: /)]);
});

test('no search stands in the table twice', () => {
  expect(new Set(searches.map(({ market, q }) => `${market} ${q}`)).size).toBe(searches.length);
});
