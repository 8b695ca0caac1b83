import { expect, test } from 'vitest';
import { changeText, chartSummary, isNothing, lineOf, longDay, scaleTop, shortDay } from './figures-view.ts';

test.each([
  [0, 0, 'None in the 30 days before either'],
  [7, 0, 'None in the 30 days before'],
  [45, 45, 'As many as in the 30 days before'],
  [51, 45, '13% more than in the 30 days before (45)'],
  [0, 45, '100% fewer than in the 30 days before (45)'],
  [2_001, 2_000, 'About as many as in the 30 days before (2,000)'],
  [1_010, 1_000, '1% more than in the 30 days before (1,000)'],
  [45_000, 45, '99,900% more than in the 30 days before (45)'],
])('%i after %i reads: %s', (now, before, said) => {
  expect(changeText(now, before, 30)).toBe(said);
});

test.each([
  [0, 4],
  [4, 4],
  [5, 10],
  [11, 20],
  [20, 20],
  [21, 40],
  [41, 100],
  [101, 200],
  [12_345, 20_000],
])('a scale for %i ends at %i', (highest, top) => {
  expect(scaleTop(highest)).toBe(top);
});

test('a day is written the same wherever it is read', () => {
  expect([shortDay('2027-03-01'), longDay('2027-03-01')]).toEqual(['Mar 1', 'Mon, Mar 1']);
});

const nothing = { views: 0, visitors: 0, saves: 0, messages: 0 };
const figuresOf = (views: readonly number[]) => ({
  timeZone: 'Pacific/Auckland',
  days: views.map((count, at) => ({ ...nothing, day: `2027-03-0${at + 1}`, views: count })),
  total: { ...nothing, views: views.reduce((sum, one) => sum + one, 0) },
  before: nothing,
});

test('the chart in words says how much there was and when most', () => {
  const views = { kind: 'views', one: 'view' } as const;
  expect(chartSummary(figuresOf([3, 1_200, 5]), views)).toBe('1,208 views in 3 days, most on Tue, Mar 2: 1,200.');
  expect(chartSummary(figuresOf([0, 0, 0]), views)).toBe('0 views in 3 days.');
});

test('there is nothing to show where there was nothing before either', () => {
  expect(isNothing(figuresOf([0]))).toBe(true);
  expect(isNothing(figuresOf([1]))).toBe(false);
  expect(isNothing({ ...figuresOf([0]), before: { ...nothing, messages: 1 } })).toBe(false);
});

test('a card says views, saves and messages in one line', () => {
  expect(lineOf({ views: 1_200, visitors: 3, saves: 1, messages: 0 })).toBe('1,200 views · 1 save · 0 messages');
});
