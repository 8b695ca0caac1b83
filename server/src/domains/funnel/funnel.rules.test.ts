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
  // Small ones alone could be all four.
  [
    [4, 4, 4, 20, 8],
    [null, null, null, 20, null],
  ],
  // The smallest of the others would be at most as large as the shown one.
  [
    [6, 7, 4],
    [6, null, null],
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

/** All columns of so many numbers with a sum from 5 to `most`. */
function* listColumns(length: number, most: number): Generator<number[]> {
  if (length === 0) return yield [];
  for (const rest of listColumns(length - 1, most)) {
    for (let last = 0; last <= most - rest.reduce((sum, one) => sum + one, 0); last += 1) yield [...rest, last];
  }
  return undefined;
}

test.each([
  [2, 60],
  [3, 40],
  [4, 24],
])('no number from 1 to 4 of %i follows from the shown ones, the sum and the rule', (length, most) => {
  const possible = new Map<string, Set<number>[]>();
  for (const numbers of listColumns(length, most)) {
    const sum = numbers.reduce((total, one) => total + one, 0);
    if (sum < 5) continue;
    const seen = JSON.stringify([sum, hideSmall(numbers)]);
    const sets = possible.get(seen) ?? numbers.map(() => new Set<number>());
    possible.set(seen, sets);
    for (const [at, number] of numbers.entries()) sets[at]?.add(number);
  }
  const certain = [...possible].filter(([, sets]) => sets.some((set) => set.size === 1 && [1, 2, 3, 4].includes([...set][0] ?? 0)));
  expect(certain.map(([seen]) => seen)).toEqual([]);
});
