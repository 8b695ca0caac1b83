import { expect, test } from 'vitest';
import { nearestTradeWord } from './search.spelling.ts';

test.each([
  ['plumer', 'plumber'],
  ['electrican', 'electrician'],
  ['tyler', 'tiler'],
  ['faint', undefined],
  ['tilrr', 'tiler'],
  ['xylophone', undefined],
  ['lwan', undefined],
])('the trade that %s is nearest to is %s: short words and first letters are as they are', (typed, meant) => {
  expect(nearestTradeWord(typed)).toBe(meant);
});
