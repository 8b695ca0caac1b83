import { expect, test } from 'vitest';
import { categories } from '../listings/categories.ts';
import { describePrice, formatDollars, formatMiddleHalf, priceFactors } from './words.ts';

test.each([
  [6_750, '$68'],
  [2_000, '$20'],
  [1_999, '$19.99'],
  [1_900, '$19'],
  [123_449, '$1,234'],
])('shows %d cents as %s', (minor, text) => {
  expect(formatDollars(minor)).toBe(text);
});

test('names the middle half once if both ends are shown alike', () => {
  expect(formatMiddleHalf({ low: 8_000, high: 11_500 })).toBe('$80 to $115');
  expect(formatMiddleHalf({ low: 8_000, high: 8_040 })).toBe('$80');
});

test('describes a price with its sample, unit and currency', () => {
  expect(describePrice({ unit: 'square_metre', currency: 'AUD', sample: 1_204, low: 7_000, median: 9_500, high: 16_000 })).toBe(
    'Usually $70 to $160 per m² (AUD), typically $95 (1,204 listings).',
  );
});

test('says for every category what moves the price', () => {
  expect(Object.keys(priceFactors).toSorted()).toEqual(categories.map(({ slug }) => slug).toSorted());
});
