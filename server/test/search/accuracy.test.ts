import { expect, test } from 'vitest';
import { measureReadings } from './accuracy.ts';
import { searches } from './searches.table.ts';

test('reads all of 200 typical searches as expected, except one misspelt town that resembles a suburb', () => {
  const { of, misses } = measureReadings();
  expect(of).toBeGreaterThanOrEqual(200);
  expect(misses).toEqual([expect.stringMatching(/^plumber paramatta: /)]);
});

test('the searches of the table are distinct', () => {
  expect(new Set(searches.map(({ market, q }) => `${market} ${q}`)).size).toBe(searches.length);
});
