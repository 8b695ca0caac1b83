import { expect, test } from 'vitest';
import { choosePraise } from './praise-data.server.ts';

const review = (rating: number, comment: string, buyerName = 'Ana T.') => ({
  _id: '0198f0f0-0000-7000-8000-000000000001',
  rating,
  comment,
  pictures: [],
  createdAt: '2026-11-20T00:00:00Z',
  username: 'ana',
  buyerName,
  buyerAvatar: '',
  editedAt: null,
  evidence: null,
  answer: null,
});
const listing = (id: string, sellerId: string, reviews: ReturnType<typeof review>[]) => ({
  _id: id,
  sellerId,
  businessTitle: `Business ${id}`,
  district: 'Taupō',
  reviews,
});
const good = 'Came on the day, was tidy, and the price was the quote.';

test("shows each business's newest five-star review with a text", () => {
  const newest = `${good} Newest.`;
  const reviews = [review(4, good), review(5, 'x'.repeat(29)), review(5, 'x'.repeat(161)), review(5, newest), review(5, good)];
  expect(choosePraise([listing('1', 'a', reviews)])).toEqual([
    { listingId: '1', text: newest, name: 'Ana T.', about: 'Business 1, Taupō' },
  ]);
});

test.each([30, 160])('accepts a review of %i characters', (length) => {
  expect(choosePraise([listing('1', 'a', [review(5, 'x'.repeat(length))])])).toHaveLength(1);
});

test('shows one per business, three at most', () => {
  const all = ['a', 'a', 'b', 'c', 'd'].map((seller, at) => listing(String(at), seller, [review(5, good)]));
  expect(choosePraise(all).map((one) => one.listingId)).toEqual(['0', '2', '3']);
});

test('quotes no one without a good review', () => {
  expect(choosePraise([listing('1', 'a', []), listing('2', 'b', [review(4, good)])])).toEqual([]);
});

test('quotes a reviewer without a name by username', () => {
  expect(choosePraise([listing('1', 'a', [review(5, good, '')])])[0]?.name).toBe('ana');
});
