import { expect, test } from 'vitest';
import { monthColumns, monthsSummary, shortMonth, sourceBars, sourcesSummary } from './referral-charts.tsx';

test('a column is named by its month', () => {
  expect(shortMonth('2026-11')).toBe('Nov');
});

const months = [
  { month: '2026-09', referrals: 0, converted: 0 },
  { month: '2026-10', referrals: 8, converted: 2 },
  { month: '2026-11', referrals: 3, converted: 3 },
];

test('a column is as high as its month had referrals, and as full as they were converted', () => {
  expect(monthColumns(months)).toEqual({
    top: 10,
    columns: [
      { ...months[0], height: 0, convertedShare: 0 },
      { ...months[1], height: 80, convertedShare: 25 },
      { ...months[2], height: 30, convertedShare: 100 },
    ],
  });
});

test('a conversion of a month in which nobody signed up fills no column beyond its end', () => {
  expect(monthColumns([{ month: '2026-11', referrals: 1, converted: 3 }]).columns[0]?.convertedShare).toBe(100);
  expect(monthColumns([]).top).toBe(4);
});

test('the months in words say how many there were and when most', () => {
  expect(monthsSummary(months)).toBe('11 referrals in 3 months, 5 of them converted, most in October 2026: 8.');
  expect(monthsSummary([{ month: '2026-11', referrals: 0, converted: 0 }])).toBe('0 referrals in 1 month, 0 of them converted.');
});

test('the longest bar is the source of most tickets, and the others are measured by it', () => {
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
