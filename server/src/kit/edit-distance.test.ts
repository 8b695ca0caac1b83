import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getMaxEditDistance, computeEditDistance } from './edit-distance.ts';

test.each([
  ['plubmer', 'plumber', 1],
  ['plumer', 'plumber', 1],
  ['elctricain', 'electrician', 2],
  ['roof', 'roof', 0],
  ['', 'abc', 3],
])('the distance of %s and %s is %i', (typed, meant, errors) => {
  expect(computeEditDistance(typed, meant)).toBe(errors);
});

test('the distance is symmetric, and 0 for equal words only', () => {
  const word = fc.string({ minLength: 0, maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(computeEditDistance(one, other)).toBe(computeEditDistance(other, one));
      expect(computeEditDistance(one, other) === 0).toBe(one === other);
      expect(computeEditDistance(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
    }),
  );
});

test('allows more errors in long words than in short ones', () => {
  expect([3, 4, 5, 6, 12].map((length) => getMaxEditDistance('x'.repeat(length)))).toEqual([0, 1, 1, 2, 2]);
});
