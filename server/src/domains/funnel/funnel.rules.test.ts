import { assert, array, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { hideSmall } from './funnel.rules.ts';

test.each([
  [[], []],
  [
    [0, 5, 12],
    [0, 5, 12],
  ],
  // One small number alone could be worked out from the sum.
  [
    [4, 30, 9, 0],
    [null, 30, null, 0],
  ],
  // Two small ones with a small sum as well.
  [
    [1, 1, 20, 8],
    [null, null, 20, null],
  ],
  [
    [4, 3, 4, 8],
    [null, null, null, 8],
  ],
  // Zeros are hidden last.
  [
    [2, 0, 0],
    [null, null, null],
  ],
  [[3], [null]],
])('of %j shows %j', (numbers, shown) => {
  expect(hideSmall(numbers)).toEqual(shown);
});

test('shows no number from 1 to 4, and hides none or at least two that sum to ten, unless there are no more', () => {
  assert(
    property(array(integer({ min: 0, max: 30 }), { maxLength: 20 }), (numbers) => {
      const shown = hideSmall(numbers);
      expect(shown.map((value, at) => value ?? numbers[at])).toEqual(numbers);
      for (const value of shown) expect([1, 2, 3, 4]).not.toContain(value);
      const hidden = numbers.filter((_, at) => shown[at] === null);
      expect(hidden.length > 0).toBe(numbers.some((value) => value > 0 && value < 5));
      const sum = hidden.reduce((total, value) => total + value, 0);
      expect([0, numbers.length].includes(hidden.length) || (hidden.length >= 2 && sum >= 10)).toBe(true);
    }),
  );
});
