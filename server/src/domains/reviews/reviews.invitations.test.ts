import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { openReviewHooks } from '../../composition/hooks.ts';
import { createMailChecks } from '../../composition/job-handlers.ts';
import { inviteReviews } from './reviews.invitations.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;

// Noon on Tuesday in Auckland.
const start = new Date('2027-02-22T23:00:00Z');
const today = '2027-02-23';
const dayMs = 86_400_000;
const at = (days: number) => clock.set(new Date(start.getTime() + days * dayMs + 60_000));
const invite = async (days: number) => {
  at(days);
  await inviteReviews(context, openReviewHooks(context));
};

type User = Awaited<ReturnType<typeof given.user>>;
const send = (user: User, id: string, message = 'Kia ora') => as(user).post(`/messages/${id}`, { message, clientId: randomUUID() });

type Started = { messages?: number; business?: string; confirmed?: boolean; district?: number };
async function startConversation({ messages = 2, ...options }: Started = {}) {
  clock.set(start);
  const [seller, buyer] = [
    await given.member(),
    options.confirmed === false ? await given.user() : await given.member({ fullName: 'Tama Rua' }),
  ];
  const { id: listingId } = await given.listing({ sellerId: seller._id, ...(options.district && { district: options.district }) });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  const id = body.conversationId as string;
  await send(seller, id);
  if (messages > 1) for (const user of [buyer, seller]) await send(user, id);
  return { seller, buyer, listingId, id };
}

async function acceptQuote({ seller, buyer, id }: { seller: User; buyer: User; id: string }, startsOn = '') {
  const lines = [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }];
  const form = {
    conversationId: id,
    clientId: randomUUID(),
    kind: 'quote',
    gstIncluded: true,
    validUntil: addDays(today, 7),
    lines,
    startsOn,
  };
  const { status, body } = await as(seller).post('/quotes', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  expect(body.startsOn).toBe(startsOn || null);
  await as(buyer).post(`/quotes/${body._id}/accept`);
  return body._id as string;
}
const invitationsTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, subject }) => to === email && subject.startsWith('How did it go'));

test('asks once, fourteen days after the last message where both wrote twice, and links to the reviews', async () => {
  const { buyer, seller, listingId, id } = await startConversation();
  await invite(13.9);
  expect(await invitationsTo(buyer)).toEqual([]);
  await invite(14);
  await Promise.all([inviteReviews(context, openReviewHooks(context)), inviteReviews(context, openReviewHooks(context))]);
  await invite(20);
  expect(await invitationsTo(buyer)).toMatchObject([
    {
      subject: 'How did it go with Kingi & Daughters?',
      blocks: [{}, { kind: 'button', url: `http://localhost:3000/listing/${listingId}#reviews` }, {}],
      onlyIf: { check: 'review_wanted', key: id },
    },
  ]);
  expect(await invitationsTo(seller)).toEqual([]);
});

test('a later message moves the day, and one side that wrote once is no conversation', async () => {
  const [later, short] = [await startConversation(), await startConversation({ messages: 1 })];
  at(5);
  await send(later.buyer, later.id);
  await invite(14);
  expect([await invitationsTo(later.buyer), await invitationsTo(short.buyer)]).toEqual([[], []]);
  await invite(19.1);
  expect(await invitationsTo(later.buyer)).toHaveLength(1);
});

test('asks ten days after the work of an accepted quote starts, at nine in the morning there, whatever was written since', async () => {
  const agreed = await startConversation({ messages: 1 });
  await acceptQuote(agreed, addDays(today, 20));
  // Nine in the morning is 21 hours after noon.
  await invite(29.86);
  expect(await invitationsTo(agreed.buyer)).toEqual([]);
  await invite(29.88);
  expect(await invitationsTo(agreed.buyer)).toHaveLength(1);
  expect(await db.selectFrom('review_invitations').select('because').where('conversation_id', '=', agreed.id).execute()).toEqual([
    { because: 'quote' },
  ]);
});

test('asks at nine in the morning of Perth for work there, whether a day was agreed or not', async () => {
  const [written, agreed] = [await startConversation({ district: 2101 }), await startConversation({ district: 2101, messages: 1 })];
  await acceptQuote(agreed, addDays(today, 4));
  const nineInPerth = Date.parse('2027-03-09T01:00:00Z');
  const before = (nineInPerth - start.getTime()) / dayMs;
  await invite(before - 2 / (24 * 60));
  expect([await invitationsTo(written.buyer), await invitationsTo(agreed.buyer)]).toEqual([[], []]);
  await invite(before);
  expect([await invitationsTo(written.buyer), await invitationsTo(agreed.buyer)]).toMatchObject([[{}], [{}]]);
});

test('an accepted quote without a day counts like messages, and a day that has passed is refused', async () => {
  const agreed = await startConversation();
  await acceptQuote(agreed);
  await invite(14.1);
  expect(await invitationsTo(agreed.buyer)).toHaveLength(1);
  clock.set(start);
  const other = await startConversation();
  for (const startsOn of [addDays(today, -1), addDays(today, 731), '2027-02-30'])
    await expect(acceptQuote(other, startsOn)).rejects.toThrow('startsOn');
});

test('asks who comes behind others that do not want to be asked', async () => {
  const all = [await startConversation(), await startConversation(), await startConversation()].toSorted((one, other) =>
    one.id < other.id ? -1 : 1,
  );
  for (const { buyer } of all.slice(0, -1)) await db.insertInto('ended_mails').values({ user_id: buyer._id, kind: 'reviews' }).execute();
  at(14.1);
  await inviteReviews(context, openReviewHooks(context), 1);
  expect(await Promise.all(all.map(({ buyer }) => invitationsTo(buyer)))).toMatchObject([[], [], [{}]]);
});

