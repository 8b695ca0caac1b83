import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { expireListings, warnOfExpiry } from './selling.jobs.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { mails } = outbox;
const { context } = parts;

const warnAt = (now: Date) => warnOfExpiry({ ...context, clock: { now: () => now } });

type User = Awaited<ReturnType<typeof given.user>>;

/** A seller with active listings under one subscription that ends in so many hours (negative: has ended). */
async function seller(hours: number, count = 1, plan: PlanType = 'premium') {
  const user = await given.user();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await given.listing({ sellerId: user._id, plan, title: `Plumber ${index + 1}` })).id);
  }
  await sql`update listings set subscription_id = (select subscription_id from listings where id = ${ids[0]}) where seller_id = ${user._id}`.execute(
    db,
  );
  await endIn(user, hours);
  return { user, ids };
}

const endIn = (user: User, hours: number) =>
  sql`with ends as (
      update subscriptions set starts_at = ends.at - interval '30 days', ends_at = ends.at
      from (select date_trunc('milliseconds', now() + make_interval(secs => ${hours * 3600})) as at) as ends
      where user_id = ${user._id} returning subscriptions.id, ends_at
    )
    update listings set subscription_ends_at = ends_at from ends where subscription_id = ends.id`.execute(db);

const mailsTo = async (user: User) => (await mails()).filter((mail) => mail.to === user.email);
const subjectsTo = async (user: User) => (await mailsTo(user)).map(({ subject }) => subject);
const linksOf = (mail: { blocks: readonly object[] } | undefined) =>
  (mail?.blocks ?? []).flatMap((block) => ('url' in block && typeof block.url === 'string' ? [block.url] : []));
const statusOf = async (id: string) =>
  (await db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
const reactivateLink = (id: string) => `http://localhost:3000/reactivateListing/${id}`;

test('expires a listing after its end and emails the seller once with a link to reactivate', async () => {
  const { user, ids } = await seller(-0.01, 2);
  await Promise.all(Array.from({ length: 5 }, () => expireListings(context)));
  await expireListings(context);
  for (const id of ids) expect(await statusOf(id)).toBe('expired');
  expect((await as(user).get('/listing/mylistings?status=expired')).body.totalListings).toBe(2);
  const number = (await as(user).get(`/listing/${ids[0]}`)).body.listingNumber;
  expect((await asVisitor.get(`/listing/all?listingNumber=${number}`)).body.listings).toEqual([]);
  const sent = await mailsTo(user);
  expect(sent.map(({ subject }) => subject)).toEqual(['Your 2 listings on Handwise have ended']);
  expect(linksOf(sent[0]).toSorted()).toEqual(ids.map(reactivateLink).toSorted());
});

test('leaves running listings unchanged', async () => {
  const { user, ids } = await seller(0.01);
  await expireListings(context);
  expect(await statusOf(ids[0] ?? '')).toBe('active');
  expect(await subjectsTo(user)).not.toContain('Your listing on Handwise has ended');
});

test('expires inactive listings without an email', async () => {
  const { user, ids } = await seller(1);
  await as(user).put(`/listing/${ids[0]}/deactivate`);
  await endIn(user, -1);
  await expireListings(context);
  expect(await statusOf(ids[0] ?? '')).toBe('expired');
  expect(await mailsTo(user)).toEqual([]);
});

const hour = 3_600_000;
// 22:30 on Friday, 15 January in Sydney: already the 16th in Auckland.
const end = new Date('2032-01-15T11:30:00Z');
const hoursBefore = (hours: number) => new Date(end.getTime() - hours * hour);

const endAt = (user: User, at: Date) =>
  sql`with ends as (
      update subscriptions set starts_at = ${at}::timestamptz - interval '30 days', ends_at = ${at} where user_id = ${user._id} returning id
    )
    update listings set subscription_ends_at = ${at} from ends where subscription_id = ends.id`.execute(db);

test('warns sellers seven days and one day before the end, once each', async () => {
  const { user, ids } = await seller(1);
  await endAt(user, end);
  await warnAt(hoursBefore(7 * 24 + 0.1));
  expect(await subjectsTo(user)).toEqual([]);
  await Promise.all(Array.from({ length: 5 }, () => warnAt(hoursBefore(7 * 24))));
  await warnAt(hoursBefore(24.1));
  expect(await subjectsTo(user)).toEqual(['Your listing on Handwise ends in 7 days']);
  await warnAt(hoursBefore(24));
  await warnAt(hoursBefore(23));
  expect(await subjectsTo(user)).toEqual(['Your listing on Handwise ends in 7 days', 'Your listing on Handwise ends tomorrow']);
  for (const mail of await mailsTo(user)) {
    expect(linksOf(mail)).toEqual([`http://localhost:3000/updatePlan/${ids[0]}`, reactivateLink(ids[0] ?? '')]);
  }
  await endIn(user, -1);
  await expireListings(context);
  expect((await subjectsTo(user)).at(-1)).toBe('Your listing on Handwise has ended');
});

test('warns by the current time', async () => {
  const { user } = await seller(7 * 24 + 1);
  await warnOfExpiry(context);
  expect(await subjectsTo(user)).toEqual([]);
  await endIn(user, 7 * 24 - 1);
  await warnOfExpiry(context);
  expect(await subjectsTo(user)).toEqual([expect.stringMatching(/^Your listing on Handwise ends in [67] days$/)]);
});

test('warns only of the last day after a downtime', async () => {
  const { user } = await seller(1, 3);
  await endAt(user, end);
  await warnAt(hoursBefore(0.4));
  await warnAt(hoursBefore(0.2));
  expect(await subjectsTo(user)).toEqual(['Your 3 listings on Handwise end today']);
});

const textsOf = async (user: User) =>
  (await mailsTo(user)).flatMap(({ preview, blocks }) => [
    preview,
    ...blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])),
  ]);

