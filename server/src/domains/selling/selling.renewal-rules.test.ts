import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { formatDate } from '@handwise/contract/dates';
import type { PlanType } from '@handwise/contract/plans/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import type { Tx } from '../../kit/database/database.ts';
import { warnOfExpiry } from './selling.jobs.ts';

const { db, given, callers, sandbox, outbox, parts } = await testApp();
const { as } = callers;
const { provider } = sandbox;
const { mails } = outbox;
const { context } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

/** A seller with a listing whose plan has so many days left, less or more some hours, and a saved card. */
async function seller(plan: PlanType, daysLeft: number, more: { district?: number; status?: 'active' | 'inactive' | 'expired' } = {}) {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id, plan, ...more });
  await endIn(user, daysLeft);
  return { user, id };
}

const endIn = (user: User, days: number, tx: Tx | typeof db = db) =>
  sql`with moved as (
      update subscriptions set starts_at = now() + make_interval(secs => ${(days - 30) * 86_400}), ends_at = now() + make_interval(secs => ${days * 86_400})
      where user_id = ${user._id} returning id, ends_at
    )
    update listings set subscription_ends_at = ends_at from moved where subscription_id = moved.id`.execute(tx);

const change = (user: User, id: string, plan: PlanType, paymentId?: string) =>
  as(user).put(`/listing/${id}/plan`, { planId: given.planId(plan), paymentId });
const reactivate = (user: User, id: string, plan?: PlanType, paymentId?: string) =>
  as(user).put(`/listing/${id}/reactivate`, { planId: plan ? given.planId(plan) : null, paymentId });
const getPlanPrice = async (user: User, id: string, plan: PlanType) =>
  (await as(user).get(`/plan-user/quote?planId=${given.planId(plan)}&listingId=${id}`)).body;
const subscriptionsOf = (user: User) =>
  db.selectFrom('subscriptions').select(['source', 'replaced_by']).where('user_id', '=', user._id).execute();

/** Sends a request, and does something in a transaction that the request must wait for. */
async function whileWaiting<T>(
  lock: (tx: Tx) => Promise<unknown>,
  request: () => Promise<T>,
  meanwhile?: (tx: Tx) => Promise<unknown>,
): Promise<T> {
  const { answer } = await db.transaction().execute(async (tx) => {
    await lock(tx);
    const pending = request();
    await untilLockWaits(db);
    await meanwhile?.(tx);
    return { answer: pending };
  });
  return answer;
}
const lockUser = (user: User) => (tx: Tx) => sql`select from users where id = ${user._id} for no key update`.execute(tx);

