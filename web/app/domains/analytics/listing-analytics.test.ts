import { expect, test } from 'vitest';
import { describeChart, isNothing, formatLongDay, formatShortDay } from './listing-analytics.tsx';

test('writes a day the same in any time zone', () => {
  expect([formatShortDay('2027-03-01'), formatLongDay('2027-03-01')]).toEqual(['Mar 1', 'Mon, Mar 1, 2027']);
});

const nothing = { views: 0, visitors: 0, saves: 0, messages: 0, numbersShown: 0 };
const analyticsOf = (views: readonly number[]) => ({
  timeZone: 'Pacific/Auckland',
  days: views.map((count, at) => ({ ...nothing, day: `2027-03-0${at + 1}`, views: count })),
  total: { ...nothing, views: views.reduce((sum, one) => sum + one, 0) },
  before: nothing,
  quotes: { sent: 0, accepted: 0, declined: 0, expired: 0, reasons: [] },
});

test('summarises a chart: the total and the highest day', () => {
  const views = { kind: 'views', one: 'view' } as const;
  expect(describeChart(analyticsOf([3, 1_200, 5]), views)).toBe('1,208 views in 3 days, most on Tue, Mar 2, 2027: 1,200.');
  expect(describeChart(analyticsOf([0, 0, 0]), views)).toBe('0 views in 3 days.');
});

test('shows nothing without metrics now and before', () => {
  expect(isNothing(analyticsOf([0]))).toBe(true);
  expect(isNothing(analyticsOf([1]))).toBe(false);
  expect(isNothing({ ...analyticsOf([0]), before: { ...nothing, messages: 1 } })).toBe(false);
  expect(isNothing({ ...analyticsOf([0]), quotes: { sent: 1, accepted: 0, declined: 0, expired: 0, reasons: [] } })).toBe(false);
});
