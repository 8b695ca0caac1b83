import { expect, test } from 'vitest';
import { bestScore } from './best-rating.ts';

test.each([
  // counts of 1 to 5 stars, average of the category, score
  [[0, 0, 0, 0, 0], 4.4, 4.4],
  [[0, 0, 0, 0, 1], 4.4, 4.5],
  [[0, 0, 0, 10, 35], 4.4, 4.74],
  [[1, 0, 0, 0, 0], 4, 3.5],
  [[1, 2, 3, 4, 5], 4, 3.75],
])('reviews of %j in a category with %d on average make a score of %d', (counts, mean, score) => {
  expect(bestScore(counts, mean)).toBeCloseTo(score, 10);
});

test('ranks forty-five good reviews above a single perfect one', () => {
  expect(bestScore([0, 0, 0, 10, 35], 4.4)).toBeGreaterThan(bestScore([0, 0, 0, 0, 1], 4.4));
});
