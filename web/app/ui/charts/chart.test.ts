import { expect, test } from 'vitest';
import { getScaleTop } from './chart.tsx';

test.each([
  [0, 4],
  [4, 4],
  [5, 10],
  [11, 20],
  [20, 20],
  [21, 40],
  [41, 100],
  [101, 200],
  [12_345, 20_000],
])('a scale for %i ends at %i', (highest, top) => {
  expect(getScaleTop(highest)).toBe(top);
});