test.each([
  ['Sydney', 1701, 'Jan 15, 2032'],
  ['Auckland', 201, 'Jan 16, 2032'],
  ['Perth', 2101, 'Jan 15, 2032'],
])('formats the end in the time zone of %s', async (_, district, day) => {
  const user = await given.user();
  await given.listing({ sellerId: user._id, district, title: 'Plumber' });
  await endAt(user, end);
  await warnAt(hoursBefore(7 * 24));
  expect(await subjectsTo(user)).toEqual(['Your listing on Handwise ends in 7 days']);
  expect((await textsOf(user)).slice(0, 2)).toEqual([
    `The plan runs until ${day}.`,
    `The plan for “Plumber” runs until ${day}. Nothing renews by itself, and nothing is charged.`,
  ]);
});

test('names both dates when listings are in different time zones', async () => {
  const user = await given.user();
  const districts = { 'Plumber 1': 1701, 'Plumber 2': 2101, 'Plumber 3': 1901 };
  for (const [title, district] of Object.entries(districts)) await given.listing({ sellerId: user._id, plan: 'premium', district, title });
  await sql`update listings set subscription_id = (select subscription_id from listings where seller_id = ${user._id} order by listing_number limit 1)
    where seller_id = ${user._id}`.execute(db);
  // 02:30 in Sydney, 01:30 in Brisbane, and 23:30 of the day before in Perth.
  const late = new Date('2032-01-15T15:30:00Z');
  await endAt(user, late);
  await warnAt(new Date(late.getTime() - 24 * hour));
  expect((await textsOf(user)).slice(0, 2)).toEqual([
    'The plan runs until Jan 16, 2032.',
    'The plan for “Plumber 1”, “Plumber 3” runs until Jan 16, 2032. The plan for “Plumber 2” runs until Jan 15, 2032. Nothing renews by itself, and nothing is charged.',
  ]);
});

test('warns only about active listings, and emails the end of a plan once', async () => {
  const { user, ids } = await seller(20, 2);
  await as(user).put(`/listing/${ids[0]}/deactivate`);
  await warnOfExpiry(context);
  const [warning] = await mailsTo(user);
  expect(linksOf(warning)).toContain(reactivateLink(ids[1] ?? ''));
  expect(linksOf(warning)).not.toContain(reactivateLink(ids[0] ?? ''));
  await endIn(user, -1);
  await expireListings(context);
  await db
    .updateTable('listings')
    .set({ status: 'active' })
    .where('id', '=', ids[1] ?? '')
    .execute();
  await expireListings(context);
  expect(await statusOf(ids[1] ?? '')).toBe('expired');
  expect((await subjectsTo(user)).filter((subject) => subject.includes('ended'))).toHaveLength(1);
});

test('sends no warning for inactive listings or to suspended sellers', async () => {
  const off = await seller(100);
  await as(off.user).put(`/listing/${off.ids[0]}/deactivate`);
  const suspended = await seller(100);
  await sql`update users set suspended_at = now() where id = ${suspended.user._id}`.execute(db);
  await warnOfExpiry(context);
  await endIn(suspended.user, -1);
  await expireListings(context);
  expect(await mailsTo(off.user)).toEqual([]);
  expect(await mailsTo(suspended.user)).toEqual([]);
  expect(await statusOf(suspended.ids[0] ?? '')).toBe('expired');
});

