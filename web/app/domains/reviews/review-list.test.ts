import { expect, test } from 'vitest';
import { createFirstShown, hasMore, withPage } from './review-list.tsx';
import type { ReviewView } from './review-view.ts';

const review = (number: number): ReviewView => ({
  id: `review ${number}`,
  name: 'Ana T.',
  avatar: '',
  rating: 5,
  comment: 'Tidy work.',
  pictures: [],
  age: 'Today',
  date: 'Nov 21, 2026',
  createdAt: '2026-11-20T23:00:00Z',
  edited: false,
  evidence: 'No contact through Handwise',
  hasContact: false,
  answer: null,
});
const reviews = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => review(from + index));
const stub = { _id: '0198f0f0-0000-7000-8000-000000000001', removedAt: '2026-11-20T23:00:00Z', because: 'legal' as const };
const start = (total: number) =>
  createFirstShown({
    average: 5,
    total,
    counts: [0, 0, 0, 0, total],
    newest: reviews(1, Math.min(total, 10)),
    removed: [stub],
    timeZone: 'Pacific/Auckland',
  });
const ids = (shown: { list: readonly ReviewView[] }) => shown.list.map(({ id }) => Number(id.slice(7)));
const newest = { order: 'newest', stars: null } as const;

test.each([
  [0, false],
  [10, false],
  [11, true],
])('loads ten of %i reviews with the page; more is %s', (total, more) => {
  expect(hasMore(start(total))).toBe(more);
});

test('appends older reviews until all are shown', () => {
  const second = withPage(start(23), newest, 2, { total: 23, list: reviews(11, 20), removed: [] });
  expect([ids(second), hasMore(second), second.removed]).toEqual([ids({ list: reviews(1, 20) }), true, [stub]]);
  const third = withPage(second, newest, 3, { total: 23, list: reviews(21, 23), removed: [] });
  expect([ids(third), hasMore(third)]).toEqual([ids({ list: reviews(1, 23) }), false]);
});

test('shows no review twice when a new one arrives, and still reaches the rest', () => {
  const second = withPage(start(23), newest, 2, { total: 24, list: reviews(10, 19), removed: [] });
  expect([ids(second), second.total, hasMore(second)]).toEqual([ids({ list: reviews(1, 19) }), 24, true]);
  const third = withPage(second, newest, 3, { total: 24, list: reviews(20, 23), removed: [] });
  expect([ids(third), hasMore(third)]).toEqual([ids({ list: reviews(1, 23) }), false]);
});

test('loads the first page for another order or other stars', () => {
  const second = withPage(start(23), newest, 2, { total: 23, list: reviews(11, 20), removed: [] });
  const lowest = { order: 'lowest', stars: 2 } as const;
  const shown = withPage(second, lowest, 1, { total: 12, list: reviews(5, 14), removed: [] });
  expect(shown).toEqual({ ...lowest, total: 12, pages: 1, list: reviews(5, 14), removed: [] });
  expect(hasMore(shown)).toBe(true);
});
