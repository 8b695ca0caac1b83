import { expect, test } from 'vitest';
import { parseBusinessNumber } from '@handwise/contract/registers/business-number';
import { listingLines, meanOfStars, planFill, registerCheckLines, reviewLines, subscriptionLines, userLines } from './bulk-rows.ts';

const plans = [
  { id: 'b', plan_type: 'basic', rank: 1 },
  { id: 'p', plan_type: 'premium', rank: 2 },
  { id: 'f', plan_type: 'featured', rank: 3 },
];
const plan = planFill({
  listings: 3000,
  reviewsPerListing: 2,
  conversations: 900,
  firstNumber: 5001,
  plans,
  today: new Date('2026-11-21T03:00:00Z'),
  means: new Map([[6, 46]]),
});
const fields = (lines: Iterable<string>) => [...lines].map((line) => line.trimEnd().split('\t'));

test('has a line for every seller, subscription and reviewer referenced in a fill', () => {
  const users = new Set(fields(userLines(plan)).map(([id]) => id));
  const subscriptions = new Map(fields(subscriptionLines(plan)).map(([id, user, planId]) => [id, { user, planId }]));
  const listings = fields(listingLines(plan));
  expect(users.size).toBe(plan.users);
  expect(subscriptions.size).toBe(plan.subscriptions);
  expect(listings).toHaveLength(3000);
  const used = new Map<string, number>();
  for (const [, , seller, subscription = ''] of listings) {
    expect(users).toContain(seller);
    expect(subscriptions.get(subscription)?.user).toBe(seller);
    used.set(subscription, (used.get(subscription) ?? 0) + 1);
  }
  for (const [id, count] of used) expect(count).toBeLessThanOrEqual({ b: 1, p: 5, f: 10 }[subscriptions.get(id)?.planId ?? ''] ?? 0);

  const reviews = fields(reviewLines(plan));
  expect(new Set(reviews.map(([id]) => id)).size).toBe(reviews.length);
  expect(new Set(reviews.map(([, listing, author]) => `${listing}${author}`)).size).toBe(reviews.length);
  for (const [, , author] of reviews) expect(users).toContain(author);
  const counted = listings.reduce(
    (sum, row) =>
      sum +
      (row[24] ?? '')
        .replace(/[{}]/g, '')
        .split(',')
        .reduce((total, count) => total + Number(count), 0),
    0,
  );
  expect(counted).toBe(reviews.length);
  expect(reviews.length / 3000).toBeGreaterThan(1.7);
  expect(reviews.length / 3000).toBeLessThan(2.3);
});

test('averages the ratings of a fill to the mean used for its scores', () => {
  const ratings = [...reviewLines(plan)].map((line) => Number(line.split('\t')[3]));
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  expect(Math.round(mean * 10)).toBe(meanOfStars);
});

test('verifies a quarter of a fill, with unique valid numbers that match the register checks', () => {
  const rows = fields(listingLines(plan)).map((row) => ({
    id: row[0],
    country: row[7] as 'NZ' | 'AU',
    number: row.at(-3) ?? '',
    verified: row.at(-2),
  }));
  const verified = rows.filter((row) => row.verified === 't');
  const share = verified.length / rows.length;
  expect([share > 0.22, share < 0.28]).toEqual([true, true]);
  expect(rows.filter((row) => row.number !== '\\N')).toEqual(verified);
  for (const { number, country } of verified) expect([number, parseBusinessNumber(number, country)]).toEqual([number, number]);
  expect(new Set(verified.map(({ number }) => number)).size).toBe(verified.length);
  expect(fields(registerCheckLines(plan)).map(([id, , number]) => [id, number])).toEqual(verified.map(({ id, number }) => [id, number]));
});
