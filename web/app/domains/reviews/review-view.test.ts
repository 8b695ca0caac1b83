import { expect, test } from 'vitest';
import { getDistribution } from './reviews.tsx';
import { toReviewsView, toReviewView, describeReviewEvidence, formatSpan } from './review-view.ts';

const now = new Date('2026-11-21T00:00:00Z');
const review = (createdAt: string, buyerName = 'Ana Tipene') => ({
  _id: '0198f0f0-0000-7000-8000-000000000001',
  rating: 5,
  comment: 'Tidy work.',
  pictures: [],
  createdAt,
  username: 'ana',
  buyerName,
  buyerAvatar: '',
  editedAt: null,
  evidence: null,
  answer: null,
});
const shown = (createdAt: string, name?: string) =>
  toReviewsView(
    {
      averageRating: 5,
      reviewCount: 1,
      ratingCounts: [0, 0, 0, 0, 1],
      timeZone: 'Pacific/Auckland',
      reviews: [review(createdAt, name)],
      removedReviews: [],
    },
    now,
  ).newest[0];

test.each([
  ['2026-11-20T23:00:00Z', 'Today', 'Nov 21, 2026'],
  ['2026-11-20T02:00:00Z', 'Yesterday', 'Nov 20, 2026'],
  ['2026-11-16T02:00:00Z', '5 days ago', 'Nov 16, 2026'],
])('dates a review of %s %s, %s', (createdAt, age, date) => {
  expect(shown(createdAt)).toMatchObject({ age, date });
});

test('shows the username of a reviewer without a full name', () => {
  expect(shown('2026-11-20T02:00:00Z', '')).toMatchObject({ name: 'ana' });
});

test('lists the distribution from five stars to one, as shares', () => {
  expect(getDistribution({ counts: [1, 0, 0, 1, 6], total: 8 })).toEqual([
    { stars: 5, reviews: 6, percent: 75 },
    { stars: 4, reviews: 1, percent: 13 },
    { stars: 3, reviews: 0, percent: 0 },
    { stars: 2, reviews: 0, percent: 0 },
    { stars: 1, reviews: 1, percent: 13 },
  ]);
  expect(getDistribution({ counts: [0, 0, 0, 0, 0], total: 0 }).every((row) => row.percent === 0)).toBe(true);
});

test('marks an edited review, and dates its answer', () => {
  const answered = {
    ...review('2026-11-20T02:00:00Z'),
    editedAt: '2026-11-20T03:00:00Z',
    answer: { comment: 'Thanks', createdAt: '2026-11-20T12:00:00Z' },
  };
  expect(toReviewView(answered, 'Pacific/Auckland', now)).toMatchObject({
    edited: true,
    answer: { comment: 'Thanks', date: 'Nov 21, 2026' },
  });
  expect(toReviewView(review('2026-11-20T02:00:00Z'), 'Pacific/Auckland', now)).toMatchObject({ edited: false, answer: null });
});

test('shows at most ten reviews at first', () => {
  const reviews = Array.from({ length: 12 }, () => review('2026-11-20T02:00:00Z'));
  const view = toReviewsView(
    { averageRating: 5, reviewCount: 12, ratingCounts: [0, 0, 0, 0, 12], timeZone: 'Pacific/Auckland', reviews, removedReviews: [] },
    now,
  );
  expect([view.newest.length, view.total]).toEqual([10, 12]);
});

test('shows the public name of a reviewer, with the text unchanged', () => {
  expect(shown('2026-11-20T02:00:00Z', 'Ana T.')).toMatchObject({ name: 'Ana T.', comment: 'Tidy work.', rating: 5 });
});

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
  expect(formatSpan(ms)).toBe(words);
});

test('shows when its author wrote to the business, in its time zone, and how fast it answered', () => {
  // Midnight has passed in Auckland, not in Perth.
  const messagedAt = '2026-03-12T11:30:00.000Z';
  expect(describeReviewEvidence({ messagedAt, answeredAt: '2026-03-12T13:25:00.000Z', quoteAcceptedAt: null }, 'Pacific/Auckland')).toBe(
    'Messaged here on Mar 13, 2026, answered in 2 hours',
  );
  expect(describeReviewEvidence({ messagedAt, answeredAt: null, quoteAcceptedAt: null }, 'Australia/Perth')).toBe(
    'Messaged here on Mar 12, 2026, no answer yet',
  );
});

test('shows that its author accepted a quote instead of the messages', () => {
  const evidence = { messagedAt: '2026-03-01T00:00:00.000Z', answeredAt: null, quoteAcceptedAt: '2026-03-12T11:30:00.000Z' };
  expect(describeReviewEvidence(evidence, 'Pacific/Auckland')).toBe('Accepted a quote here on Mar 13, 2026');
});

test('marks a review without a conversation', () => {
  expect(describeReviewEvidence(null, 'Pacific/Auckland')).toBe('No contact through Handwise');
});
