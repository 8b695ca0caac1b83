import { expect, test } from 'vitest';
import { filled } from './card-outcome-view.ts';

test('of an address only what was filled in is sent', () => {
  expect(filled({ line1: '', city: 'Nelson', postal_code: '', country: 'NZ' })).toEqual({ city: 'Nelson', country: 'NZ' });
});
