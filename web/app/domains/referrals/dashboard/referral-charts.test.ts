import { expect, test } from 'vitest';
import { monthColumns, monthsSummary, shortMonth, sourceBars, sourcesSummary } from './referral-charts.tsx';

test('labels a column with its month', () => {
  expect(shortMonth('2026-11')).toBe('Nov');
});

const months = [
  { month: '2026-09', referrals: 0, converted: 0 },
  { month: '2026-10', referrals: 8, converted: 2 },
  { month: '2026-11', referrals: 3, converted: 3 },
];

test('sizes a column by its referrals, filled by its conversions', () => {
  expect(monthColumns(months)).toEqual({
    top: 10,
    columns: [
      { ...months[0], height: 0, convertedShare: 0 },
      { ...months[1], height: 80, convertedShare: 25 },
      { ...months[2], height: 30, convertedShare: 100 },
    ],
  });
});

test('caps the fill of a month with more conversions than referrals', () => {
  expect(monthColumns([{ month: '2026-11', referrals: 1, converted: 3 }]).columns[0]?.convertedShare).toBe(100);
  expect(monthColumns([]).top).toBe(4);
});

test('summarises the months with the total and the best one', () => {
  expect(monthsSummary(months)).toBe('11 referrals in 3 months, 5 of them converted, most in October 2026: 8.');
  expect(monthsSummary([{ month: '2026-11', referrals: 0, converted: 0 }])).toBe('0 referrals in 1 month, 0 of them converted.');
});

test('scales bars by the source with most tickets', () => {
  const entries = { signup: 2, listing: 10, referral: 5, other: 0 };
  expect(sourceBars(entries).map(({ name, tickets, length }) => [name, tickets, length])).toEqual([
    ['Signup', 2, 20],
    ['Listings', 10, 100],
    ['Referrals', 5, 50],
    ['Other', 0, 0],
  ]);
  expect(sourcesSummary(entries)).toBe('Signup 2, Listings 10, Referrals 5, Other 0.');
  expect(sourceBars({ signup: 0, listing: 0, referral: 0, other: 0 }).every(({ length }) => length === 0)).toBe(true);
});
