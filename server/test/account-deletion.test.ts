import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo, photos } from '@handwise/sandbox/testing/photos';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';
import { runAudits } from '../src/composition/audit.ts';
import { syncIntent } from '../src/domains/payments/payments.service.ts';
import { saveListing } from '../src/domains/saved/saved.service.ts';

const { app, callers, given, db, outbox, parts, sandbox } = await testApp();
const { asVisitor, as, from } = callers;
const { clock, context, payments } = parts;

const leave = (user: { token: string }, currentPassword = 'correct-horse') => as(user).delete('/auth/account', { currentPassword });
const rowOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const confirmAll = () => db.updateTable('users').set({ email_confirmed_at: new Date() }).where('deleted_at', 'is', null).execute();
const countOf = async (
  table: 'sessions' | 'devices' | 'account_links' | 'address_changes' | 'saved_listings' | 'alerts' | 'user_events',
  userId: string,
) => (await db.selectFrom(table).select('user_id').where('user_id', '=', userId).execute()).length;
const mailsTo = async (address: string) => (await outbox.mails()).filter((mail) => mail.to === address).map((mail) => mail.subject);

/** A seller with a paid listing, pictures, a card, a saved listing, a review and a conversation. */
async function seller(email: string) {
  const user = await given.user({ fullName: 'Aroha Ngata', email });
  await as(user).put('/auth/update', { phoneNumber: '021 345 678', address: '5 Rātā Street', about: 'I fix roofs.' });
  await as(user).putForm('/auth/avatar', {}, [{ field: 'avatar', name: 'me.png', bytes: await photo(300) }]);
  await given.card(user);
  const paymentIntentId = await given.payment(user);
  await callers.confirm(user, paymentIntentId);
  const logo = { field: 'logo', name: 'logo.png', bytes: await photo(300, '#33a') };
  const published = await as(user).postForm(
    '/listing/create',
    given.listingForm('basic', { paymentIntentId, businessPhone: '021 345 678' }),
    [...(await photos(1)), logo],
  );
  const other = await given.user();
  const { id: otherListing } = await given.listing({ sellerId: other._id });
  await as(user).post(`/listing/saved/${otherListing}`);
  expect((await as(user).post('/alerts', { q: 'plumber', frequency: 'daily' })).status).toBe(200);
  await confirmAll();
  await as(user).post('/review/create', { listingId: otherListing, rating: 4, comment: 'Tidy work, fair price.' });
  const contact = await as(user).post('/email/send', { sellerId: other._id, listingId: otherListing, message: 'When could you come?' });
  return { user, other, otherListing, listingId: published.body._id as string, conversationId: contact.body.conversationId as string };
}

test('account deletion removes personal data, sessions and pictures, ends listings and emails the owner', async () => {
  const { user, listingId } = await seller('leaving@example.org');
  await as(user).put('/auth/email', { email: 'elsewhere@example.org', currentPassword: 'correct-horse' });
  const { avatar } = await rowOf(user._id);
  const stays = await given.user();
  await saveListing(context, stays._id, listingId);
  const answer = await leave(user);
  expect(await countOf('saved_listings', stays._id)).toBe(1);
  expect([answer.status, answer.body]).toEqual([200, { message: 'Your account has been deleted' }]);

  expect((await as(user).get('/auth/me')).status).toBe(401);
  expect((await asVisitor.post('/auth/login', { email: 'leaving@example.org', password: 'correct-horse' })).status).toBe(401);
  for (const table of ['sessions', 'devices', 'account_links', 'address_changes', 'saved_listings', 'alerts', 'user_events'] as const) {
    expect([table, await countOf(table, user._id)]).toEqual([table, 0]);
  }
  const row = await rowOf(user._id);
  const nothing = { full_name: 'Former member', avatar: '', phone_number: '', address: '', about: '', email_confirmed_at: null };
  expect(row).toMatchObject({ ...nothing, password_hash: '!', role: 'user' });
  expect(row.username).toMatch(/^former_\w{12}$/);
  expect(row.email).toMatch(/@deleted\.invalid$/);
  expect(row.deleted_at).not.toBeNull();

  const listing = await db.selectFrom('listings').selectAll().where('id', '=', listingId).executeTakeFirstOrThrow();
  expect(listing).toMatchObject({
    status: 'expired',
    pictures: [],
    logo: '',
    website: '',
    business_email: '',
    business_phone: '',
    business_info: '',
  });
  expect(listing).toMatchObject({ business_title: 'Former member', service_description: '', services: [] });
  expect(listing.subscription_ends_at.getTime()).toBeLessThan(Date.now() + 60_000);
  expect((await asVisitor.get(`/listing/${listingId}`)).body.code).toBe('listing_gone');
  const subscriptions = await db.selectFrom('subscriptions').select('ends_at').where('user_id', '=', user._id).execute();
  for (const { ends_at: endsAt } of subscriptions) expect(endsAt.getTime()).toBeLessThan(Date.now() + 60_000);

  await deleteOrphanedFiles(db, context.store, 0);
  expect((await app.inject(avatar)).statusCode).toBe(404);
  expect(await db.selectFrom('files').select('key').where('state', '=', 'attached').execute()).toEqual([]);
  expect((await mailsTo('leaving@example.org')).at(-1)).toBe('Your account on Handwise has been deleted');
});

