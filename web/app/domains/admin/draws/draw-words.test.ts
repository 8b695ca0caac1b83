import { expect, test } from 'vitest';
import { deedsFor, monthOf, periodOf, prizeOf, statusText, winnerName } from './draw-words.ts';

const winner = { userId: { _id: 'one', fullName: 'Mere Kahu', email: 'mere@example.org' }, entries: 5, entryId: 'aa' };

test('the months of administrators count from 0, those of addresses from 1', () => {
  expect(monthOf({ year: 2026, month: 10 })).toBe('November 2026');
  expect(periodOf({ year: 2026, month: 10 })).toBe('2026-11');
  expect(periodOf({ year: 2027, month: 0 })).toBe('2027-01');
});

test('the prize has its currency once that is known', () => {
  expect(prizeOf({ prizeAmount: 1000, currency: null })).toBe('$1,000');
  expect(prizeOf({ prizeAmount: 1000, currency: 'AUD' })).toBe('$1,000 AUD');
});

test('a draw that was not run says when it will be', () => {
  expect(statusText({ status: 'pending', waiting: null, outcome: null })).toBe('Pending - Scheduled for end of month');
});

test('a draw that waits counts the seconds, and says when the round is late', () => {
  const waiting = { round: 7, expectedAt: '2026-11-30T10:35:00Z', seconds: 12, late: false };
  const text = (change: Partial<typeof waiting>) => statusText({ status: 'waiting', waiting: { ...waiting, ...change }, outcome: null });
  expect(text({})).toBe('Waiting for public randomness, ready in about 12 seconds');
  expect(text({ seconds: 0 })).toBe('Waiting for public randomness, ready in about 1 second');
  expect(text({ late: true })).toContain('late');
});

test.each([
  ['drawn', 'Completed'],
  ['no_entries', 'Completed, nobody took part'],
  ['not_awarded', 'Completed, not awarded'],
] as const)('a draw that is over (%s) says how it ended', (outcome, text) => {
  expect(statusText({ status: 'completed', waiting: null, outcome })).toBe(text);
});

test('a winner who has left is unknown, and no winner is nobody', () => {
  expect(winnerName({ winner })).toBe('Mere Kahu');
  expect(winnerName({ winner: { ...winner, userId: null } })).toBe('Unknown User');
  expect(winnerName({ winner: null })).toBeNull();
});

test.each([
  ['pending', { pay: false, look: false, strike: true }],
  ['claimed', { pay: true, look: true, strike: true }],
  ['paid', { pay: false, look: false, strike: false }],
] as const)('with a prize that is %s one can do what its state allows', (paymentStatus, deeds) => {
  expect(deedsFor({ winner, paymentStatus })).toEqual(deeds);
});

test('without a winner there is nobody to pay, to look at or to strike', () => {
  expect(deedsFor({ winner: null, paymentStatus: 'claimed' })).toEqual({ pay: false, look: false, strike: false });
});
