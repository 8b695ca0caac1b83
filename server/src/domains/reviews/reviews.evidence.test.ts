import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, db, callers } = await testApp();
const { asVisitor, as } = callers;

type User = Awaited<ReturnType<typeof given.user>>;

async function confirmed() {
  const user = await given.user();
  await db.updateTable('users').set({ email_confirmed_at: new Date() }).where('id', '=', user._id).execute();
  return user;
}

/** A listing, its seller, and a user without contact to them. */
async function people() {
  const [seller, author] = [await confirmed(), await confirmed()];
  const { id: listingId } = await given.listing({ sellerId: seller._id });
  return { seller, author, listingId };
}

async function messaged(author: User, seller: User, listingId: string) {
  const form = { sellerId: seller._id, buyerEmail: 'me@example.org', subject: 'Message received', message: 'Can you come?', listingId };
  const { status, body } = await as(author).post('/email/send', form);
  expect(status).toBe(200);
  return body.conversationId as string;
}
let sent = 0;
const sendMessage = async (user: User, conversationId: string, message = 'On Friday.') => {
  sent += 1;
  const clientId = `00000000-0000-4000-8000-${String(sent).padStart(12, '0')}`;
  expect((await as(user).post(`/messages/${conversationId}`, { message, clientId })).status).toBe(200);
};
const write = async (author: User, listingId: string) => {
  const { status, body } = await as(author).post('/review/create', { listingId, rating: 5, comment: 'Tidy work.' });
  expect(status).toBe(201);
  return body._id as string;
};
/** The evidence of a listing's reviews, from the detail call and from the list. */
async function evidenceOf(listingId: string) {
  const detail = (await asVisitor.get(`/listing/${listingId}`)).body.reviews;
  const list = (await asVisitor.get(`/listing/${listingId}/reviews`)).body.reviews;
  const of = (reviews: { evidence: unknown }[]) => reviews.map(({ evidence }) => evidence);
  expect(of(list)).toEqual(of(detail));
  return of(list);
}

test('a review shows when its author first messaged the seller about the listing and when the seller answered', async () => {
  const { seller, author, listingId } = await people();
  await write(author, listingId);
  expect(await evidenceOf(listingId)).toEqual([null]);
  const conversationId = await messaged(author, seller, listingId);
  const { created_at } = await db.selectFrom('conversations').selectAll().where('id', '=', conversationId).executeTakeFirstOrThrow();
  const messagedAt = created_at.toISOString();
  await sendMessage(author, conversationId, 'Or on Saturday?');
  expect(await evidenceOf(listingId)).toEqual([{ messagedAt, answeredAt: null, quoteAcceptedAt: null }]);
  await sendMessage(seller, conversationId);
  await db
    .updateTable('conversations')
    .set({ answered_at: new Date(created_at.getTime() + 7_200_000) })
    .where('id', '=', conversationId)
    .execute();
  const answeredAt = new Date(created_at.getTime() + 7_200_000).toISOString();
  await sendMessage(seller, conversationId, 'At nine.');
  expect(await evidenceOf(listingId)).toEqual([{ messagedAt, answeredAt, quoteAcceptedAt: null }]);
  const mine = (await as(author).get(`/listing/${listingId}/reviews/mine`)).body;
  expect(mine.review.evidence).toEqual({ messagedAt, answeredAt, quoteAcceptedAt: null });
});

test('ignores conversations about another listing or with another buyer', async () => {
  const { seller, author, listingId } = await people();
  const other = await given.listing({ sellerId: seller._id });
  await messaged(author, seller, other.id);
  await messaged(await confirmed(), seller, listingId);
  await write(author, listingId);
  expect(await evidenceOf(listingId)).toEqual([null]);
});

test('shows the evidence of each review’s own author', async () => {
  const { seller, author, listingId } = await people();
  const silent = await confirmed();
  await messaged(author, seller, listingId);
  await write(author, listingId);
  await write(silent, listingId);
  expect(await evidenceOf(listingId)).toEqual([null, { messagedAt: expect.any(String), answeredAt: null, quoteAcceptedAt: null }]);
});

test('a first message or answer of a reviewer invalidates the listing’s cached page on every server', async () => {
  const { seller, author, listingId } = await people();
  const isPublished = async () => {
    const changes = await db.selectFrom('changes').select(['channel', 'payload']).where('channel', '=', 'listings').execute();
    await db.deleteFrom('changes').execute();
    return changes.some(({ payload }) => JSON.stringify(payload).includes(listingId));
  };
  const reviewId = await write(author, listingId);
  await isPublished();
  const conversationId = await messaged(author, seller, listingId);
  expect(await isPublished()).toBe(true);
  await sendMessage(author, conversationId);
  expect(await isPublished()).toBe(false);
  await sendMessage(seller, conversationId);
  expect(await isPublished()).toBe(true);
  await sendMessage(seller, conversationId);
  expect(await isPublished()).toBe(false);

  const stranger = await confirmed();
  const other = await messaged(stranger, seller, listingId);
  await sendMessage(seller, other);
  expect(await isPublished()).toBe(false);

  // A withdrawn review shows no evidence.
  await as(author).delete(`/review/${reviewId}`);
  await isPublished();
  await db.updateTable('conversations').set({ answered_at: null }).where('id', '=', conversationId).execute();
  expect(await isPublished()).toBe(false);
});