test('the ledger balances when an account is deleted within a second of publishing', async () => {
  const user = await given.user();
  const paymentIntentId = await given.payment(user);
  await callers.confirm(user, paymentIntentId);
  const form = given.listingForm('basic', { paymentIntentId });
  expect((await as(user).postForm('/listing/create', form, await photos(1))).status).toBe(201);
  const { starts_at: startsAt } = await db
    .selectFrom('subscriptions')
    .select('starts_at')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  clock.set(startsAt);
  expect((await leave(user)).status).toBe(200);
  clock.set(new Date());
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});

test('keeps payments, deletes the customer at the provider and leaves no chargeable card', async () => {
  const { user } = await seller('books@example.org');
  const { customer_id: customer } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  await leave(user);
  const receipts = await db.selectFrom('receipts').select('details').where('user_id', '=', user._id).execute();
  expect(receipts).toMatchObject([{ details: { customer: { name: 'Aroha Ngata', email: 'books@example.org' } } }]);
  expect(await db.selectFrom('payments').select('status').where('user_id', '=', user._id).execute()).toEqual([{ status: 'succeeded' }]);
  const cards = await db.selectFrom('cards').select(['full_name', 'removed_at']).where('user_id', '=', user._id).execute();
  expect(cards.length).toBeGreaterThan(0);
  for (const card of cards) expect(card).toEqual({ full_name: '', removed_at: expect.any(Date) });
  expect((await sandbox.provider.customers.retrieve(customer)).deleted).not.toBe(true);
  await outbox.runJobs();
  expect((await sandbox.provider.customers.retrieve(customer)).deleted).toBe(true);
  expect(await db.selectFrom('payment_customers').select('user_id').where('user_id', '=', user._id).execute()).toEqual([]);
});

test('shows a former member who cannot be messaged', async () => {
  const { user, other, otherListing, conversationId } = await seller('seen@example.org');
  await leave(user);
  const { body } = await asVisitor.get(`/listing/${otherListing}`);
  expect(body.reviews).toMatchObject([{ buyerName: 'Former member', buyerAvatar: '', comment: 'Tidy work, fair price.' }]);
  expect(JSON.stringify(body)).not.toContain('Aroha');
  const conversation = await as(other).get(`/messages/${conversationId}`);
  expect(conversation.body.conversation.with.name).toBe('Former member');
  expect(conversation.body.messages).toMatchObject([{ text: 'When could you come?' }]);
  const answer = await as(other).post(`/messages/${conversationId}`, { message: 'On Friday', clientId: crypto.randomUUID() });
  expect(answer.body.code).toBe('member_left');
});

test('frees the address and username, and retires the referral code', async () => {
  const user = await given.user({ email: 'again@example.org', username: 'again_me' });
  await leave(user);
  const next = await given.user({ email: 'again@example.org', username: 'again_me' });
  expect(next._id).not.toBe(user._id);
  expect(next.referralCode).not.toBe(user.referralCode);
  expect((await asVisitor.get(`/referral/check/${user.referralCode}`)).body).toEqual({ valid: false });
  expect((await asVisitor.get(`/referral/check/${next.referralCode}`)).body).toEqual({ valid: true });
});

