import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { claimFailure, formatWonDate, formatWonPrize } from './claim-view.ts';

test('shows the prize with its currency once the account is known', () => {
  expect(formatWonPrize({ prizeAmount: 1000, currency: 'NZD', paymentStatus: 'pending' })).toBe('$1,000');
  expect(formatWonPrize({ prizeAmount: 2500, currency: 'AUD', paymentStatus: 'claimed' })).toBe('$2,500 AUD');
});

test('names a draw by its day, or by its month if the day is unknown', () => {
  expect(formatWonDate({ drawDate: '2026-10-31T10:30:00Z', month: 9, year: 2026 })).toBe('Oct 31, 2026');
  expect(formatWonDate({ drawDate: '', month: 9, year: 2026 })).toBe('October 2026');
});

test("shows the server's message for refusals, and a general one for failures", () => {
  const late = new ApiError(409, 'claim_too_late', 'The time to claim this prize has passed.');
  expect(claimFailure(late)).toBe(late);
  for (const broken of [
    new ApiError(500, 'internal', 'An unexpected error occurred'),
    new ApiError(0, 'network', 'Network Error'),
    new Error('x'),
  ])
    expect(claimFailure(broken)).toMatchObject({ message: 'Error submitting payment details' });
});
