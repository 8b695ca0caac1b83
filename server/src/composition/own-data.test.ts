import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo, photos } from '@handwise/sandbox/testing/photos';
import { unzipped } from '@handwise/sandbox/testing/zip';

const { app, callers, given, db, parts } = await testApp();
const { asVisitor, as, from } = callers;

async function exported(user: { token: string }) {
  const answer = await app.inject({ url: '/api/auth/export', headers: { authorization: `Bearer ${user.token}` } });
  expect([answer.statusCode, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
    200,
    'application/zip',
    'attachment; filename="my-data.zip"',
  ]);
  const files = unzipped(answer.rawPayload);
  const json = (name: string): any[] => JSON.parse(files.get(`${name}.json`)?.toString() ?? 'null');
  return { files, json, text: answer.rawPayload };
}

/** A user with data of every kind, and their conversation partner. */
async function busyMember() {
  const user = await given.confirmed(await given.user({ fullName: 'Aroha Ngata', email: 'aroha@example.org' }));
  const other = await given.user({ fullName: 'Secret Stranger', email: 'stranger@example.org' });
  await as(user).put('/auth/update', { phoneNumber: '021 345 678', address: '5 Rātā Street', about: 'I fix roofs.' });
  await as(user).putForm('/auth/avatar', {}, [{ field: 'avatar', name: 'me.png', bytes: await photo(300) }]);
  await given.card(user);
  const paymentIntentId = await given.payment(user);
  await callers.confirm(user, paymentIntentId);
  const form = given.listingForm('basic', { paymentIntentId });
  const published = await as(user).postForm('/listing/create', form, await photos(2));
  expect(published.status).toBe(201);
  const { secret } = (await as(user).post('/auth/authenticator')).body;
  const identity = {
    user_id: user._id,
    provider: 'google',
    subject: 'subject-there',
    email: 'aroha@gmail.example',
    created_at: new Date(),
  } as const;
  await db.insertInto('identities').values(identity).execute();
  const { id: otherListing } = await given.listing({ sellerId: other._id });
  await as(user).post(`/listing/saved/${otherListing}`);
  const alert = await as(user).post('/alerts', { q: 'plumber', frequency: 'weekly' });
  await db.insertInto('alert_finds').values({ alert_id: alert.body._id, listing_id: otherListing }).execute();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).execute();
  await as(user).post('/review/create', { listingId: otherListing, rating: 4, comment: 'Tidy work, fair price.' });
  const contact = await as(user).post('/email/send', { sellerId: other._id, listingId: otherListing, message: 'When could you come?' });
  const job = { job: 'A tap drips.', category: 'Plumbing', place: 'Taupō', when: 'asap', listingId: otherListing };
  await as(user).post('/quote-requests', { ...job, clientId: 'c0ffee00-0000-4000-8000-000000000002' });
  const quote = await as(other).post('/quotes', {
    conversationId: contact.body.conversationId,
    clientId: 'c0ffee00-0000-4000-8000-000000000003',
    kind: 'quote',
    gstIncluded: true,
    validUntil: new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10),
    lines: [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }],
  });
  expect((await as(user).post(`/quotes/${quote.body._id}/accept`)).status).toBe(200);
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const visit = await as(other).post('/visits', {
    conversationId: contact.body.conversationId,
    clientId: 'c0ffee00-0000-4000-8000-000000000004',
    times: [{ start: `${day}T10:00`, minutes: 60 }],
  });
  expect((await as(user).post(`/visits/${visit.body._id}/take`, { start: visit.body.times[0].start })).status).toBe(200);
  await as(user).post('/visits/feed');
  return { user, other, published: published.body._id as string, otherListing, secret: secret as string };
}