test('requires the password under the sign-in limit, and deletes the own account only', async () => {
  const user = await given.user();
  const wrong = await leave(user, 'wrong-horse');
  expect([wrong.status, wrong.body.errors]).toEqual([400, [{ field: 'currentPassword', message: 'Current password is incorrect' }]]);
  expect((await as(user).delete('/auth/account', {})).body.message).toBe('Current password is required');
  expect((await asVisitor.delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(401);
  const thief = from('198.51.100.11', { authorization: `Bearer ${user.token}` });
  for (let at = 0; at < 10; at += 1) expect((await thief.delete('/auth/account', { currentPassword: `wrong-${at}` })).status).toBe(400);
  expect((await thief.delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(429);
  expect((await as(user).get('/auth/me')).body.data.email).toBe(user.email);
});

test('anonymizes the owner’s contact messages and leaves others’ unchanged', async () => {
  const [user, unconfirmed] = [await given.user({ email: 'letters@example.org' }), await given.user({ email: 'not-mine@example.org' })];
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', unconfirmed._id).execute();
  const form = { fullName: 'Aroha Ngata', website: 'https://ngata.example.org' };
  for (const email of ['Letters@Example.org', 'not-mine@example.org', 'else@example.org']) {
    expect((await asVisitor.post('/contact', { ...form, email, message: `From ${email.slice(0, 4)}` })).status).toBe(200);
  }
  expect([(await leave(user)).status, (await leave(unconfirmed)).status]).toEqual([200, 200]);
  const stored = await db.selectFrom('contact_messages').select(['full_name', 'email', 'website', 'message']).orderBy('id').execute();
  expect(stored).toEqual([
    { full_name: 'Former member', email: `${user._id}@deleted.invalid`, website: '', message: 'From Lett' },
    { full_name: 'Aroha Ngata', email: 'not-mine@example.org', website: form.website, message: 'From not-' },
    { full_name: 'Aroha Ngata', email: 'else@example.org', website: form.website, message: 'From else' },
  ]);
});

test('requires a recent proof of identity', async () => {
  const user = await given.user();
  await db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 11 * 60_000) })
    .where('user_id', '=', user._id)
    .execute();
  const refused = await leave(user);
  expect([refused.status, refused.body.code]).toEqual([403, 'confirm_identity']);
  expect((await rowOf(user._id)).deleted_at).toBeNull();
  expect((await as(user).post('/auth/confirm-identity', { password: 'correct-horse' })).status).toBe(200);
  expect((await leave(user)).status).toBe(200);
});

test('keeps the last administrator, also when two delete their accounts concurrently', async () => {
  const [one, two] = [await given.user(), await given.user()];
  await db.updateTable('users').set({ role: 'admin' }).where('id', 'in', [one._id, two._id]).execute();
  const answers = await Promise.all([leave(one), leave(two)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('last_administrator');
  const left = answers[0].status === 200 ? two : one;
  expect((await leave(left)).body.code).toBe('last_administrator');
  // One who is suspended is no help.
  const suspended = await given.user();
  await db.updateTable('users').set({ role: 'admin', suspended_at: new Date() }).where('id', '=', suspended._id).execute();
  expect((await leave(left)).body.code).toBe('last_administrator');
});

test('cancels open payments at the provider', async () => {
  const user = await given.user();
  const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('basic'), country: 'NZ' });
  expect((await leave(user)).status).toBe(200);
  expect((await sandbox.provider.paymentIntents.retrieve(body.paymentIntentId)).status).toBe('canceled');
  expect(await db.selectFrom('payments').select('status').where('user_id', '=', user._id).execute()).toEqual([{ status: 'canceled' }]);
});

test('a payment that arrives during the deletion is booked, and the deletion must be repeated', async () => {
  const user = await given.user();
  await given.payment(user);
  const refused = await leave(user);
  expect([refused.status, refused.body.code]).toEqual([409, 'payment_processing']);
  expect((await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions).toHaveLength(1);
  expect((await rowOf(user._id)).deleted_at).toBeNull();
  expect((await leave(user)).status).toBe(200);
});

test('refunds money that arrives for a deleted account', async () => {
  const user = await given.user();
  const intentId = await given.payment(user);
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user._id).execute();
  await syncIntent(payments, intentId);
  expect(await db.selectFrom('refunds').select('reason').execute()).toEqual([{ reason: 'The account is deleted.' }]);
  expect(await db.selectFrom('subscriptions').select('id').where('user_id', '=', user._id).execute()).toEqual([]);
});

test('rejects a concurrent request of the deleted account', async () => {
  const user = await given.user();
  const { id } = await given.listing();
  await leave(user);
  await expect(saveListing(context, user._id, id)).rejects.toMatchObject({ code: 'not_authenticated' });
});

test('hidden listings stay hidden, and are expired when shown again', async () => {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id });
  await db.updateTable('listings').set({ status: 'hidden', hidden_from: 'active' }).where('id', '=', id).execute();
  await leave(user);
  const listing = await db.selectFrom('listings').select(['status', 'subscription_ends_at']).where('id', '=', id).executeTakeFirstOrThrow();
  expect(listing.status).toBe('hidden');
  expect(listing.subscription_ends_at.getTime()).toBeLessThan(Date.now() + 60_000);
});

test('records the deletion as the member’s own, without name or address', async () => {
  const user = await given.user({ email: 'in-the-log@example.org' });
  await leave(user);
  const entries = await db.selectFrom('audit_log').selectAll().where('subject_id', '=', user._id).execute();
  expect(entries.at(-1)).toMatchObject({ actor_id: user._id, what: 'users.update', after: { deleted_at: expect.any(String) } });
  expect(JSON.stringify(entries)).not.toContain('in-the-log');
});