test('does not expire listings of a renewed plan', async () => {
  const { user, ids } = await seller(3);
  const cardId = await given.card(user);
  const answer = await as(user).put(`/listing/${ids[0]}/plan`, { planId: given.planId('premium'), paymentId: cardId });
  expect(answer).toMatchObject({ status: 200, body: { status: 'done', amount: 2500 } });
  await sql`update subscriptions set ends_at = now() - interval '1 second', starts_at = now() - interval '30 days'
    where user_id = ${user._id} and replaced_by is not null`.execute(db);
  await warnOfExpiry(context);
  await expireListings(context);
  expect(await statusOf(ids[0] ?? '')).toBe('active');
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt')]);
});

test('does not expire a listing whose plan is renewed between finding and locking it', async () => {
  const { user, ids } = await seller(1);
  // The clock is read before both: the plan has ended for the first, and no longer for the second.
  const times = [new Date(Date.now() + 2 * hour), new Date()];
  await expireListings({ ...context, clock: { now: () => times.shift() ?? new Date() } });
  expect(times).toEqual([]);
  expect([await statusOf(ids[0] ?? ''), await mailsTo(user)]).toEqual(['active', []]);
});

test('warns all plans in several batches and on several servers once each', async () => {
  const sellers = await Promise.all(Array.from({ length: 5 }, (_, index) => seller(50 + index, 1 + (index % 2))));
  await times(2, () => warnOfExpiry(context, 2));
  for (const [index, { user }] of sellers.entries()) {
    const subject = index % 2 ? 'Your 2 listings on Handwise end' : 'Your listing on Handwise ends';
    expect(await subjectsTo(user)).toEqual([expect.stringContaining(subject)]);
  }
});

test('expires all listings in several batches, with one email per plan', async () => {
  const { user } = await seller(1);
  const { rows: plans } = await sql<{ id: string; user_id: string; ends_at: Date }>`
    insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
    select user_id, plan_id, country, 'grant', 7, starts_at, ends_at from subscriptions, generate_series(1, 40) where user_id = ${user._id}
    returning id, user_id, ends_at`.execute(db);
  const rows = plans.flatMap((plan) => Array.from({ length: 7 }, () => listingRow(plan, { plan: 'premium' })));
  await db.insertInto('listings').values(rows).execute();
  await endIn(user, -1);
  await expireListings(context, 7, 100);
  const left = await sql<{ count: number }>`
    select count(*)::int as count from listings where seller_id = ${user._id} and status <> 'expired'`.execute(db);
  expect(left.rows[0]?.count).toBe(0);
  const subjects = await subjectsTo(user);
  expect(subjects.filter((subject) => subject === 'Your 7 listings on Handwise have ended')).toHaveLength(40);
  expect(subjects).toHaveLength(41);
});

test('emails each seller once while listings are published and edited on several servers', async () => {
  const sellers = await Promise.all(Array.from({ length: 12 }, () => seller(-1, 2)));
  const running = await seller(50, 3);
  const rename = (id: string, title: string) => db.updateTable('listings').set({ service_title: title }).where('id', '=', id).execute();
  await Promise.all([
    ...Array.from({ length: 3 }, () => expireListings(context, 3, 10)),
    ...running.ids.map((id, index) => rename(id, `Plumber and roofer ${index}`)),
    ...Array.from({ length: 4 }, () => given.listing({ title: 'Plumber 1' })),
  ]);
  await expireListings(context);
  for (const { user } of sellers) {
    expect((await subjectsTo(user)).filter((subject) => subject === 'Your 2 listings on Handwise have ended')).toHaveLength(1);
  }
});

/** As if mails took as long to be queued as `queuing` says. */
const queuing = (queue: (send: () => Promise<void>) => Promise<void>) => ({
  ...context,
  jobs: Object.create(context.jobs, {
    sendAll: { value: (...mails: Parameters<typeof context.jobs.sendAll>) => queue(() => context.jobs.sendAll(...mails)) },
  }) as typeof context.jobs,
});

test('does not block publications while emails are queued', async () => {
  const { ids } = await seller(-1);
  await expireListings(
    queuing(async (send) => {
      await send();
      await sql`set lock_timeout = '2s'`.execute(db);
      await given.listing({ title: 'Plumber 1' });
    }),
  );
  expect(await statusOf(ids[0] ?? '')).toBe('expired');
});

test('waits for the other lane when one fails', async () => {
  const sellers = [await seller(-1), await seller(-1)];
  let started = 0;
  let ended = 0;
  const failing = queuing(async (send) => {
    started += 1;
    if (started === 1) throw new Error('one lane fails');
    await new Promise((later) => setTimeout(later, 300));
    await send();
    ended += 1;
  });
  await expect(expireListings(failing, 1)).rejects.toThrow('one lane fails');
  expect([started, ended]).toEqual([2, 1]);
  await expireListings(context);
  for (const { user } of sellers) expect(await subjectsTo(user)).toEqual(['Your listing on Handwise has ended']);
});

test('after all of this the ledger balances', async () => {
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});