test('exports all data of a user as one archive, and none of others', async () => {
  const { user, other, published, otherListing, secret } = await busyMember();
  const viewed = (listing_id: string) => ({ listing_id, day: sql<Date>`date '2027-03-01'`, views: 3, visitors: 2, numbers_shown: 1 });
  await db
    .insertInto('listing_views')
    .values([viewed(published), viewed(otherListing)])
    .execute();
  const { files, json } = await exported(user);
  expect(json('account')).toMatchObject([
    { fullName: 'Aroha Ngata', email: 'aroha@example.org', phoneNumber: '021 345 678', about: 'I fix roofs.' },
  ]);
  expect(json('sessions')).toHaveLength(1);
  expect(json('devices')).toHaveLength(1);
  expect(json('push-devices')).toEqual([]);
  expect(json('passkeys')).toEqual([]);
  expect(json('connected-accounts')).toMatchObject([{ provider: 'google', idThere: 'subject-there', email: 'aroha@gmail.example' }]);
  expect(json('second-step')).toEqual([{ authenticator: false, recoveryCodesLeft: 0 }]);
  expect(json('cards')).toMatchObject([{ cardLast4: '4242' }]);
  expect(json('payments')).toMatchObject([{ purpose: 'listing', amountMinor: 1500, currency: 'NZD', status: 'succeeded' }]);
  expect(json('invoices')).toMatchObject([{ details: { totalMinor: 1500 } }]);
  expect(json('subscriptions')).toMatchObject([{ planType: 'basic', slotsUsed: 1 }]);
  expect(json('renewals')).toEqual([]);
  expect(json('listings')).toMatchObject([{ id: published }]);
  expect(json('reviews')).toMatchObject([{ listingId: otherListing, comment: 'Tidy work, fair price.' }]);
  expect(json('answers')).toEqual([]);
  expect(json('listing-views')).toEqual([
    { listingId: published, serviceTitle: 'Friendly local plumber', day: '2027-03-01', views: 3, visitors: 2, numbersShown: 1 },
  ]);
  expect(json('saved-listings')).toMatchObject([{ listingId: otherListing }]);
  expect(json('alerts')).toMatchObject([{ name: 'Plumbing', search: 'category=plumbing', frequency: 'weekly', lastMailAt: null }]);
  expect(json('alert-finds')).toMatchObject([{ alert: 'Plumbing', listingId: otherListing, toldAt: null }]);
  expect(json('conversations')).toMatchObject([
    {
      listingId: otherListing,
      messages: [{ mine: true, text: 'When could you come?' }, { text: 'A tap drips.' }, { mine: false }, { mine: false }, { mine: true }],
    },
  ]);
  const [conversation] = json('conversations');
  const accepted = { state: 'accepted', totalMinor: 9_500, lines: [{ description: 'Labour', amountMinor: 9_500 }] };
  expect(json('quotes')).toMatchObject([{ ...accepted, role: 'buyer', conversationId: conversation.id }]);
  expect(json('visits')).toMatchObject([{ state: 'agreed', role: 'buyer', agreed: { minutes: 60 }, conversationId: conversation.id }]);
  expect(json('visit-calendar-addresses')).toEqual([{ createdAt: expect.any(String) }]);
  expect(json('quote-requests')).toMatchObject([
    { job: 'A tap drips.', category: 'Plumbing', place: 'Taupō, Waikato', when: 'asap', pictures: [], conversations: [conversation.id] },
  ]);

  const pictures = [...files.keys()].filter((name) => name.startsWith('pictures/'));
  expect(pictures.filter((name) => name.startsWith('pictures/account/'))).toHaveLength(1);
  expect(
    json('listings')[0]
      .pictures.map((one: any) => one.file)
      .toSorted(),
  ).toEqual(pictures.filter((name) => name.startsWith('pictures/listings/')).toSorted());
  // Each is a picture, not only its name.
  for (const name of pictures) expect(files.get(name)?.toString('latin1', 8, 12)).toBe('WEBP');
  expect(files.get('README.txt')?.toString()).toContain('What we keep about you');

  const everything = [...files.values()].map(String).join('\n');
  expect(everything).not.toContain('$argon2');
  for (const hidden of [user.token, secret]) expect(everything).not.toContain(hidden);
  for (const theirs of ['Secret Stranger', 'stranger@example.org']) expect(everything).not.toContain(theirs);

  // The other side has the same message as received.
  expect((await exported(other)).json('conversations')).toMatchObject([
    { messages: [{ mine: false, text: 'When could you come?' }, { mine: false }, { mine: true }, { mine: true }, { mine: false }] },
  ]);
  expect((await exported(other)).json('visits')).toMatchObject([{ state: 'agreed', role: 'seller' }]);
  expect((await exported(other)).json('quote-requests')).toEqual([]);
  expect((await exported(other)).json('quotes')).toMatchObject([{ ...accepted, role: 'seller' }]);
});

