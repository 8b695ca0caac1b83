import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, db, callers } = await testApp();
const { asVisitor, as } = callers;

const found = async (query: string) => (await asVisitor.get(`/listing/all?${query}`)).body.listings;

test('finds no inactive or expired listing in searches, and returns it to its owner only', async () => {
  const owner = await given.user();
  const other = await given.user();
  for (const status of ['inactive', 'expired'] as const) {
    const { id, listing_number } = await given.listing({ title: `Sleeping ${status}`, status, sellerId: owner._id });
    expect(await found(`title=sleeping ${status}`)).toEqual([]);
    for (const search of [`listingNumber=${listing_number}`, 'district=taupo', 'region=waikato&category=trade']) {
      expect([search, (await found(`${search}&limit=100`)).map((one: { _id: string }) => one._id)]).not.toContain(id);
    }
    for (const path of [`/listing/${id}`, `/listing/find/${id}`]) {
      expect((await asVisitor.get(path)).status).toBe(404);
      expect((await as(other).get(path)).status).toBe(404);
      const own = await as(owner).get(path);
      expect([own.status, own.body.status]).toEqual([200, status]);
    }
  }
});

test('returns a listing with its reviews, newest first, its averages and no private data', async () => {
  const owner = await given.user({ email: 'owner-private@example.org' });
  const { id, listing_number } = await given.listing({
    title: 'Reviewed',
    sellerId: owner._id,
    category: 6,
    subCategory: 603,
    plan: 'premium',
  });
  for (const rating of [5, 5, 4]) await given.review(id, rating);
  const { status, body } = await asVisitor.get(`/listing/${id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    _id: id,
    listingNumber: listing_number,
    serviceTitle: 'Reviewed',
    serviceCategory: 'Plumbing',
    serviceSubCategory: 'Emergency plumbing',
    mainCategory: 'trade',
    location: 'Taupō, Waikato, New Zealand',
    plan: { planType: 'premium' },
    ratingCounts: [0, 0, 0, 1, 2],
    reviewCount: 3,
    serviceImages: [],
    status: 'active',
  });
  expect(body.averageRating).toBeCloseTo(14 / 3);
  expect(body.reviews.map((review: { rating: number }) => review.rating)).toEqual([4, 5, 5]);
  expect(body.reviews[0]).toMatchObject({ comment: 'Tidy work, fair price.', buyerName: 'Mere K.' });
  const text = JSON.stringify(body);
  // The reviewers and the seller are all called Mere Kingi.
  for (const secret of ['Mere Kingi', 'owner-private@example.org', owner.token, 'office@kingi.example', '$argon2'])
    expect(text).not.toContain(secret);
  expect((await as(owner).get(`/listing/${id}`)).body.businessEmailAddress).toBe('office@kingi.example');
});

test('shows others only whether there is a phone number, and the owner the number', async () => {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id });
  const read = async (caller: typeof asVisitor) => (await caller.get(`/listing/${id}`)).body;
  expect(await read(asVisitor)).toMatchObject({ hasPhone: false });
  expect(await read(as(seller))).toMatchObject({ hasPhone: false, businessPhone: '' });
  await db.updateTable('listings').set({ business_phone: '+6421345678' }).where('id', '=', id).execute();
  expect(await read(asVisitor)).toMatchObject({ hasPhone: true });
  expect(JSON.stringify(await read(asVisitor))).not.toMatch(/345.?678/);
  expect(await read(as(seller))).toMatchObject({ hasPhone: true, businessPhone: '+64 21 345 678' });
});

test('returns 404 for an unknown listing and rejects a malformed id', async () => {
  expect((await asVisitor.get(`/listing/${randomUUID()}`)).status).toBe(404);
  expect((await asVisitor.get('/listing/1001')).status).toBe(400);
  expect((await asVisitor.get('/listing/..%2f..%2fetc')).status).toBe(400);
});

test('rejects an expired token, also on public calls', async () => {
  const { id } = await given.listing();
  expect((await as({ token: 'x'.repeat(43) }).get(`/listing/${id}`)).status).toBe(401);
});
