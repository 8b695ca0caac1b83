import { expect, test } from 'vitest';
import {
  canSwap,
  formatDrawDate,
  entryLabel,
  entryState,
  formatReferralMonth,
  formatReferralPeriod,
  referralState,
  formatReward,
  formatVoid,
} from './referral-view.ts';

test.each([
  ['pending', 'Pending', 'waits'],
  ['converted', 'Converted', 'counts'],
  ['refused', 'Refused', 'none'],
  ['expired', 'Expired', 'none'],
])('shows a %s referral as %s in tone %s', (status, name, tone) => {
  expect(referralState(status)).toEqual({ name, tone });
});

test.each([
  ['active', 'Active', 'counts'],
  ['drawn', 'Drawn', 'none'],
  ['void', 'Void', 'none'],
] as const)('shows an %s entry as %s in tone %s', (status, name, tone) => {
  expect(entryState({ status })).toEqual({ name, tone });
});

test.each([
  ['free_month', 'Free Month'],
  ['draw_entries', 'Draw Entries'],
  ['a hamper', 'a hamper'],
  [null, 'Pending'],
])('labels reward %j as %j', (rewardType, text) => {
  expect(formatReward(rewardType)).toBe(text);
});

test('allows swapping tickets until the draw closes, if there are any', () => {
  const swapUntil = '2026-11-30T10:30:00.000Z';
  expect(canSwap({ swapUntil }, Date.parse(swapUntil) - 1)).toBe(true);
  expect(canSwap({ swapUntil }, Date.parse(swapUntil))).toBe(false);
  expect(canSwap({ swapUntil: null }, 0)).toBe(false);
});

test.each([
  ['signup', 'User Signup'],
  ['referral', 'Successful Referral'],
  ['listing', 'Listing Created'],
  ['other', 'Entry'],
  ['unheard of', 'Entry'],
])('labels an entry from %s as %s', (source, label) => {
  expect(entryLabel(source)).toBe(label);
});

test('says why an entry is void', () => {
  expect(formatVoid('swapped')).toBe('Swapped for a free month');
  expect(formatVoid(null)).toBeNull();
});

test.each([
  [{ drawDate: '2026-11-30T10:30:00.000Z', month: 0, year: 2020 }, 'Nov 30, 2026'],
  [{ drawDate: 'soon', month: 10, year: 2026 }, 'November 2026'],
  [{ drawDate: null, month: 0, year: 2027 }, 'January 2027'],
  [{ month: 5 }, 'Date not available'],
  [{}, 'Date not available'],
])('the draw %j is on %s', (draw, text) => {
  expect(formatDrawDate(draw, 'Pacific/Auckland')).toBe(text);
});

test('formats months that count from 0', () => {
  expect([formatReferralMonth(2026, 0), formatReferralMonth(2026, 11)]).toEqual(['January 2026', 'December 2026']);
  expect([formatReferralPeriod({ year: 2026, month: 0 }), formatReferralPeriod({ year: 2026, month: 11 })]).toEqual(['2026-01', '2026-12']);
});