test('exports answers to reviews to their author, without unanswered reviews', async () => {
  const [seller, other] = [await given.user(), await given.user()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { id: elsewhere } = await given.listing({ sellerId: other._id });
  const [answered, theirs] = [await given.review(listingId, 5), await given.review(elsewhere, 3)];
  await given.review(listingId, 4);
  await as(seller).post(`/review/${answered.id}/answer`, { comment: 'Thank you.' });
  await as(other).post(`/review/${theirs.id}/answer`, { comment: 'We know.' });
  expect((await exported(seller)).json('answers')).toMatchObject([{ reviewId: answered.id, listingId, answer: 'Thank you.' }]);
  expect((await exported(other)).json('answers')).toMatchObject([{ reviewId: theirs.id, answer: 'We know.' }]);
});

test('exports referrals and rewards to both sides, without the other’s name', async () => {
  const owner = await given.user({ fullName: 'Owner Secret' });
  const form = { fullName: 'Comer Hidden', username: 'came_by_it', email: 'hidden@example.org', password: 'pohutukawa-9' };
  const referred = (await from('198.51.100.7').post('/auth/register', { ...form, referralCode: owner.referralCode })).body.data;
  const [ofOwner, ofReferred] = [await exported(owner), await exported(referred)];
  expect(ofOwner.json('referrals')).toMatchObject([{ as: 'referrer', status: 'pending', code: owner.referralCode }]);
  expect(ofReferred.json('referrals')).toMatchObject([{ as: 'referred', status: 'pending' }]);
  expect(ofOwner.json('rewards')).toMatchObject([{ reward: 'draw_entries', change: 'issue', quantity: 1, cause: 'code_used' }]);
  expect(ofReferred.json('rewards')).toMatchObject([{ cause: 'signup' }]);
  expect(ofOwner.json('referral-notifications')).toMatchObject([{ type: 'signup', tickets: 1, seenAt: null }]);
  expect(ofReferred.json('referral-notifications')).toEqual([]);
  expect(ofOwner.json('referral-findings')).toEqual([]);
  expect([...ofOwner.files.values()].map(String).join('\n')).not.toContain('Comer Hidden');
  expect([...ofReferred.files.values()].map(String).join('\n')).not.toContain('Owner Secret');
  await db
    .insertInto('referral_findings')
    .values({ referrer_id: owner._id, referred_id: referred._id, rule: 'ring', severity: 'reject', created_at: new Date() })
    .execute();
  for (const user of [owner, referred])
    expect((await exported(user)).json('referral-findings')).toMatchObject([{ rule: 'ring', severity: 'reject' }]);
});

test('exports empty lists for a user without activity', async () => {
  const user = await given.user();
  const { files, json } = await exported(user);
  expect(json('listings')).toEqual([]);
  expect(json('conversations')).toEqual([]);
  expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toEqual([]);
});

test('exports contact messages from the account’s confirmed address only', async () => {
  const [owner, unconfirmed] = [await given.user({ email: 'Writes@example.org' }), await given.user({ email: 'claims@example.org' })];
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', owner._id).execute();
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', unconfirmed._id).execute();
  const write = (email: string, message: string) =>
    asVisitor.post('/contact', { fullName: 'Wiki Rata', email, website: 'https://rata.example.org', message });
  for (const email of ['wriTes@example.org', 'claims@example.org']) expect((await write(email, `I am ${email}.`)).status).toBe(200);
  expect((await exported(owner)).json('messages-to-us')).toEqual([
    {
      fullName: 'Wiki Rata',
      email: expect.stringMatching(/^writes@example\.org$/i),
      website: 'https://rata.example.org',
      message: 'I am wriTes@example.org.',
      createdAt: expect.any(String),
    },
  ]);
  expect((await exported(unconfirmed)).json('messages-to-us')).toEqual([]);
});

test('exports all conversations, regardless of their number', async () => {
  const user = await given.user();
  const seller = await given.user();
  const ids = [];
  for (let at = 0; at < 103; at += 1) ids.push((await given.listing({ sellerId: seller._id })).id);
  await db
    .insertInto('conversations')
    .values(ids.map((listing_id) => ({ listing_id, buyer_id: user._id, seller_id: seller._id })))
    .execute();
  await sql`insert into participants (conversation_id, role, user_id) select id, 'buyer', buyer_id from conversations where buyer_id = ${user._id}`.execute(
    db,
  );
  const { json } = await exported(user);
  expect(new Set(json('conversations').map((one) => one.listingId))).toEqual(new Set(ids));
  expect(json('conversations')).toHaveLength(103);
});

test('exports a picture missing from the store as an empty file', async () => {
  const user = await given.user();
  await as(user).putForm('/auth/avatar', {}, [{ field: 'avatar', name: 'me.png', bytes: await photo(300) }]);
  const { avatar } = (await as(user).get('/auth/me')).body.data;
  await parts.context.store.delete([avatar.replace('/files/', '')]);
  const { files, json } = await exported(user);
  expect(json('account')).toMatchObject([{ avatar }]);
  const picture = [...files].find(([name]) => name.startsWith('pictures/'));
  expect(picture?.[1].length).toBe(0);
});

test('the export requires a recent sign-in and is limited to five a day', async () => {
  const user = await given.user();
  const get = () => app.inject({ url: '/api/auth/export', headers: { authorization: `Bearer ${user.token}` } });
  expect((await asVisitor.get('/auth/export')).status).toBe(401);
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', user._id)
    .execute();
  expect((await get()).json().code).toBe('confirm_identity');
  await db.updateTable('sessions').set({ confirmed_at: new Date() }).where('user_id', '=', user._id).execute();
  for (let at = 0; at < 5; at += 1) expect((await get()).statusCode).toBe(200);
  const refused = await get();
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
});
