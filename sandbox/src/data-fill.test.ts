import { expect, test } from 'vitest';
import { readArguments } from './data-fill.ts';

test('rejects invalid arguments with a message', () => {
  expect(() => readArguments(['--listings', 'many'])).toThrow('whole number');
  expect(() => readArguments(['--listings', '10', '--reviews-per-listing', '-1'])).toThrow('reviews-per-listing');
  expect(readArguments(['--listings', '10'])).toEqual({
    listings: 10,
    reviewsPerListing: 0,
  });
});
