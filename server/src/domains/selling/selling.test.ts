import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, callers } = await testApp();
const { as, asVisitor } = callers;

const ids = (answer: { body: { listings: { _id: string }[] } }) => answer.body.listings.map((one) => one._id);

test('lists the user’s own listings by status, newest first, by page', async () => {
  const seller = await given.user();
  const made = [];
  for (const status of ['active', 'inactive', 'expired', 'active', 'inactive', 'expired'] as const) {
    made.push((await given.listing({ sellerId: seller._id, status })).id);
  }
  await given.listing();
  const as1 = as(seller);
  const [active1, inactive1, expired1, active2, inactive2, expired2] = made;
  const inOrder = [active2, active1, inactive2, inactive1, expired2, expired1];
  expect(ids(await as1.get('/listing/mylistings'))).toEqual(inOrder);
  const pages = [await as1.get('/listing/mylistings?limit=4'), await as1.get('/listing/mylistings?limit=4&page=2')];
  expect(pages.flatMap(ids)).toEqual(inOrder);
  expect(ids(await as1.get('/listing/mylistings?status=inactive'))).toEqual([inactive2, inactive1]);
  expect(ids(await as1.get('/listing/mylistings?status=active&limit=1&page=2'))).toEqual([active1]);
  expect((await as1.get('/listing/mylistings?limit=4')).body).toMatchObject({ currentPage: 1, totalPages: 2, totalListings: 6 });
  expect((await as1.get('/listing/mylistings?status=sold')).status).toBe(400);
  expect((await asVisitor.get('/listing/mylistings')).status).toBe(401);
});
