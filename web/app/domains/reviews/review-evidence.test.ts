import { expect, test } from 'vitest';
import { evidenceText, spanText } from './review-evidence.ts';

const minute = 60_000;
const hour = 60 * minute;

test.each([
  [0, '1 minute'],
  [80_000, '1 minute'],
  [100_000, '2 minutes'],
  [59.4 * minute, '59 minutes'],
  [59.6 * minute, '1 hour'],
  [89 * minute, '1 hour'],
  [2 * hour, '2 hours'],
  [23.4 * hour, '23 hours'],
  [23.6 * hour, '1 day'],
  [60 * hour, '3 days'],
])('an answer after %d milliseconds took %s', (ms, words) => {
  expect(spanText(ms)).toBe(words);
});

test('a review says when its author wrote to the business, by the clocks of its region, and how fast it answered', () => {
  // Midnight has passed in Auckland, not in Perth.
  const messagedAt = '2026-03-12T11:30:00.000Z';
  expect(evidenceText({ messagedAt, answeredAt: '2026-03-12T13:25:00.000Z' }, 'Pacific/Auckland')).toBe(
    'Messaged here on Mar 13, 2026, answered in 2 hours',
  );
  expect(evidenceText({ messagedAt, answeredAt: null }, 'Australia/Perth')).toBe('Messaged here on Mar 12, 2026, no answer yet');
});

test('a review without a conversation says so', () => {
  expect(evidenceText(null, 'Pacific/Auckland')).toBe('No contact through Handwise');
});
