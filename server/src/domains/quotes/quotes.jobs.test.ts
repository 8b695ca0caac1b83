import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { addDays } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { failingMailsTo } from '@handwise/sandbox/testing/failing-mails';
import { emailWeeklyAnalytics } from '../analytics/analytics.weekly.ts';
import { expireQuotes, remindOfQuotes } from './quotes.service.ts';
import { moveQuote, quoteTransitions } from './quotes.states.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { clock, context } = parts;

// Noon on Tuesday in Auckland.
const start = new Date('2027-02-22T23:00:00Z');
const today = '2027-02-23';
const hourMs = 3_600_000;
beforeEach(() => clock.set(start));
/** Moves the clock to this long after the start. */
const pass = (hours: number) => clock.set(new Date(start.getTime() + hours * hourMs));

type User = Awaited<ReturnType<typeof given.user>>;

async function startConversation(place: { district?: number } = {}) {
  const seller = await given.confirmed(await given.user({ fullName: 'Mere Kingi' }));
  const buyer = await given.confirmed(await given.user({ fullName: 'Tama Rua' }));
  const { id: listingId } = await given.listing({ ...place, sellerId: seller._id });
  const { body } = await as(buyer).post('/email/send', { sellerId: seller._id, listingId, message: 'My tap drips.' });
  return { seller, buyer, listingId, id: body.conversationId as string };
}
async function sent(seller: User, conversationId: string, days = 7, startsOn = '') {
  const lines = [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }];
  const validUntil = addDays(today, days);
  const form = { conversationId, clientId: randomUUID(), kind: 'quote', gstIncluded: true, validUntil, lines, startsOn };
  const { status, body } = await as(seller).post('/quotes', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body._id as string;
}
const rowOf = (id: string) => db.selectFrom('quotes').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const remindersTo = async ({ email }: User) =>
  (await outbox.mails()).filter(({ to, limit }) => to === email && limit?.kind === 'quote.reminder');
const statesOf = async (user: User, id: string) =>
  (await as(user).get(`/quotes?conversationId=${id}`)).body.quotes.map(({ state }: { state: string }) => state);

test('a quote is valid to the end of its last day where the listing is, and expired by the clock before the job runs', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id, 0);
  // Eleven hours and 59 minutes later it is a minute to midnight.
  pass(12 - 1 / 60);
  expect(await statesOf(buyer, id)).toEqual(['sent']);
  pass(12);
  const { body: seen } = await as(buyer).get(`/quotes?conversationId=${id}`);
  expect(seen.quotes).toMatchObject([{ state: 'expired', closedAt: '2027-02-23T11:00:00.000Z' }]);
  const answer = await as(buyer).post(`/quotes/${quote}/accept`);
  expect(answer).toMatchObject({ status: 409, body: { code: 'quote_not_open', message: expect.stringContaining('no longer valid') } });
  expect((await as(buyer).post(`/quotes/${quote}/decline`, { reason: 'price' })).status).toBe(409);
  expect((await as(seller).post(`/quotes/${quote}/withdraw`)).status).toBe(409);
  expect((await as(buyer).post(`/quotes/${quote}/seen`)).body.state).toBe('expired');
  expect((await rowOf(quote)).status).toBe('sent');
  // A new one ends it as expired, not as replaced.
  await sent(seller, id);
  expect(await statesOf(buyer, id)).toEqual(['sent', 'expired']);
  expect((await rowOf(quote)).status).toBe('expired');
});

test('a quote from Perth is valid to midnight there, three hours after Sydney', async () => {
  const { seller, buyer, id } = await startConversation({ district: 2101 });
  await sent(seller, id, 0);
  clock.set(new Date('2027-02-23T15:59:00Z'));
  expect(await statesOf(buyer, id)).toEqual(['sent']);
  clock.set(new Date('2027-02-23T16:00:00Z'));
  expect(await statesOf(buyer, id)).toEqual(['expired']);
});

test('work can start on the day that it still is in Perth', async () => {
  const { seller, buyer, id } = await startConversation({ district: 2101 });
  // The 24th in Auckland.
  clock.set(new Date('2027-02-23T14:00:00Z'));
  await sent(seller, id, 7, today);
  expect((await as(buyer).get(`/quotes?conversationId=${id}`)).body.quotes).toMatchObject([{ startsOn: today }]);
});

test('the job expires overdue quotes once and publishes it to both sides, and leaves decided ones', async () => {
  const [open, agreed, later] = [await startConversation(), await startConversation(), await startConversation()];
  const ids = [await sent(open.seller, open.id, 0), await sent(agreed.seller, agreed.id, 0), await sent(later.seller, later.id, 1)];
  await as(agreed.buyer).post(`/quotes/${ids[1]}/accept`);
  pass(12);
  await Promise.all([expireQuotes(context), expireQuotes(context)]);
  await expireQuotes(context);
  expect((await Promise.all(ids.map(rowOf))).map(({ status }) => status)).toEqual(['expired', 'accepted', 'sent']);
  const events = await db.selectFrom('user_events').select('user_id').where('kind', '=', 'quote').execute();
  for (const user of [open.seller, open.buyer]) expect(events.filter((one) => one.user_id === user._id)).toHaveLength(2);
});

