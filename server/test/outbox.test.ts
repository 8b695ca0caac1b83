import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { syncIntent } from '../src/domains/payments/payments.service.ts';
import { expireListings, warnOfExpiry } from '../src/domains/selling/selling.jobs.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as } = callers;
const { mails, queued, runJobs } = outbox;
const { context, payments } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

await sql`create function refuse_commit() returns trigger language plpgsql as 'begin raise exception ''refused at commit''; end'`.execute(
  db,
);

/** Makes transactions that touch a table fail at commit. */
async function refusingCommits(table: string, work: () => Promise<unknown>) {
  await sql`create constraint trigger refuse_commit after insert or update on ${sql.table(table)}
    deferrable initially deferred for each row execute function refuse_commit()`.execute(db);
  try {
    await work().catch(() => undefined);
  } finally {
    await sql`drop trigger refuse_commit on ${sql.table(table)}`.execute(db);
  }
}

const subjectsTo = async (user: User) => (await mails()).filter(({ to }) => to === user.email).map(({ subject }) => subject);

/** A seller with one listing, whose plan ends in this many hours. */
async function seller(hours: number) {
  const user = await given.user();
  await given.listing({ sellerId: user._id });
  await sql`with ends as (
      update subscriptions set starts_at = now() - interval '30 days', ends_at = now() + make_interval(hours => ${hours})
      where user_id = ${user._id} returning id, ends_at
    )
    update listings set subscription_ends_at = ends_at from ends where subscription_id = ends.id`.execute(db);
  return user;
}

test('a booking that fails at commit emails no receipt; the next one does', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await refusingCommits('receipts', () => syncIntent(payments, id));
  expect(await subjectsTo(user)).toEqual([]);
  await syncIntent(payments, id);
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt')]);
});

test('sends no refund whose booking fails, and no email for one whose completion fails', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await refusingCommits('refunds', () => syncIntent(payments, id));
  expect(await queued('payments.refund-payment')).toEqual([]);
  await syncIntent(payments, id);
  await refusingCommits('refunds', runJobs);
  expect(await subjectsTo(user)).toEqual([]);
  await sql`update pgboss.job set start_after = now() where name = 'payments.refund-payment' and state = 'retry'`.execute(db);
  await runJobs();
  expect(await subjectsTo(user)).toEqual(['Your payment of $15.00 NZD is going back to your card']);
});

test('keeps a card at the provider if its removal fails', async () => {
  const user = await given.user();
  const cardId = await given.card(user);
  await refusingCommits('cards', () => as(user).delete(`/credit/${cardId}`));
  expect(await queued('payments.detach-card')).toEqual([]);
  expect((await as(user).delete(`/credit/${cardId}`)).status).toBe(200);
  expect(await queued('payments.detach-card')).toHaveLength(1);
});

test('does not announce a listing whose publication fails', async () => {
  const user = await given.user();
  const form = given.listingForm('basic', { paymentId: await given.payment(user) });
  await refusingCommits('listings', () => as(user).postForm('/listing/create', form));
  const isLive = expect.stringContaining('is live');
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt')]);
  expect((await as(user).postForm('/listing/create', form)).status).toBe(201);
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt'), isLive]);
});

test('sends no email for an expiry or a warning that fails', async () => {
  const ended = await seller(-1);
  const ending = await seller(20);
  await refusingCommits('expiry_notices', () => expireListings(context));
  await refusingCommits('expiry_notices', () => warnOfExpiry(context));
  expect([await subjectsTo(ended), await subjectsTo(ending)]).toEqual([[], []]);
  await expireListings(context);
  await warnOfExpiry(context);
  expect(await subjectsTo(ended)).toEqual(['Your listing on Handwise has ended']);
  expect(await subjectsTo(ending)).toHaveLength(1);
});