test('asks who comes behind one whose time has not come', async () => {
  const [first, second] = [await startConversation(), await startConversation()];
  expect(first.id < second.id).toBe(true);
  await acceptQuote(first, addDays(today, 5));
  await invite(14.1);
  expect([await invitationsTo(first.buyer), await invitationsTo(second.buyer)]).toMatchObject([[], [{}]]);
});

test('an invitation that fails keeps no other from being sent, and is tried again', async () => {
  const [broken, whole] = [await startConversation(), await startConversation()];
  at(14.1);
  await inviteReviews(failingMailsTo(context, broken.buyer), openReviewHooks(context));
  expect([await invitationsTo(broken.buyer), await invitationsTo(whole.buyer)]).toMatchObject([[], [{}]]);
  await invite(14.2);
  expect([await invitationsTo(broken.buyer), await invitationsTo(whole.buyer)]).toMatchObject([[{}], [{}]]);
});

test('the business can take nobody out, by a block or a bad experience', async () => {
  const { buyer, seller, id } = await startConversation();
  await as(seller).post(`/messages/${id}/block`);
  await invite(14.1);
  expect(await invitationsTo(buyer)).toHaveLength(1);
});

test.each<[string, (one: Awaited<ReturnType<typeof startConversation>>) => Promise<unknown>]>([
  [
    'has reviewed',
    ({ listingId, buyer }) =>
      db.insertInto('reviews').values({ listing_id: listingId, author_id: buyer._id, rating: 1, comment: 'Late.' }).execute(),
  ],
  [
    'has withdrawn a review',
    ({ listingId, buyer }) =>
      db
        .insertInto('reviews')
        .values({
          listing_id: listingId,
          author_id: buyer._id,
          rating: 1,
          comment: 'Late.',
          removed_at: start,
          removed_because: 'withdrawn',
        })
        .execute(),
  ],
  ['has reported the listing', ({ listingId, buyer }) => as(buyer).post('/reports', { kind: 'listing', id: listingId, reason: 'spam' })],
  ['has stopped these emails', ({ buyer }) => as(buyer).put('/mails', { kind: 'reviews', on: false })],
  ['is suspended', ({ buyer }) => db.updateTable('users').set({ suspended_at: start }).where('id', '=', buyer._id).execute()],
  [
    'cannot review a paused listing',
    ({ listingId }) => db.updateTable('listings').set({ status: 'inactive' }).where('id', '=', listingId).execute(),
  ],
])('asks nobody who %s', async (_, change) => {
  const one = await startConversation();
  await change(one);
  await invite(14.1);
  expect(await invitationsTo(one.buyer)).toEqual([]);
});

test('asks nobody without a confirmed address, and nobody of a conversation from long ago', async () => {
  const unconfirmed = await startConversation({ confirmed: false });
  await invite(14.1);
  expect(await invitationsTo(unconfirmed.buyer)).toEqual([]);
  const old = await startConversation();
  await invite(29);
  expect(await invitationsTo(old.buyer)).toEqual([]);
});

test('a listing that comes back within two weeks brings the invitation', async () => {
  const { buyer, listingId } = await startConversation();
  const set = (status: 'active' | 'inactive') => db.updateTable('listings').set({ status }).where('id', '=', listingId).execute();
  await set('inactive');
  await invite(14.1);
  await set('active');
  await invite(18);
  expect(await invitationsTo(buyer)).toHaveLength(1);
});

test('one tap on the link stops all of them, also one that waits for the mail server', async () => {
  const [one, other] = [await startConversation(), await startConversation()];
  await db.updateTable('conversations').set({ buyer_id: one.buyer._id }).where('id', '=', other.id).execute();
  await db
    .updateTable('participants')
    .set({ user_id: one.buyer._id })
    .where('conversation_id', '=', other.id)
    .where('role', '=', 'buyer')
    .execute();
  await invite(14.1);
  const [mail] = await invitationsTo(one.buyer);
  const isStillSent = (id: string) => createMailChecks(context).review_wanted(id);
  expect(await isStillSent(one.id)).toBe(true);
  const { status } = await asVisitor.post((mail?.end?.oneClick ?? '').replace('http://localhost:3000/api', ''));
  expect([status, await isStillSent(one.id)]).toEqual([200, false]);
  const { body } = await as(one.buyer).get('/mails');
  expect(body.mails).toContainEqual({ kind: 'reviews', text: expect.any(String), on: false });
});

test('an invitation that waits is dropped once the customer has reviewed', async () => {
  const { buyer, listingId, id } = await startConversation();
  await invite(14.1);
  expect((await as(buyer).post('/review/create', { listingId, rating: 5, comment: 'Tidy.' })).status).toBe(201);
  expect(await createMailChecks(context).review_wanted(id)).toBe(false);
});

test('a review says that its author accepted a quote here', async () => {
  const one = await startConversation();
  await as(one.buyer).post('/review/create', { listingId: one.listingId, rating: 5, comment: 'Tidy.' });
  const evidence = async () => (await asVisitor.get(`/listing/${one.listingId}/reviews`)).body.reviews[0].evidence;
  expect(await evidence()).toMatchObject({ quoteAcceptedAt: null });
  await acceptQuote(one);
  expect(Date.parse((await evidence()).quoteAcceptedAt)).toBeCloseTo(start.getTime(), -5);
});
