import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { db, given, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;
const unknown = '00000000-0000-4000-8000-000000000000';

const administrator = (fullName = 'Aroha Ngata') => given.administrator({ fullName });
const admin = await administrator();
const find = async (path: string) => (await as(admin).get(`/admin/${path}`)).body;
const idsOf = (list: { _id: string }[]) => list.map(({ _id }) => _id);

test('finds an account by id and by literal parts of its address, name and user name', async () => {
  const user = await given.user({ fullName: 'Kahu 100% Pipi', username: 'kahu_pipi', email: 'kahu.pipi@example.org' });
  await given.user({ fullName: 'Kahu 1000 Pipi', username: 'kahuxpipi' });
  for (const q of [user._id, 'KAHU.PIPI@', 'kahu_pipi', '@kahu_pipi', '100%']) {
    const { users, total } = await find(`users?q=${encodeURIComponent(q)}`);
    expect([q, idsOf(users), total]).toEqual([q, [user._id], 1]);
  }
  expect((await find('users?q=nobody-at-all')).users).toEqual([]);
  expect((await find('users?q=kahu')).users).toHaveLength(2);
  expect((await find(`users?q=${user._id}`)).users[0]).toMatchObject({
    fullName: 'Kahu 100% Pipi',
    email: 'kahu.pipi@example.org',
    role: 'user',
    emailConfirmed: false,
    suspendedAt: null,
    deletedAt: null,
    listings: 0,
  });
});

test('lists accounts by state, newest first and by page', async () => {
  const set = (user: User, values: object) => db.updateTable('users').set(values).where('id', '=', user._id).execute();
  const [suspended, deleted, confirmed] = [await given.user(), await given.user(), await given.user()];
  await set(suspended, { suspended_at: new Date() });
  await set(deleted, { deleted_at: new Date() });
  await set(confirmed, { email_confirmed_at: new Date() });
  const ofStatus = async (status: string) => idsOf((await find(`users?status=${status}&limit=100`)).users);
  expect(await ofStatus('suspended')).toEqual([suspended._id]);
  expect(await ofStatus('deleted')).toEqual([deleted._id]);
  const time = expect.stringMatching(/^\d{4}-/);
  expect((await find('users?status=suspended')).users).toMatchObject([{ suspendedAt: time, deletedAt: null }]);
  expect((await find('users?status=deleted')).users).toMatchObject([{ suspendedAt: null, deletedAt: time }]);
  expect(await ofStatus('administrators')).toEqual([admin._id]);
  const unconfirmed = await ofStatus('unconfirmed');
  expect([unconfirmed.includes(suspended._id), unconfirmed.includes(confirmed._id)]).toEqual([true, false]);
  const all = await ofStatus('all');
  expect(all.slice(0, 3)).toEqual([confirmed._id, deleted._id, suspended._id]);
  const second = await find('users?limit=2&page=2');
  expect(second).toMatchObject({ currentPage: 2, total: all.length, totalPages: Math.ceil(all.length / 2) });
  expect(idsOf(second.users)).toEqual(all.slice(2, 4));
});

test('finds a listing in any state by number, id, parts of its title or business, and seller', async () => {
  const seller = await given.user({ fullName: 'Pania Tamahori', username: 'pania_t' });
  const { id, listing_number: number } = await given.listing({ sellerId: seller._id, title: 'Quokka fencing', status: 'inactive' });
  await given.listing({ title: 'Something else' });
  for (const q of [String(number), `#${number}`, id, 'okka fen', '@pania_t', seller.email, seller._id, 'pania tamahori']) {
    const { listings, total } = await find(`listings?q=${encodeURIComponent(q)}`);
    expect([q, idsOf(listings), total]).toEqual([q, [id], 1]);
  }
  const { subscription_ends_at: endsAt } = await db
    .selectFrom('listings')
    .select('subscription_ends_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect((await find(`users?q=${seller._id}`)).users).toMatchObject([{ listings: 1 }]);
  expect((await find(`listings?q=${id}`)).listings[0]).toMatchObject({
    status: 'inactive',
    endsAt: endsAt.toISOString(),
    seller: { _id: seller._id, name: 'Pania Tamahori', username: 'pania_t' },
  });
  expect((await find('listings?q=quokka&status=active')).listings).toEqual([]);
  expect((await find('listings?q=quokka&status=inactive')).total).toBe(1);
});

test('finds a review by id, text, answer, author and listing', async () => {
  const author = await given.user({ fullName: 'Hemi Takoko', username: 'hemi_t' });
  const { id: listingId, listing_number: number } = await given.listing({ title: 'Wombat walls' });
  const answered = { answer: 'We came back & fixed it.', answered_at: new Date() };
  const { id } = await db
    .insertInto('reviews')
    .values({ listing_id: listingId, author_id: author._id, rating: 2, comment: 'Paint_flakes 100% everywhere.', ...answered })
    .returning('id')
    .executeTakeFirstOrThrow();
  await given.review((await given.listing()).id, 2, 'Paint flakes 1000 everywhere.');
  for (const q of [id, 'PAINT_FLAKES', '100% every', 'back & fixed', '@hemi_t', author.email, 'hemi takoko', `#${number}`, listingId]) {
    const { reviews, total } = await find(`reviews?q=${encodeURIComponent(q)}`);
    expect([q, idsOf(reviews), total]).toEqual([q, [id], 1]);
  }
  expect((await find(`reviews?q=${id}`)).reviews[0]).toEqual({
    _id: id,
    rating: 2,
    comment: 'Paint_flakes 100% everywhere.',
    answer: 'We came back & fixed it.',
    pictures: [],
    createdAt: expect.any(String),
    removedBecause: null,
    author: { _id: author._id, name: 'Hemi Takoko', username: 'hemi_t' },
    listing: { _id: listingId, listingNumber: number, serviceTitle: 'Wombat walls' },
  });
  expect((await find('reviews?q=nobody-said-this')).reviews).toEqual([]);
});

test('lists reviews by stars and state, newest first and by page', async () => {
  const { id: listingId } = await given.listing();
  const set = (id: string, values: object) => db.updateTable('reviews').set(values).where('id', '=', id).execute();
  const made: string[] = [];
  for (const rating of [1, 1, 4, 4]) made.push((await given.review(listingId, rating)).id);
  const [published, removed, withdrawn, answered] = made as [string, string, string, string];
  await set(removed, { removed_at: new Date(), removed_because: 'offensive' });
  await set(withdrawn, { removed_at: new Date(), removed_because: 'withdrawn' });
  await set(answered, { answer: 'Thank you.', answered_at: new Date() });
  const found = async (more: string) => idsOf((await find(`reviews?q=${listingId}${more}`)).reviews);
  expect(await found('')).toEqual([answered, withdrawn, removed, published]);
  expect(await found('&status=published')).toEqual([answered, published]);
  expect(await found('&status=answered')).toEqual([answered]);
  expect(await found('&status=removed')).toEqual([removed]);
  expect(await found('&status=withdrawn')).toEqual([withdrawn]);
  expect(await found('&stars=1')).toEqual([removed, published]);
  expect(await found('&stars=4&status=published')).toEqual([answered]);
  expect(await find(`reviews?q=${listingId}&limit=3&page=2`)).toMatchObject({ reviews: [{ _id: published }], total: 4, totalPages: 2 });
  expect((await as(admin).get('/admin/reviews?stars=6')).status).toBe(400);
});

test('finds a payment with its refund by intent, id, invoice number and payer', async () => {
  const payer = await given.user({ fullName: 'Rangi Moana' });
  const intent = await given.payment(payer, 'premium');
  await callers.confirm(payer, intent);
  const other = await given.user();
  const open = await given.payment(other);
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', intent).executeTakeFirstOrThrow();
  const { number } = await db.selectFrom('receipts').select('number').where('payment_id', '=', id).executeTakeFirstOrThrow();
  for (const q of [intent, id, String(number), `inv-${number}`, payer.email, 'rangi moana']) {
    const { payments } = await find(`payments?q=${encodeURIComponent(q)}`);
    expect([q, idsOf(payments)]).toEqual([q, [id]]);
  }
  for (const q of [`X${number}`, `${number}x`, 'pi_nobodys']) expect([q, (await find(`payments?q=${q}`)).payments]).toEqual([q, []]);
  expect((await find(`payments?q=${intent}`)).payments[0]).toMatchObject({
    amountMinor: 2500,
    currency: 'NZD',
    status: 'succeeded',
    receiptNumber: number,
    refund: null,
    payer: { name: 'Rangi Moana' },
  });
  const intents = async (status: string) =>
    (await find(`payments?status=${status}`)).payments.map((one: { intentId: string }) => one.intentId);
  expect([await intents('open'), await intents('succeeded'), await intents('refunded')]).toEqual([[open], [intent], []]);
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  for (const [amountMinor, reason] of [
    [500, 'You were charged too much.'],
    [300, 'And a little more.'],
  ] as const) {
    const body = { amountMinor, reason, requestId: randomUUID() };
    expect((await as(admin).post(`/admin/payment/${id}/refund`, body)).status).toBe(201);
  }
  expect((await find('payments?status=refunded')).payments).toMatchObject([
    { _id: id, refund: { status: 'pending', reason: 'And a little more.', amountMinor: 300 }, owedMinor: 0, isDisputed: false },
  ]);
  const dispute = { provider_id: 'du_1', payment_id: id, amount_minor: 700, reason: 'fraudulent', opened_at: new Date() } as const;
  await db
    .insertInto('disputes')
    .values({ ...dispute, status: 'needs_response' })
    .execute();
  for (const q of [intent, 'du_1']) expect((await find(`payments?q=${q}`)).payments).toMatchObject([{ isDisputed: true }]);
  await db.updateTable('disputes').set({ status: 'lost' }).execute();
  expect((await find(`payments?q=${intent}`)).payments).toMatchObject([{ isDisputed: false }]);
});

test('returns an account with its listings, payments and sessions', async () => {
  const user = await given.user({ fullName: 'Moana Reid' });
  const { id: first } = await given.listing({ sellerId: user._id });
  const { id } = await given.listing({ sellerId: user._id });
  const intent = await given.payment(user);
  const page = await find(`users/${user._id}`);
  expect(page).toMatchObject({
    user: { _id: user._id, fullName: 'Moana Reid', listings: 2 },
    listings: [{ _id: id }, { _id: first }],
    payments: [{ intentId: intent }],
    sessions: [{ browser: expect.any(String) }],
    looks: [],
  });
  expect((await as(admin).get(`/admin/users/${unknown}`)).body.code).toBe('user_not_found');
  expect((await as(admin).get('/admin/users/x')).status).toBe(400);
});

test('rejects visitors and other users from search and staff views', async () => {
  const user = await given.user();
  for (const path of ['/admin/users', `/admin/users/${user._id}`, '/admin/listings', '/admin/payments']) {
    expect([path, (await asVisitor.get(path)).status, (await as(user).get(path)).status]).toEqual([path, 401, 403]);
  }
  const body = { reason: 'x' };
  expect((await asVisitor.post(`/admin/users/${admin._id}/look`, body)).status).toBe(401);
  expect((await as(user).post(`/admin/users/${admin._id}/look`, body)).status).toBe(403);
  expect((await as(user).delete('/admin/looks')).status).toBe(403);
});

const startLook = (userId: string, reason = 'They ask why a listing is missing.') =>
  as(admin).post(`/admin/users/${userId}/look`, { reason });

test('lets an administrator view the site as a user, read-only for half an hour, and shows the user who and why', async () => {
  const user = await given.user({ fullName: 'Hemi Walker' });
  const { id } = await given.listing({ sellerId: user._id, status: 'inactive' });
  const started = await startLook(user._id);
  expect(started.status).toBe(201);
  const asLook = as(started.body.data);
  expect((await asLook.get('/auth/session')).body.data).toMatchObject({ fullName: 'Hemi Walker' });
  expect((await asLook.get('/listing/mylistings')).body.listings).toMatchObject([{ _id: id }]);
  const rejected = [
    await asLook.put(`/listing/${id}/reactivate`, {}),
    await asLook.post(`/listing/saved/${id}`),
    await asLook.post('/reports', { kind: 'listing', id, reason: 'spam' }),
    await asLook.delete('/auth/sessions'),
  ];
  expect(rejected.map(({ status, body }) => [status, body.code])).toEqual(rejected.map(() => [403, 'look_only']));
  expect((await asLook.get('/events')).body.code).toBe('look_only');
  const seen = (await as(user).get('/auth/sessions')).body.sessions.filter((one: { look: object | null }) => one.look);
  expect(seen).toMatchObject([{ look: { reason: 'They ask why a listing is missing.', ended: false } }]);
  const page = await find(`users/${user._id}`);
  expect(page.looks).toMatchObject([{ by: 'Aroha Ngata', reason: 'They ask why a listing is missing.' }]);
  // The administrator's session is not listed as one of the user's.
  expect(page.sessions).toHaveLength(1);
  const [entry] = (await find('audit?table=looks&limit=1')).entries;
  expect(entry).toMatchObject({ what: 'looks.insert', actor: { name: 'Aroha Ngata' }, after: { user_id: user._id } });

  const left = Date.parse(started.body.endsAt) - Date.now();
  expect(Math.round(left / 60_000)).toBe(30);
  clock.set(new Date(Date.now() + 31 * 60_000));
  try {
    expect((await asLook.get('/auth/session')).status).toBe(401);
  } finally {
    clock.set(new Date());
  }
});

test('ends a staff view when the administrator or the user ends it, or the administrator loses the role', async () => {
  const user = await given.user();
  const isSignedIn = async (data: User) => (await as(data).get('/auth/session')).status === 200;
  const first = (await startLook(user._id)).body.data;
  expect(await isSignedIn(first)).toBe(true);
  expect((await as(admin).delete('/admin/looks')).status).toBe(200);
  expect(await isSignedIn(first)).toBe(false);
  const second = (await startLook(user._id)).body.data;
  const { sessions } = (await as(user).get('/auth/sessions')).body;
  await as(user).delete(`/auth/sessions/${sessions.find((one: { look: { ended: boolean } | null }) => one.look && !one.look.ended)._id}`);
  expect(await isSignedIn(second)).toBe(false);
  const staff = await administrator('Rawiri Tau');
  const third = (await as(staff).post(`/admin/users/${user._id}/look`, { reason: 'Asked to.' })).body.data;
  await as(admin).delete('/admin/looks');
  expect(await isSignedIn(third)).toBe(true);
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', staff._id).execute();
  expect(await isSignedIn(third)).toBe(false);
});

test('rejects a staff view without a reason, of oneself, and of suspended or deleted users; gives no administrator rights', async () => {
  const [user, other] = [await given.user(), await administrator('Rawiri Tau')];
  expect((await startLook(user._id, '')).status).toBe(400);
  expect((await startLook(user._id, 'x'.repeat(501))).status).toBe(400);
  expect((await startLook(admin._id)).body.code).toBe('own_matter');
  expect((await startLook(unknown)).body.code).toBe('user_not_found');
  const set = (values: object) => db.updateTable('users').set(values).where('id', '=', user._id).execute();
  await set({ suspended_at: new Date() });
  expect((await startLook(user._id)).body.code).toBe('user_not_found');
  await set({ suspended_at: null, deleted_at: new Date() });
  expect((await startLook(user._id)).body.code).toBe('user_not_found');
  const { data } = (await startLook(other._id)).body;
  expect((await as(data).get('/admin/users')).status).toBe(403);
});
