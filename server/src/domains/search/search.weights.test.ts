import { expect, test } from 'vitest';
import { weightOf } from './search.weights.ts';

test.each([
  [undefined, 1],
  ['', 1],
  ['   ', 1],
  ['plumber', 1],
  ['plumber hamilton east side', 1],
  ['plumber hamilton east side now', 2],
  ['abc', 1],
  ['ab', 4],
  ['a', 4],
  ['plumber a', 4],
  [Array.from({ length: 40 }, () => 'word').join(' '), 10],
  [` ${Array.from({ length: 40 }, () => 'a').join('  ')} `, 13],
])('a search for %j weighs %i', (text, weight) => {
  expect(weightOf(text)).toBe(weight);
});
