import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type RemovalReason, removalReasons } from '@handwise/contract/reviews/words';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, db, callers, parts } = await testApp();
const { asVisitor, as } = callers;

/** A user with a confirmed address, which reviewing requires. */
async function reviewer(overrides: Parameters<typeof given.user>[0] = {}) {
  const user = await given.user(overrides);
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  return user;
}

type User = Awaited<ReturnType<typeof reviewer>>;
const write = (user: User, listingId: string, rating = 5, comment = 'Tidy work, fair price.') =>
  as(user).post('/review/create', { listingId, rating, comment });
/** A published review with its id and author. */
async function written(listingId: string, rating = 5, comment?: string) {
  const author = await reviewer();
  const { status, body } = await write(author, listingId, rating, comment);
  expect([status, body.message]).toEqual([201, 'Review submitted successfully']);
  return { author, id: body._id as string };
}
const shownOf = async (listingId: string) => (await asVisitor.get(`/listing/${listingId}`)).body;
const writtenAgo = (id: string, weeks: number, hours = 0) =>
  db
    .updateTable('reviews')
    .set({ created_at: new Date(Date.now() - weeks * 7 * 86_400_000 - hours * 3_600_000) })
    .where('id', '=', id)
    .execute();
const versionsOf = (id: string) =>
  db.selectFrom('review_versions').select(['version', 'rating', 'comment']).where('review_id', '=', id).orderBy('version').execute();

