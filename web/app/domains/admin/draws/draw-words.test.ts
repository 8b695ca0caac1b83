import { expect, test } from 'vitest';
import { listPrizeActions, formatDrawMonth, formatDrawPeriod, formatDrawPrize, formatDrawStatus, winnerName } from './draw-words.ts';

const winner = { userId: { _id: 'one', fullName: 'Mere Kahu', email: 'mere@example.org' }, entries: 5, entryId: 'aa' };

test('counts months from 0, and from 1 in URLs', () => {
  expect(formatDrawMonth({ year: 2026, month: 10 })).toBe('November 2026');
  expect(formatDrawPeriod({ year: 2026, month: 10 })).toBe('2026-11');
  expect(formatDrawPeriod({ year: 2027, month: 0 })).toBe('2027-01');
});

test("shows the prize's currency once it is known", () => {
  expect(formatDrawPrize({ prizeAmount: 1000, currency: null })).toBe('$1,000');
  expect(formatDrawPrize({ prizeAmount: 1000, currency: 'AUD' })).toBe('$1,000 AUD');
});

test('says when a pending draw will run', () => {
  expect(formatDrawStatus({ status: 'pending', waiting: null, outcome: null })).toBe('Pending - Scheduled for end of month');
});

test('shows the seconds until the round, and that it is late', () => {
  const waiting = { round: 7, expectedAt: '2026-11-30T10:35:00Z', seconds: 12, late: false };
  const text = (change: Partial<typeof waiting>) =>
    formatDrawStatus({ status: 'waiting', waiting: { ...waiting, ...change }, outcome: null });
  expect(text({})).toBe('Waiting for public randomness, ready in about 12 seconds');
  expect(text({ seconds: 0 })).toBe('Waiting for public randomness, ready in about 1 second');
  expect(text({ late: true })).toContain('late');
});

test.each([
  ['drawn', 'Completed'],
  ['no_entries', 'Completed, nobody took part'],
  ['not_awarded', 'Completed, not awarded'],
] as const)('a draw that is over (%s) says how it ended', (outcome, text) => {
  expect(formatDrawStatus({ status: 'completed', waiting: null, outcome })).toBe(text);
});

test('shows a deleted winner as unknown, and none as null', () => {
  expect(winnerName({ winner })).toBe('Mere Kahu');
  expect(winnerName({ winner: { ...winner, userId: null } })).toBe('Unknown User');
  expect(winnerName({ winner: null })).toBeNull();
});

test.each([
  ['pending', { pay: false, look: false, strike: true }],
  ['claimed', { pay: true, look: true, strike: true }],
  ['paid', { pay: false, look: false, strike: false }],
] as const)('with a prize that is %s one can do what its state allows', (paymentStatus, actions) => {
  expect(listPrizeActions({ winner, paymentStatus })).toEqual(actions);
});

test('offers no actions without a winner', () => {
  expect(listPrizeActions({ winner: null, paymentStatus: 'claimed' })).toEqual({ pay: false, look: false, strike: false });
});
