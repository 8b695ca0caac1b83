import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { verifyReviews } from '@handwise/proof/reviews';
import { testApp } from '@handwise/sandbox/testing/app';

const { app, db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { context } = parts;
const siteKey = Buffer.from(context.logKey.publicKey).toString('hex');

const fetchFile = (id: string) => app.inject({ url: `/api/listing/${id}/reviews.json` });
const fetchBadge = (id: string, headers: Record<string, string> = {}) => app.inject({ url: `/badge/${id}.svg`, headers });
const removeReview = (id: string) =>
  db.updateTable('reviews').set({ removed_at: new Date(), removed_because: 'offensive' }).where('id', '=', id).execute();

test('the file holds offline under the key of the draw’s terms, with answers, stubs and words of any script', async () => {
  const { id } = await given.listing({ business: 'Kāore & “Sons” <b>' });
  const [first, second] = [await given.review(id, 5, 'Ngā mihi 🎉 "quoted" \\ back'), await given.review(id, 2, 'Late.\nTwice.')];
  const third = await given.review(id, 1, 'Rude words');
  await db.updateTable('reviews').set({ answer: 'Sorry!', answered_at: new Date() }).where('id', '=', second.id).execute();
  await removeReview(third.id);
  const { statusCode, body } = await fetchFile(id);
  expect(statusCode).toBe(200);
  const { faults, file } = await verifyReviews(body, siteKey);
  expect(faults).toEqual([]);
  expect(file).toMatchObject({
    listing: { business: 'Kāore & “Sons” <b>', address: `http://localhost:3000/listing/${id}` },
    rating: { average: 3.5, reviews: 2 },
    reviews: [{ _id: first.id }, { _id: second.id, answer: { comment: 'Sorry!' } }],
    removed: [{ _id: third.id, because: 'offensive' }],
  });
  expect(body).not.toContain('Rude words');
  const { body: terms } = await asVisitor.get('/draws/current/terms');
  expect(terms.log.publicKey).toBe(file?.publicKey);
});

test('is served for a listing without reviews and for one that has ended, and not for a hidden or unknown one', async () => {
  const [empty, ended, hidden] = [await given.listing(), await given.listing({ status: 'expired' }), await given.listing()];
  await db.updateTable('listings').set({ status: 'hidden', hidden_from: 'active' }).where('id', '=', hidden.id).execute();
  for (const { id } of [empty, ended]) expect((await verifyReviews((await fetchFile(id)).body, siteKey)).faults).toEqual([]);
  expect((await fetchFile(hidden.id)).json().code).toBe('listing_gone');
  expect((await fetchFile('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
});

test('has all reviews, of which a page shows some', async () => {
  const { id } = await given.listing();
  await sql`insert into users (full_name, username, email, password_hash, referral_code)
    select 'Tama Rua', 'many_' || n, 'many' || n || '@example.org', 'x', 'REF-MANY-' || n from generate_series(1, 130) as n`.execute(db);
  await sql`insert into reviews (listing_id, author_id, rating, comment) select ${id}, id, 4, 'Fine.' from users where username like 'many%'`.execute(
    db,
  );
  const { faults, file } = await verifyReviews((await fetchFile(id)).body, siteKey);
  expect([faults, file?.reviews.length]).toEqual([[], 130]);
});

test('the badge shows rating, number and date as an image that other sites may show, without a cookie', async () => {
  const { id } = await given.listing({ business: '<script>alert(1)</script>' });
  await given.review(id, 5);
  const low = await given.review(id, 4);
  const badge = await fetchBadge(id, { cookie: 'handwise_restore=abc' });
  expect(badge.statusCode).toBe(200);
  expect(badge.headers).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=600',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(badge.headers['set-cookie']).toBeUndefined();
  expect(badge.headers['vary'] ?? '').not.toMatch(/cookie/i);
  expect(badge.body).toMatch(/★ 4\.5 from 2 reviews<.*Handwise, \w{3} \d+, \d{4}</s);
  expect(badge.body).not.toContain('script');
  expect((await fetchBadge(id)).body).toBe(badge.body);
  expect((await fetchBadge(id, { 'if-none-match': String(badge.headers.etag) })).statusCode).toBe(304);
  await removeReview(low.id);
  const after = await fetchBadge(id, { 'if-none-match': String(badge.headers.etag) });
  expect([after.statusCode, after.body]).toEqual([200, expect.stringContaining('★ 5.0 from 1 review<')]);
});

test('the badge of a listing without reviews says so, and that of one that is gone is an image without a rating', async () => {
  const [none, ended, hidden] = [await given.listing(), await given.listing({ status: 'inactive' }), await given.listing()];
  expect((await fetchBadge(none.id)).body).toContain('No reviews yet');
  await given.review(ended.id, 5);
  await given.review(hidden.id, 5);
  await db.updateTable('listings').set({ status: 'hidden', hidden_from: 'active' }).where('id', '=', hidden.id).execute();
  for (const id of [ended.id, hidden.id, '00000000-0000-4000-8000-000000000000', 'no-id', '%3Cscript%3E']) {
    const badge = await fetchBadge(id);
    expect([badge.statusCode, badge.headers['content-type']]).toEqual([404, 'image/svg+xml; charset=utf-8']);
    expect(badge.body).toContain('Not listed on Handwise');
    expect(badge.body).not.toMatch(/★|script/);
  }
  expect((await as(await given.user()).get(`/listing/${none.id}/reviews.json`)).status).toBe(200);
});