/** A checksum of each table, including the job queue; session renewals are ignored. */
async function contents(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')`.execute(db);
  const sums = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select count(*) || ' ' || coalesce(sum(hashtextextended(row::text, 0)), 0) as sum from ${sql.raw(name)} as row`.execute(db);
    sums.set(name, rows[0]?.sum ?? '');
  }
  return sums;
}

test('updates the counts when reviews are deleted or changed', async () => {
  const { id } = await given.listing({ title: 'Counted' });
  const { id: first } = await given.review(id, 1);
  await given.review(id, 3);
  await db.updateTable('reviews').set({ rating: 5 }).where('id', '=', first).execute();
  expect((await shownOf(id)).ratingCounts).toEqual([0, 0, 1, 0, 1]);
  await db.deleteFrom('reviews').where('id', '=', first).execute();
  expect((await shownOf(id)).ratingCounts).toEqual([0, 0, 1, 0, 0]);
});

test('shows and counts a new review at once, with first name and initial', async () => {
  const { id } = await given.listing();
  const author = await reviewer({ fullName: 'Aroha Ngata' });
  expect((await write(author, id, 4, 'Came on time.\nAnd tidy.')).status).toBe(201);
  const { reviews, ratingCounts, averageRating } = await shownOf(id);
  expect([ratingCounts, averageRating]).toEqual([[0, 0, 0, 1, 0], 4]);
  expect(reviews).toMatchObject([
    { rating: 4, comment: 'Came on time.\nAnd tidy.', buyerName: 'Aroha N.', username: author.username, editedAt: null, answer: null },
  ]);
});

test('rejects a second review of the same listing, also concurrently', async () => {
  const { id } = await given.listing();
  const author = await reviewer();
  const answers = await Promise.all(Array.from({ length: 10 }, () => write(author, id)));
  const outcomes = answers.map(({ status, body }) => `${status} ${body.message}`).toSorted();
  expect(outcomes).toEqual(['201 Review submitted successfully', ...Array(9).fill('409 You have already reviewed this listing')]);
  expect((await shownOf(id)).reviewCount).toBe(1);
});

test('counts and averages are correct after fifty concurrent reviews', async () => {
  const { id } = await given.listing();
  const authors = await Promise.all(Array.from({ length: 50 }, () => reviewer()));
  const answers = await Promise.all(authors.map((author, at) => write(author, id, (at % 5) + 1)));
  expect(answers.map(({ status, body }) => `${status} ${body.code ?? ''}`)).toEqual(Array(50).fill('201 '));
  const { ratingCounts, averageRating, reviewCount } = await shownOf(id);
  expect([ratingCounts, averageRating, reviewCount]).toEqual([[10, 10, 10, 10, 10], 3, 50]);
});

test('rejects a review of one’s own listing, of a missing one, by a visitor or with an unconfirmed address', async () => {
  const seller = await reviewer();
  const { id } = await given.listing({ sellerId: seller._id });
  const own = await write(seller, id);
  expect([own.status, own.body.code]).toEqual([403, 'own_listing']);
  const unconfirmed = await write(await given.user(), id);
  expect([unconfirmed.status, unconfirmed.body.code]).toEqual([403, 'address_not_confirmed']);
  expect((await asVisitor.post('/review/create', { listingId: id, rating: 5, comment: 'Good' })).status).toBe(401);
  const author = await reviewer();
  const ended = await given.listing({ status: 'inactive' });
  expect((await write(author, ended.id)).body.code).toBe('listing_gone');
  expect((await write(author, '01941f2b-0682-7400-8924-000000000000')).body.code).toBe('listing_not_found');
  expect((await shownOf(id)).reviewCount).toBe(0);
});

test('rejects invalid reviews with the specified messages', async () => {
  const { id } = await given.listing();
  const author = await reviewer();
  const refusals: [object, string][] = [
    [{ rating: 5, comment: '' }, 'comment is required'],
    [{ rating: 5, comment: '  \n ' }, 'comment is required'],
    [{ rating: 5 }, 'comment is required'],
    [{ rating: 5, comment: 'x'.repeat(251) }, 'comment cannot exceed 250 characters'],
    [{ rating: 0, comment: 'Good' }, 'Rating must be at least 1'],
    [{ comment: 'Good' }, 'Rating must be at least 1'],
    [{ rating: 6, comment: 'Good' }, 'Rating cannot exceed 5'],
    [{ rating: 1e300, comment: 'Good' }, 'Rating cannot exceed 5'],
    [{ rating: 4.5, comment: 'Good' }, 'Rating must be a whole number'],
    [{ rating: 'five', comment: 'Good' }, 'Rating must be a whole number'],
    [{ rating: '', comment: 'Good' }, 'Rating must be a whole number'],
  ];
  for (const [form, message] of refusals) {
    const { status, body } = await as(author).post('/review/create', { listingId: id, ...form });
    expect([status, body.message]).toEqual([400, message]);
  }
  expect((await write(author, id, 1, 'x'.repeat(250))).status).toBe(201);
});

test('limits an account to ten reviews a day, including withdrawn ones', async () => {
  const author = await reviewer();
  const listings: { id: string }[] = [];
  for (let index = 0; index < 12; index += 1) listings.push(await given.listing());
  const answers = await Promise.all(listings.slice(0, 11).map(({ id }) => write(author, id)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
  expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
    code: 'too_many_reviews',
    message: 'You can write 10 reviews a day. This one was not published. Please try again tomorrow.',
  });
  const own = await db.selectFrom('reviews').select('id').where('author_id', '=', author._id).execute();
  expect(own).toHaveLength(10);
  expect((await as(author).delete(`/review/${own[0]?.id}`)).status).toBe(200);
  expect((await write(author, listings[11]?.id ?? '')).status).toBe(429);
  expect((await write(await reviewer(), listings[11]?.id ?? '')).status).toBe(201);
  const wait = (hours: number) =>
    sql`update reviews set created_at = created_at - make_interval(hours => ${hours}) where author_id = ${author._id}`.execute(db);
  await wait(23);
  expect((await write(author, listings[11]?.id ?? '')).status).toBe(429);
  await wait(2);
  expect((await write(author, listings[11]?.id ?? '')).status).toBe(201);
});

test('an author can edit a review for eight weeks; versions are stored and counts updated', async () => {
  const { id: listingId } = await given.listing();
  const { author, id } = await written(listingId, 2, 'Came late.');
  const change = (rating: number, comment: string) => as(author).put(`/review/${id}`, { rating, comment });
  expect((await change(4, 'Came late, but did it well.')).status).toBe(200);
  expect((await change(5, 'Came late, but did it well.')).status).toBe(200);
  const { reviews, ratingCounts } = await shownOf(listingId);
  expect(ratingCounts).toEqual([0, 0, 0, 0, 1]);
  expect(reviews).toMatchObject([{ rating: 5, comment: 'Came late, but did it well.', editedAt: expect.any(String) }]);
  expect(await versionsOf(id)).toEqual([
    { version: 1, rating: 2, comment: 'Came late.' },
    { version: 2, rating: 4, comment: 'Came late, but did it well.' },
  ]);
  await writtenAgo(id, 8, -1);
  expect((await change(3, 'Just in time')).status).toBe(200);
  await writtenAgo(id, 8, 1);
  const late = await change(1, 'Too late');
  expect([late.status, late.body.code]).toEqual([409, 'review_too_old']);
  expect((await as(await reviewer()).put(`/review/${id}`, { rating: 1, comment: 'Not mine' })).status).toBe(404);
  expect((await shownOf(listingId)).reviews).toMatchObject([{ rating: 3, comment: 'Just in time' }]);
});

test('a withdrawn review leaves an uncounted stub and is republished when its author edits it', async () => {
  const { id: listingId } = await given.listing();
  const { author, id } = await written(listingId, 1);
  expect((await as(await reviewer()).delete(`/review/${id}`)).status).toBe(404);
  for (let time = 0; time < 2; time += 1) expect((await as(author).delete(`/review/${id}`)).status).toBe(200);
  const shown = await shownOf(listingId);
  expect(shown).toMatchObject({ reviewCount: 0, averageRating: 0, reviews: [], removedReviews: [{ _id: id, because: 'withdrawn' }] });
  expect(JSON.stringify(shown)).not.toContain('Tidy work');
  const { body } = await asVisitor.get(`/listing/${listingId}/reviews`);
  expect(body).toMatchObject({ reviews: [], totalReviews: 0, removed: [{ _id: id, because: 'withdrawn' }] });
  expect(JSON.stringify(body)).not.toContain('Tidy work');
  expect((await as(author).get(`/listing/${listingId}/reviews/mine`)).body.review).toMatchObject({ _id: id, removedBecause: 'withdrawn' });
  expect((await write(author, listingId)).body.code).toBe('already_reviewed');
  expect((await as(author).put(`/review/${id}`, { rating: 4, comment: 'On second thought' })).status).toBe(200);
  expect(await shownOf(listingId)).toMatchObject({ ratingCounts: [0, 0, 0, 1, 0], reviews: [{ comment: 'On second thought' }] });
});

test('an author cannot republish a review removed by moderators', async () => {
  const { id: listingId } = await given.listing();
  const { author, id } = await written(listingId);
  await db.updateTable('reviews').set({ removed_at: new Date(), removed_because: 'offensive' }).where('id', '=', id).execute();
  const change = await as(author).put(`/review/${id}`, { rating: 5, comment: 'Again' });
  expect([change.status, change.body.code]).toEqual([409, 'review_removed']);
  await as(author).delete(`/review/${id}`);
  const { body } = await asVisitor.get(`/listing/${listingId}/reviews`);
  expect(body).toMatchObject({ reviews: [], removed: [{ because: 'offensive' }] });
});

test('only the seller can answer a review, once', async () => {
  const seller = await given.user();
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { author, id } = await written(listingId);
  const answer = (user: { token: string }, comment = 'Thank you, Mere!') => as(user).post(`/review/${id}/answer`, { comment });
  expect((await answer(author)).status).toBe(404);
  expect((await answer(await given.user())).status).toBe(404);
  expect((await asVisitor.post(`/review/${id}/answer`, { comment: 'Hello' })).status).toBe(401);
  expect((await answer(seller, ' ')).body.message).toBe('An answer is required');
  expect((await answer(seller, 'x'.repeat(1_001))).status).toBe(400);
  const answers = await Promise.all([answer(seller), answer(seller)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect((await shownOf(listingId)).reviews).toMatchObject([{ answer: { comment: 'Thank you, Mere!', createdAt: expect.any(String) } }]);
  const other = await written(listingId);
  await as(other.author).delete(`/review/${other.id}`);
  expect((await as(seller).post(`/review/${other.id}/answer`, { comment: 'Late' })).status).toBe(404);
});

test('lists reviews in pages of ten, sorted and filtered by stars', async () => {
  const { id } = await given.listing();
  for (const rating of [3, 5, 1, 5, 3, 3, 5, 4, 2, 5, 5, 1]) await given.review(id, rating, `${rating} stars`);
  const ratings = async (query: string) =>
    (await asVisitor.get(`/listing/${id}/reviews${query}`)).body.reviews.map((one: { rating: number }) => one.rating);
  expect(await ratings('')).toEqual([1, 5, 5, 2, 4, 5, 3, 3, 5, 1]);
  expect(await ratings('?page=2')).toEqual([5, 3]);
  expect(await ratings('?sort=highest&limit=6')).toEqual([5, 5, 5, 5, 5, 4]);
  expect(await ratings('?sort=lowest&limit=4')).toEqual([1, 1, 2, 3]);
  expect((await asVisitor.get(`/listing/${id}/reviews?stars=3&limit=2&page=2`)).body).toMatchObject({
    reviews: [{ rating: 3 }],
    currentPage: 2,
    totalPages: 2,
    totalReviews: 3,
  });
  expect((await asVisitor.get(`/listing/${id}/reviews`)).body).toMatchObject({ totalPages: 2, totalReviews: 12, removed: [] });
  for (const query of ['?stars=6', '?sort=random', '?page=0', '?limit=101']) {
    expect((await asVisitor.get(`/listing/${id}/reviews${query}`)).status).toBe(400);
  }
});

test('lists reviews with equal stars newest first, and none of a deleted listing', async () => {
  const { id: listingId } = await given.listing();
  const ids: string[] = [];
  for (const rating of [5, 2, 5, 5]) ids.push((await given.review(listingId, rating)).id);
  const [first, low, second, third] = ids;
  const page = async (query: string) => (await asVisitor.get(`/listing/${listingId}/reviews${query}`)).body;
  const idsOf = (body: { reviews: { _id: string }[] }) => body.reviews.map(({ _id }) => _id);
  expect(idsOf(await page('?sort=highest'))).toEqual([third, second, first, low]);
  expect(idsOf(await page('?sort=lowest'))).toEqual([low, third, second, first]);
  expect(idsOf(await shownOf(listingId))).toEqual([third, second, low, first]);
  expect(await page('?limit=2')).toMatchObject({ totalPages: 2, totalReviews: 4 });
  expect(await page('?stars=1')).toMatchObject({ totalPages: 0, totalReviews: 0 });
  await db.updateTable('listings').set({ status: 'inactive' }).where('id', '=', listingId).execute();
  expect((await asVisitor.get(`/listing/${listingId}/reviews`)).body.code).toBe('listing_gone');
});

test('the first page includes stubs of removed reviews, last removed first', async () => {
  const { id: listingId } = await given.listing();
  const ids: string[] = [];
  for (const rating of [1, 2, 3, 4]) ids.push((await given.review(listingId, rating)).id);
  const removed = [ids[2], ids[0]] as string[];
  for (const [minutes, id] of removed.entries()) {
    const at = new Date(Date.now() - (10 - minutes) * 60_000);
    await db.updateTable('reviews').set({ removed_at: at, removed_because: 'offensive' }).where('id', '=', id).execute();
  }
  const stubsOf = async (page: number) =>
    (await asVisitor.get(`/listing/${listingId}/reviews?limit=1&page=${page}`)).body.removed.map((stub: { _id: string }) => stub._id);
  expect([await stubsOf(1), await stubsOf(2)]).toEqual([removed.toReversed(), []]);
  expect((await shownOf(listingId)).removedReviews.map((stub: { _id: string }) => stub._id)).toEqual(removed.toReversed());
});

test('shows a user their own review and whether they may write one', async () => {
  const { id: listingId } = await given.listing();
  const { author, id } = await written(listingId);
  const created = (await shownOf(listingId)).reviews[0].createdAt;
  const mine = (await as(author).get(`/listing/${listingId}/reviews/mine`)).body;
  expect(mine).toMatchObject({ addressConfirmed: true, review: { _id: id, removedBecause: null } });
  expect(Date.parse(mine.review.editableUntil) - Date.parse(created)).toBe(56 * 86_400_000);
  expect((await as(await given.user()).get(`/listing/${listingId}/reviews/mine`)).body).toEqual({ review: null, addressConfirmed: false });
  expect((await asVisitor.get(`/listing/${listingId}/reviews/mine`)).status).toBe(401);
});

test('accepts only removal reasons that a stub can show', async () => {
  const { rows } = await sql<{ check: string }>`
    select pg_get_constraintdef(oid) as check from pg_constraint where conname = 'reviews_removed_because_check'`.execute(db);
  const inDatabase = [...(rows[0]?.check ?? '').matchAll(/'(\w+)'/g)].map(([, reason = '']) => reason);
  expect(inDatabase.toSorted()).toEqual(Object.keys(removalReasons).toSorted());
});

test('the ledger counts received, published and removed reviews by reason and month of writing', async () => {
  await db.deleteFrom('reviews').execute();
  const { id: listingId } = await given.listing();
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push((await given.review(listingId, 5)).id);
  const change = (at: number, values: { created_at?: Date; removed_because?: RemovalReason; removed_at?: Date }) =>
    db
      .updateTable('reviews')
      .set(values)
      .where('id', '=', ids[at] ?? '')
      .execute();
  // 23:30 UTC on the last day of September is October in New Zealand.
  await change(0, { created_at: new Date('2026-09-30T23:30:00Z') });
  await change(1, { created_at: new Date('2026-10-15T00:00:00Z'), removed_at: new Date(), removed_because: 'offensive' });
  await change(2, { created_at: new Date('2026-10-31T10:59:00Z'), removed_at: new Date(), removed_because: 'offensive' });
  await change(3, { created_at: new Date('2026-08-01T00:00:00Z'), removed_at: new Date(), removed_because: 'withdrawn' });
  await change(4, { created_at: new Date('2026-08-02T00:00:00Z') });
  parts.context.events.emit('listings', 'many');
  expect((await asVisitor.get('/reviews/ledger')).body).toEqual({
    months: [
      { month: '2026-10', received: 3, published: 1, removed: { offensive: 2 } },
      { month: '2026-08', received: 2, published: 1, removed: { withdrawn: 1 } },
    ],
  });
});

test('caches the ledger until a review changes', async () => {
  const { id: listingId } = await given.listing();
  const { author, id } = await written(listingId);
  const { events } = parts.context;
  const ledger = async () => (await asVisitor.get('/reviews/ledger')).body.months;
  await events.catchUp();
  const before = await ledger();
  // A change that publishes no event.
  await db
    .updateTable('reviews')
    .set({ created_at: new Date('2025-01-15T00:00:00Z') })
    .where('id', '=', id)
    .execute();
  expect(await ledger()).toEqual(before);
  await as(author).delete(`/review/${id}`);
  await events.catchUp();
  expect(await ledger()).toContainEqual({ month: '2025-01', received: 1, published: 0, removed: { withdrawn: 1 } });
});

test('an edit or an answer invalidates the cached page of the listing on every server', async () => {
  const seller = await given.user();
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { author, id } = await written(listingId);
  const isPublished = async () => {
    const changes = await db.selectFrom('changes').select('payload').execute();
    await db.deleteFrom('changes').execute();
    return changes.some(({ payload }) => JSON.stringify(payload).includes(listingId));
  };
  await isPublished();
  // With unchanged stars the listing's row does not change.
  await as(author).put(`/review/${id}`, { rating: 5, comment: 'Other words' });
  expect(await isPublished()).toBe(true);
  await as(seller).post(`/review/${id}/answer`, { comment: 'Thanks' });
  expect(await isPublished()).toBe(true);
  expect(await isPublished()).toBe(false);
});

test('a review earns no ticket, free month or other reward: it writes only reviews, counts and change events', async () => {
  const friend = await given.user();
  const form = { fullName: 'Aroha Ngata', username: 'referred_one', email: 'referred@example.org', password: 'pohutukawa-9' };
  const author = (await asVisitor.post('/auth/register', { ...form, referralCode: friend.referralCode })).body.data;
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).execute();
  const seller = await given.user();
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const before = await contents();
  const { body } = await write(author, listingId);
  await as(author).put(`/review/${body._id}`, { rating: 4, comment: 'Other words' });
  await as(seller).post(`/review/${body._id}/answer`, { comment: 'Thanks' });
  const after = await contents();
  const changed = [...after].filter(([name, content]) => before.get(name) !== content).map(([name]) => name);
  expect(changed.toSorted()).toEqual([
    // With changed stars.
    'public.audit_head',
    'public.audit_log',
    'public.category_ratings',
    'public.changes',
    'public.listings',
    'public.review_versions',
    'public.reviews',
  ]);
});
