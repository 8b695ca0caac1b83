import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { given, callers } = await testApp();
const { as, asVisitor } = callers;

const ids = (answer: { body: { listings: { _id: string }[] } }) => answer.body.listings.map((one) => one._id);

test('my listings are one’s own in every status, the newest first, by page and status', async () => {
  const seller = await given.user();
  const made = [];
  for (const status of ['active', 'inactive', 'expired', 'active'] as const) {
    made.push((await given.listing({ sellerId: seller._id, status })).id);
  }
  await given.listing();
  const as1 = as(seller);
  expect(ids(await as1.get('/listing/mylistings'))).toEqual(made.toReversed());
  expect(ids(await as1.get('/listing/mylistings?status=inactive'))).toEqual([made[1]]);
  expect(ids(await as1.get('/listing/mylistings?status=active&limit=1&page=2'))).toEqual([made[0]]);
  expect((await as1.get('/listing/mylistings?limit=3')).body).toMatchObject({ currentPage: 1, totalPages: 2, totalListings: 4 });
  expect((await as1.get('/listing/mylistings?status=sold')).status).toBe(400);
  expect((await asVisitor.get('/listing/mylistings')).status).toBe(401);
});
