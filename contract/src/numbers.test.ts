import { expect, test } from 'vitest';
import { count, counted, formatTotal, inWords, totalOfListings, withDecimals } from './numbers.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [-1_000, '-1,000'],
  [-999, '-999'],
  [12_345_678, '12,345,678'],
])('%d is written %s', (value, text) => {
  expect(count(value)).toBe(text);
});

test('formats numbers as in New Zealand, with and without decimals', () => {
  const plain = new Intl.NumberFormat('en-NZ');
  const cents = new Intl.NumberFormat('en-NZ', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  // Across all lengths, by steps that share no factor with ten.
  for (let minor = 1; minor < 1e12; minor = Math.ceil(minor * 1.37) + 7) {
    expect(count(minor)).toBe(plain.format(minor));
    expect(withDecimals(minor / 100, 2)).toBe(cents.format(minor / 100));
    expect(withDecimals(-minor / 100, 2)).toBe(cents.format(-minor / 100));
  }
});

test('uses the singular for one only', () => {
  expect(counted(1, 'review')).toBe('1 review');
  expect(counted(0, 'review')).toBe('0 reviews');
  expect(counted(1_234, 'entry', 'entries')).toBe('1,234 entries');
});

test('writes numbers up to twelve in words, and greater ones in figures', () => {
  expect([0, 1, 3, 10, 12, 13, 1_000].map(inWords)).toEqual(['no', 'one', 'three', 'ten', 'twelve', '13', '1,000']);
});

test('a total says whether it is exact', () => {
  expect([formatTotal(24), formatTotal(1_000, true), formatTotal(1_000, false)]).toEqual(['24', '1,000', '1,000+']);
  expect([totalOfListings(24), totalOfListings(1), totalOfListings(1_000, false), totalOfListings(null)]).toEqual([
    '24 listings',
    '1 listing',
    '1,000+ listings',
    'Listings',
  ]);
});