test('prices and charges an Australian listing in AUD', async () => {
  const { user, id } = await seller('basic', 0.5, { district: 1701 });
  expect(await getPlanPrice(user, id, 'premium')).toMatchObject({ amount: 2500, currency: 'AUD' });
  expect((await change(user, id, 'premium', await given.card(user))).body).toMatchObject({ status: 'done', amount: 2500 });
  const { intent_id: intentId } = await db
    .selectFrom('payments')
    .select('intent_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  expect((await provider.paymentIntents.retrieve(intentId ?? '')).currency).toBe('aud');
  const ended = await seller('basic', -1, { district: 1701, status: 'expired' });
  expect(await getPlanPrice(ended.user, ended.id, 'basic')).toMatchObject({ amount: 1500, currency: 'AUD' });
});

test.each([
  [29.5, 'premium', 0, 'Your Premium plan has only just begun. Nothing to pay.'],
  [28.5, 'premium', 167, 'Premium $25.00 less $23.33 for 28 unused days of Premium.'],
  [29.5, 'featured', 1083, 'Featured $35.00 less $24.17 for 29 unused days of Premium.'],
] as const)('with %s days left of Premium, %s costs %i cents', async (daysLeft, plan, amount, reason) => {
  const { user, id } = await seller('premium', daysLeft);
  expect(await getPlanPrice(user, id, plan)).toMatchObject({ amount, reason });
});

test('keeps a plan that has just started when it is chosen again', async () => {
  const { user, id } = await seller('premium', 29.9);
  expect(await change(user, id, 'premium')).toMatchObject({ status: 200, body: { status: 'done', amount: 0 } });
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('rejects a plan change of a deactivated listing, also a free one', async () => {
  const { user, id } = await seller('featured', 20, { status: 'inactive' });
  expect(await change(user, id, 'basic')).toMatchObject({ status: 409, body: { code: 'listing_not_active' } });
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('recalculates a free change when days pass while it waits', async () => {
  const { user, id } = await seller('featured', 20);
  const answer = await whileWaiting(
    lockUser(user),
    () => change(user, id, 'basic'),
    (tx) => endIn(user, 1.5, tx),
  );
  expect(answer).toMatchObject({ status: 409, body: { code: 'payment_processing' } });
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('reactivation waits for the user’s other transactions', async () => {
  const { user, id } = await seller('premium', 20, { status: 'inactive' });
  expect(await whileWaiting(lockUser(user), () => reactivate(user, id))).toMatchObject({ status: 200 });
});

test('counts a concurrently published listing in the new plan’s size', async () => {
  const { user, id } = await seller('premium', 0.5);
  const cardId = await given.card(user);
  const subscription = (await db.selectFrom('listings').select('subscription_id').where('id', '=', id).executeTakeFirstOrThrow())
    .subscription_id;
  const answer = await whileWaiting(
    (tx) => sql`select from subscriptions where id = ${subscription} for no key update`.execute(tx),
    () => change(user, id, 'basic', cardId),
    (tx) =>
      sql`insert into listings (seller_id, subscription_id, subscription_ends_at, status, plan_rank, country, region_code, district_code, main_category,
          category_code, service_title, service_description, services, business_title, business_email, business_info)
        select seller_id, subscription_id, subscription_ends_at, status, plan_rank, country, region_code, district_code, main_category,
          category_code, service_title, service_description, services, business_title, business_email, business_info
        from listings where id = ${id}`.execute(tx),
  );
  expect(answer).toMatchObject({ status: 402, body: { code: 'payment_incomplete' } });
  expect(
    await db
      .selectFrom('refunds')
      .innerJoin('payments', 'payments.id', 'payment_id')
      .select('reason')
      .where('user_id', '=', user._id)
      .execute(),
  ).toEqual([{ reason: 'This plan covers 1 listing(s); you have 2.' }]);
});

test('moves a reactivated listing to the covering plan’s rank and end', async () => {
  const { user, id } = await seller('basic', -1, { status: 'expired' });
  await sql`insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
    values (${user._id}, ${given.planId('featured')}, 'NZ', 'grant', 10, now(), date_trunc('milliseconds', now()) + interval '12 days')`.execute(
    db,
  );
  expect((await reactivate(user, id)).body).toMatchObject({ amount: 0, listing: { plan: { planType: 'featured' } } });
  const { rows } = await sql`
    select status, plan_rank, listings.subscription_ends_at = ends_at as "endsWithIt", slots_used
    from listings join subscriptions on subscriptions.id = subscription_id where listings.id = ${id}`.execute(db);
  expect(rows).toEqual([{ status: 'active', plan_rank: 3, endsWithIt: true, slots_used: 1 }]);
});

test.each([
  ['its own plan while that runs, though another ends later', 'inactive', 6, 6],
  ['another plan with a free slot once its own has ended', 'expired', -1, 12],
] as const)('the price of a covered reactivation ends with %s, like the listing itself', async (_, status, daysLeft, days) => {
  const { user, id } = await seller('basic', daysLeft, { status });
  // A plan without a free slot that ends last of all, and one with room.
  const more = (plan: PlanType, slots: number, left: number) =>
    sql`insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at) values (${user._id},
      ${given.planId(plan)}, 'NZ', 'grant', ${slots}, now(), date_trunc('milliseconds', now()) + make_interval(days => ${left}))`;
  await more('premium', 1, 25).execute(db);
  const full = (
    await db.selectFrom('subscriptions').select('id').where('user_id', '=', user._id).orderBy('ends_at', 'desc').executeTakeFirstOrThrow()
  ).id;
  await given.listing({ subscriptionId: full, plan: 'premium' });
  await more('featured', 10, 12).execute(db);

  const { amount, endDate, reason } = await getPlanPrice(user, id, 'basic');
  expect(amount).toBe(0);
  expect((Date.parse(endDate) - Date.now()) / 86_400_000).toBeCloseTo(days, 1);
  expect(reason).toContain(`runs until ${formatDate(endDate, 'Pacific/Auckland')} and covers this listing`);
  expect((await reactivate(user, id)).body).toMatchObject({ amount: 0 });
  const { subscription_ends_at: ends } = await db
    .selectFrom('listings')
    .select('subscription_ends_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(ends.toISOString()).toBe(endDate);
});

test('covers nothing by a plan that has ended or is of the other country', async () => {
  const { user, id } = await seller('basic', -1, { status: 'expired' });
  await sql`insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
    values (${user._id}, ${given.planId('featured')}, 'AU', 'grant', 10, now(), now() + interval '12 days'),
      (${user._id}, ${given.planId('featured')}, 'NZ', 'grant', 10, now() - interval '30 days', now() - interval '1 day')`.execute(db);
  expect(await getPlanPrice(user, id, 'basic')).toMatchObject({ amount: 1500 });
  expect((await reactivate(user, id)).status).toBe(400);
});

test('warns about a listing that was inactive during the first warning', async () => {
  const { user, id } = await seller('premium', 6, { status: 'inactive' });
  const sent = async () => (await mails()).filter(({ to }) => to === user.email).length;
  await warnOfExpiry(context);
  expect(await sent()).toBe(0);
  expect((await reactivate(user, id)).status).toBe(200);
  await warnOfExpiry(context);
  expect(await sent()).toBe(1);
});