test('reminds the customer once, two days before the end, of a quote that is still open', async () => {
  const [open, agreed] = [await startConversation(), await startConversation()];
  await sent(open.seller, open.id, 7);
  await as(agreed.buyer).post(`/quotes/${await sent(agreed.seller, agreed.id, 7)}/accept`);
  // It ends seven days and twelve hours after the start.
  pass(7 * 24 + 12 - 48 - 1);
  await remindOfQuotes(context);
  expect(await remindersTo(open.buyer)).toEqual([]);
  pass(7 * 24 + 12 - 48 + 0.1);
  await Promise.all([remindOfQuotes(context), remindOfQuotes(context)]);
  pass(7 * 24);
  await remindOfQuotes(context);
  expect(await remindersTo(open.buyer)).toMatchObject([
    { subject: 'Quote for "Friendly local plumber" is valid until Mar 2, 2027', blocks: expect.any(Array) },
  ]);
  expect([await remindersTo(open.seller), await remindersTo(agreed.buyer)]).toEqual([[], []]);
});

test('reminds of and ends all quotes that are due, also more than one batch holds', async () => {
  const all = [await startConversation(), await startConversation(), await startConversation()];
  const ids: string[] = [];
  for (const { seller, id } of all) ids.push(await sent(seller, id, 7));
  pass(7 * 24);
  await remindOfQuotes(context, 1);
  for (const { buyer } of all) expect(await remindersTo(buyer)).toHaveLength(1);
  pass(7 * 24 + 12);
  await expireQuotes(context, 1);
  expect((await Promise.all(ids.map(rowOf))).map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
});

test('a reminder that fails keeps no other from it, and is tried again', async () => {
  const [broken, whole] = [await startConversation(), await startConversation()];
  for (const { seller, id } of [broken, whole]) await sent(seller, id, 7);
  pass(7 * 24);
  await remindOfQuotes(failingMailsTo(context, broken.buyer), 1);
  await remindOfQuotes(failingMailsTo(context, broken.buyer));
  expect([await remindersTo(broken.buyer), await remindersTo(whole.buyer)]).toMatchObject([[], [{}]]);
  await remindOfQuotes(context);
  expect([await remindersTo(broken.buyer), await remindersTo(whole.buyer)]).toMatchObject([[{}], [{}]]);
});

test('reminds halfway of a quote that is valid for less than four days, and not after its end', async () => {
  const [short, missed] = [await startConversation(), await startConversation()];
  await sent(short.seller, short.id, 0);
  pass(5.9);
  await remindOfQuotes(context);
  expect(await remindersTo(short.buyer)).toEqual([]);
  pass(6.1);
  await remindOfQuotes(context);
  expect(await remindersTo(short.buyer)).toHaveLength(1);
  await sent(missed.seller, missed.id, 0);
  pass(12);
  await remindOfQuotes(context);
  expect(await remindersTo(missed.buyer)).toEqual([]);
});

test('sends no reminder of a quote that ends while the job runs', async () => {
  const { seller, buyer, id } = await startConversation();
  await sent(seller, id, 0);
  pass(12);
  const listedAt = new Date(clock.now().getTime() - 1_000);
  const times = [listedAt];
  await remindOfQuotes({ ...context, clock: { now: () => times.shift() ?? clock.now() } });
  expect(times).toEqual([]);
  expect(await remindersTo(buyer)).toEqual([]);
});

test('the weekly email of a business counts quotes sent, seen and accepted in the week', async () => {
  const [busy, quiet] = [await startConversation(), await startConversation()];
  const first = await sent(busy.seller, busy.id);
  await as(busy.buyer).post(`/quotes/${first}/seen`);
  const second = await sent(busy.seller, busy.id);
  await as(busy.buyer).post(`/quotes/${second}/accept`);
  // Half past seven on the Monday after in Auckland is another week.
  clock.set(new Date('2027-02-28T18:30:00Z'));
  await sent(busy.seller, busy.id, 10);
  clock.set(new Date('2027-02-28T19:00:00Z'));
  await emailWeeklyAnalytics(context);
  const weekly = async ({ email }: User) =>
    (await outbox.mails()).filter(({ to, subject }) => to === email && subject.startsWith('Your week'));
  const [mail, ...others] = await weekly(busy.seller);
  expect(others).toEqual([]);
  expect(mail?.blocks).toContainEqual({ kind: 'text', text: 'Quotes: 2 sent, 2 seen, 1 accepted, 0 declined, 0 expired.' });
  expect(JSON.stringify((await weekly(quiet.seller))[0]?.blocks)).not.toContain('Quotes');
});

test('the weekly email counts declined and expired quotes, also alone', async () => {
  const [declined, expired] = [await startConversation(), await startConversation()];
  const quote = await sent(declined.seller, declined.id, 20);
  await sent(expired.seller, expired.id, 14);
  clock.set(new Date('2027-03-09T22:00:00Z'));
  await as(declined.buyer).post(`/quotes/${quote}/decline`, { reason: 'price', note: '' });
  await expireQuotes(context);
  clock.set(new Date('2027-03-14T19:00:00Z'));
  await emailWeeklyAnalytics(context);
  const textsTo = async ({ email }: User) =>
    (await outbox.mails()).flatMap(({ to, subject, blocks }) =>
      to === email && subject.startsWith('Your week') ? [JSON.stringify(blocks)] : [],
    );
  expect(await textsTo(declined.seller)).toEqual([expect.stringContaining('0 accepted, 1 declined, 0 expired.')]);
  expect(await textsTo(expired.seller)).toEqual([expect.stringContaining('0 accepted, 0 declined, 1 expired.')]);
});

test('a listing’s analytics say what has become of its quotes and why, in the days that are shown', async () => {
  const first = await startConversation();
  const ofListing = async (user: User, days = 7) => (await as(user).get(`/listing/${first.listingId}/figures?days=${days}`)).body.quotes;
  expect(await ofListing(first.seller)).toEqual({ sent: 0, accepted: 0, declined: 0, expired: 0, reasons: [] });
  const talk = async () => {
    const buyer = await given.member();
    const { body } = await as(buyer).post('/email/send', {
      sellerId: first.seller._id,
      listingId: first.listingId,
      message: `Job ${buyer._id}`,
    });
    return { buyer, id: body.conversationId as string };
  };
  const decline = async (reason: string) => {
    const { buyer, id } = await talk();
    await as(buyer).post(`/quotes/${await sent(first.seller, id)}/decline`, { reason, note: '' });
  };
  for (const reason of ['timing', 'price', 'price']) await decline(reason);
  const [agreed, silent, open] = [await talk(), await talk(), await talk()];
  await as(agreed.buyer).post(`/quotes/${await sent(first.seller, agreed.id)}/accept`);
  await sent(first.seller, silent.id, 0);
  await sent(first.seller, open.id, 20);
  // The day of the first is over, whether or not the job has run.
  pass(30);
  const reasons = [
    { reason: 'price', quotes: 2 },
    { reason: 'timing', quotes: 1 },
  ];
  expect(await ofListing(first.seller)).toEqual({ sent: 6, accepted: 1, declined: 3, expired: 1, reasons });
  pass(8 * 24);
  expect([(await ofListing(first.seller)).sent, (await ofListing(first.seller, 30)).sent]).toEqual([0, 6]);
});

test('a quote that was accepted is enough for a weekly email', async () => {
  const { seller, buyer, id } = await startConversation();
  const quote = await sent(seller, id, 20);
  clock.set(new Date('2027-03-09T00:00:00Z'));
  await as(buyer).post(`/quotes/${quote}/accept`);
  clock.set(new Date('2027-03-14T19:00:00Z'));
  await emailWeeklyAnalytics(context);
  const mails = (await outbox.mails()).filter(({ to, subject }) => to === seller.email && subject.startsWith('Your week'));
  expect(mails).toMatchObject([{ subject: 'Your week on Handwise: 0 views, 0 saves, 0 messages' }]);
  expect(mails[0]?.blocks).toContainEqual({ kind: 'text', text: 'Quotes: 0 sent, 1 seen, 1 accepted, 0 declined, 0 expired.' });
});

test('the database allows exactly the transitions of the code', async () => {
  const statuses = Object.keys(quoteTransitions) as (keyof typeof quoteTransitions)[];
  const { seller, id } = await startConversation();
  const quote = await sent(seller, id);
  const closing = (status: string) => ({
    status: status as 'sent',
    seen_at: start,
    closed_at: ['sent', 'seen'].includes(status) ? null : start,
    decline_reason: status === 'declined' ? ('price' as const) : null,
  });
  for (const from of statuses) {
    for (const to of statuses.filter((status) => status !== from)) {
      const allowed = (quoteTransitions[from] as readonly string[]).includes(to);
      const step = db.transaction().execute(async (tx) => {
        if (from !== 'sent') await tx.updateTable('quotes').set(closing(from)).where('id', '=', quote).execute();
        await tx.updateTable('quotes').set(closing(to)).where('id', '=', quote).execute();
        throw new Error('rolled back');
      });
      const outcome = await step.catch((error: { message: string }) => error.message);
      expect([from, to, outcome === 'rolled back']).toEqual([from, to, allowed]);
    }
  }
});

test('a step from a status that the quote no longer has changes nothing', async () => {
  const { seller, id } = await startConversation();
  const quote = { id: await sent(seller, id), status: 'sent' as const };
  const moved = await db
    .transaction()
    .execute(async (tx) => [
      await moveQuote(tx, quote, { status: 'withdrawn' }, start),
      await moveQuote(tx, quote, { status: 'expired' }, start),
    ]);
  expect([moved, (await rowOf(quote.id)).status]).toEqual([[true, false], 'withdrawn']);
});
