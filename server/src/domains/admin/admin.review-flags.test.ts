import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceHeader } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';

const { db, given, callers, outbox } = await testApp();
const { as, asVisitor, from } = callers;

type User = { _id: string; token: string; email: string };

const confirm = (user: { _id: string }) =>
  db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
let made = 0;
/** Registers a user, optionally with the device token of an earlier user, and returns the one that the server issues. */
async function registeredOn(device?: string) {
  made += 1;
  const name = `same_person_${made}`;
  const form = { fullName: 'Tama Rua', username: name, email: `${name}@example.org`, password: 'pohutukawa-9' };
  const { status, body } = await from('192.0.2.7', device ? { [deviceHeader]: device } : {}).post('/auth/register', form);
  expect(status).toBe(201);
  await confirm(body.data);
  return { user: body.data as User, device: body.device as string };
}
const admin = (await registeredOn()).user;
await db.updateTable('users').set({ role: 'admin' }).where('id', '=', admin._id).execute();

async function reviewBy(author: User, seller: User) {
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  const { status, body } = await as(author).post('/review/create', { listingId, rating: 5, comment: 'Simply the best.' });
  expect(status).toBe(201);
  return { listingId, id: body._id as string };
}
const caseOf = async (id: string, status = 'open') =>
  (await as(admin).get(`/admin/reports?status=${status}&limit=100`)).body.reports.find(
    (one: { about: { id: string } }) => one.about.id === id,
  );
const reportsOf = async (id: string) => (await caseOf(id))?.reports;
const flagged = (shared: string) => [
  {
    reason: 'not_genuine',
    text: `The author of this review and the seller have used the same ${shared}.`,
    by: null,
    createdAt: expect.any(String),
  },
];

test('flags a review whose author has used the seller’s browser, and keeps it published until a decision', async () => {
  const seller = await registeredOn();
  const author = await registeredOn(seller.device);
  const { id, listingId } = await reviewBy(author.user, seller.user);
  expect(await caseOf(id)).toMatchObject({
    about: { kind: 'review', id, listingId },
    words: '5 of 5 stars\nSimply the best.',
    concerned: { _id: author.user._id },
    reports: flagged('browser'),
  });
  expect((await asVisitor.get(`/listing/${listingId}`)).body.reviewCount).toBe(1);
});

test('flags a review whose author has saved the seller’s card, also a removed one, and once for both reasons', async () => {
  const [seller, author] = [await given.user(), await given.user()];
  await confirm(author);
  await given.card(seller, '4242424242424242');
  const cardId = await given.card(author, '4242424242424242');
  expect((await as(author).delete(`/credit/${cardId}`)).status).toBe(200);
  expect(await reportsOf((await reviewBy(author, seller)).id)).toEqual(flagged('card'));

  const [first, second] = [await registeredOn(), await registeredOn()];
  const third = await registeredOn(first.device);
  await given.card(first.user, '5555555555554444');
  await given.card(third.user, '5555555555554444');
  expect(await reportsOf((await reviewBy(third.user, first.user)).id)).toEqual(flagged('browser and the same card'));
  expect(await reportsOf((await reviewBy(third.user, second.user)).id)).toBeUndefined();
});

test('does not flag a review from another browser, with another card, or from a browser shared with someone else', async () => {
  const [seller, friend] = [await registeredOn(), await registeredOn()];
  const author = await registeredOn(friend.device);
  await given.card(seller.user, '4242424242424242');
  await given.card(author.user, '5555555555554444');
  expect(await reportsOf((await reviewBy(author.user, seller.user)).id)).toBeUndefined();
});

test('emails a decision about a flagged review to its author and to no reporter', async () => {
  const seller = await registeredOn();
  const author = await registeredOn(seller.device);
  const { id, listingId } = await reviewBy(author.user, seller.user);
  const { _id: caseId } = await caseOf(id);
  const form = { decision: 'remove_review', reason: 'It is your own listing.', removedBecause: 'not_genuine' };
  const before = (await outbox.mails()).length;
  expect((await as(admin).post(`/admin/reports/${caseId}/decide`, form)).status).toBe(200);
  const mails = (await outbox.mails()).slice(before);
  expect(mails.map((mail) => mail.to)).toEqual([author.user.email]);
  expect((await asVisitor.get(`/listing/${listingId}`)).body).toMatchObject({
    reviewCount: 0,
    removedReviews: [{ because: 'not_genuine' }],
  });
  expect((await caseOf(id, 'decided')).reports).toEqual(flagged('browser'));
});

test('recognizes a card by the provider’s fingerprint, and deletes it with the account', async () => {
  const user = await given.user();
  await given.card(user, '4242424242424242');
  const [card] = await db.selectFrom('cards').select('fingerprint').where('user_id', '=', user._id).execute();
  expect(card?.fingerprint).toMatch(/^[\w-]{16}$/);
  expect((await as(user).delete('/auth/account', { currentPassword: 'correct-horse' })).status).toBe(200);
  expect(await db.selectFrom('cards').select('fingerprint').where('user_id', '=', user._id).execute()).toEqual([{ fingerprint: null }]);
});

test('reports a burst of reviews once per seller and counts up until a decision', async () => {
  const [seller, other] = [await given.user(), await given.user()];
  const write = async (of: User) => {
    const author = await given.user();
    await confirm(author);
    await reviewBy(author, of);
  };
  for (let index = 0; index < 5; index += 1) await Promise.all([write(seller), write(other)]);
  expect(await caseOf(seller._id)).toBeUndefined();
  const text = (count: number) => `Within an hour, ${count} reviews of this seller’s listings came from ${count} accounts.`;
  const report = (count: number) => ({ reason: 'not_genuine', text: text(count), by: null, createdAt: expect.any(String) });
  await write(seller);
  expect(await caseOf(seller._id)).toMatchObject({ about: { kind: 'user', id: seller._id }, reports: [report(6)] });
  await write(seller);
  const { _id: caseId, reports } = await caseOf(seller._id);
  expect(reports).toEqual([report(7)]);
  const form = { decision: 'dismiss', reason: 'They asked their customers.' };
  expect((await as(admin).post(`/admin/reports/${caseId}/decide`, form)).status).toBe(200);
  await write(seller);
  expect(await caseOf(seller._id)).toBeUndefined();
  expect(await caseOf(other._id)).toBeUndefined();
  // Old reviews do not count towards a later burst.
  await sql`update reviews set created_at = created_at - interval '61 minutes'`.execute(db);
  await sql`update reports set created_at = created_at - interval '61 minutes'`.execute(db);
  await write(seller);
  expect(await caseOf(seller._id)).toBeUndefined();
  for (let index = 0; index < 5; index += 1) await write(seller);
  expect((await caseOf(seller._id)).reports).toEqual([report(6)]);
});
