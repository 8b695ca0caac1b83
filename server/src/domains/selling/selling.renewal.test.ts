import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import type { Tx } from '../../kit/database/database.ts';
import { reconcilePayments } from '../payments/payments.service.ts';

const { db, given, callers, sandbox, outbox, parts } = await testApp();
const { as, asVisitor, confirm } = callers;
const { aroundProvider, authenticateAtBank, provider, stripe } = sandbox;
const { mails, runJobs } = outbox;
const { payments } = parts;

afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
});

type User = Awaited<ReturnType<typeof given.user>>;

const cards = {
  pays: '4242424242424242',
  declined: '4000000000000341',
  asks: '4000002760003184',
  processes: '4000000000005001',
};

/** A seller with a listing whose plan has so many days left (none: it has ended), and a saved card. */
async function seller(
  plan: PlanType = 'premium',
  more: { daysLeft?: number; status?: 'active' | 'inactive' | 'expired'; card?: string } = {},
) {
  const { daysLeft = 20, status = 'active', card = cards.pays } = more;
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id, plan, status });
  const ends = sql`now() + make_interval(hours => ${daysLeft * 24 + (daysLeft > 0 ? 1 : -1)})`;
  await sql`with moved as (update subscriptions set starts_at = ${ends} - interval '30 days', ends_at = ${ends} where user_id = ${user._id} returning ends_at)
    update listings set subscription_ends_at = ends_at from moved where id = ${id}`.execute(db);
  return { user, id, cardId: await given.card(user, card) };
}

const change = (user: User, id: string, plan: PlanType, paymentId?: string | null) =>
  as(user).put(`/listing/${id}/plan`, { planId: given.planId(plan), paymentId });
const reactivate = (user: User, id: string, plan?: PlanType, paymentId?: string) =>
  as(user).put(`/listing/${id}/reactivate`, { planId: plan ? given.planId(plan) : null, paymentId });
const getPlanPrice = async (user: User, id: string, plan: PlanType) =>
  as(user).get(`/plan-user/quote?planId=${given.planId(plan)}&listingId=${id}`);
const getListing = async (user: User, id: string) => (await as(user).get(`/listing/${id}`)).body;
const state = async (id: string) =>
  db
    .selectFrom('listings')
    .select(['status', 'plan_rank', 'subscription_id', 'subscription_ends_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** What the provider took from a user and what of it went back, in cents. */
async function money(user: User) {
  const { customer_id: customer } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  const { data } = await provider.charges.list({ customer, limit: 100 });
  const taken = data.filter(({ paid }) => paid).map(({ amount }) => amount);
  return { taken, back: data.reduce((sum, { amount_refunded: amount }) => sum + amount, 0) };
}

/** Sends requests of one user so that all of them have looked at how things stand before the first one changes anything. */
const together = async <T>(user: User, requests: readonly (() => Promise<T>)[], meanwhile?: (tx: Tx) => Promise<unknown>) => {
  const { pending } = await db.transaction().execute(async (tx) => {
    // Other changes of this user wait for us.
    await sql`select from users where id = ${user._id} for update`.execute(tx);
    const sent = requests.map((request) => request());
    await untilLockWaits(db, requests.length);
    await meanwhile?.(tx);
    return { pending: Promise.all(sent) };
  });
  return pending;
};

const inDays = (iso: string) => (Date.parse(iso) - Date.now()) / 86_400_000;
const subjectsTo = async (user: User) => (await mails()).filter(({ to }) => to === user.email).map(({ subject }) => subject);

test('charges the price that was shown, starts 30 days and moves all listings', async () => {
  const { user, id, cardId } = await seller('premium', { daysLeft: 15 });
  const { subscription_id: old } = await state(id);
  const others = [
    await given.listing({ subscriptionId: old, plan: 'premium', status: 'inactive' }),
    await given.listing({ subscriptionId: old, plan: 'premium', status: 'expired' }),
  ];

  const offered = await getPlanPrice(user, id, 'featured');
  expect(offered).toMatchObject({
    status: 200,
    body: { amount: 2250, currency: 'NZD', reason: 'Featured $35.00 less $12.50 for 15 unused days of Premium.' },
  });
  expect(inDays(offered.body.endDate)).toBeCloseTo(30, 1);

  const answer = await change(user, id, 'featured', cardId);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      status: 'done',
      amount: 2250,
      clientSecret: null,
      message: 'Plan updated successfully',
      listing: { plan: { planType: 'featured' }, status: 'active' },
    },
  });
  expect(inDays((await state(id)).subscription_ends_at.toISOString())).toBeCloseTo(30, 1);
  const now = await Promise.all([id, ...others.map((row) => row.id)].map(state));
  expect(now.map(({ status, plan_rank: rank }) => [status, rank])).toEqual([
    ['active', 3],
    ['inactive', 3],
    ['active', 3],
  ]);
  expect(new Set(now.map((one) => one.subscription_id)).size).toBe(1);
  expect(await db.selectFrom('subscriptions').select(['slots_used', 'replaced_by']).where('id', '=', old).executeTakeFirst()).toEqual({
    slots_used: 0,
    replaced_by: now[0]?.subscription_id,
  });
  expect(await money(user)).toEqual({ taken: [2250], back: 0 });
  expect((await as(user).get('/receipt/all')).body.data).toMatchObject([
    { description: 'Featured plan, change of plan, 30 days', totalMinor: 2250 },
  ]);
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt')]);
});

test('charges nothing for a plan that unused days cover', async () => {
  const { user, id } = await seller('featured', { daysLeft: 20 });
  expect((await getPlanPrice(user, id, 'basic')).body).toMatchObject({
    amount: 0,
    reason: 'Basic $15.00 less $23.33 for 20 unused days of Featured. Nothing to pay.',
  });
  expect(await change(user, id, 'basic')).toMatchObject({
    status: 200,
    body: { status: 'done', amount: 0, paymentIntentId: null, listing: { plan: { planType: 'basic' } } },
  });
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  expect(inDays((await state(id)).subscription_ends_at.toISOString())).toBeCloseTo(30, 1);
});

test('makes a repeated free change once', async () => {
  const { user, id } = await seller('featured', { daysLeft: 20 });
  const send = () => change(user, id, 'basic');
  const answers = await together(
    user,
    Array.from({ length: 6 }, () => send),
  );
  answers.push(...(await times(4, send)));
  expect(answers.filter(({ body }) => body.status !== 'done')).toEqual([]);
  expect(await db.selectFrom('subscriptions').select('source').where('user_id', '=', user._id).execute()).toHaveLength(2);
  expect(await money(user)).toEqual({ taken: [], back: 0 });
});

test('rejects a plan with too few slots and charges nothing', async () => {
  const { user, id, cardId } = await seller('premium');
  const { subscription_id: subscription } = await state(id);
  const second = await given.listing({ sellerId: user._id, plan: 'premium' });
  await sql`update listings set subscription_id = ${subscription}, subscription_ends_at = (select subscription_ends_at from listings where id = ${id})
    where id = ${second.id}`.execute(db);
  const refusal = { status: 409, body: { code: 'plan_too_small', message: 'This plan covers 1 listing(s); you have 2.' } };
  expect(await getPlanPrice(user, id, 'basic')).toMatchObject(refusal);
  expect(await change(user, id, 'basic', cardId)).toMatchObject(refusal);
  expect(await money(user)).toEqual({ taken: [], back: 0 });
});

test('charges a concurrent identical change once', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  const send = () => change(user, id, 'premium', cardId);
  const answers = await together(
    user,
    Array.from({ length: 6 }, () => send),
  );
  answers.push(...(await times(10, send)), await send());
  expect(answers.filter(({ body }) => body.status !== 'done')).toEqual([]);
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
  expect(await state(id)).toMatchObject({ plan_rank: 2, status: 'active' });
});

test('charges one of two concurrent changes and reports only the plan that applies', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  const otherCard = await given.card(user, '5555555555554444');
  const answers = await together(user, [
    () => change(user, id, 'premium', cardId),
    () => change(user, id, 'featured', otherCard),
    () => change(user, id, 'premium', otherCard),
    () => change(user, id, 'featured', cardId),
  ]);
  await runJobs();
  const { plan_rank: rank } = await state(id);
  const planType = rank === 2 ? 'premium' : 'featured';
  const sent = answers.map(({ status, body }) => (status === 200 ? body.listing.plan.planType : body.code));
  expect(sent).toContain(planType);
  expect(sent.filter((one) => one !== planType && one !== 'payment_processing')).toEqual([]);
  const { taken, back } = await money(user);
  expect(taken.reduce((sum, amount) => sum + amount, 0) - back).toBe(rank === 2 ? 2500 : 3500);
});

test('charges once when a plan is changed through two listings at once', async () => {
  const { user, id, cardId } = await seller('premium', { daysLeft: 20 });
  const second = await given.listing({ sellerId: user._id, plan: 'premium' });
  await sql`update listings set (subscription_id, subscription_ends_at) = (select subscription_id, subscription_ends_at from listings where id = ${id})
    where id = ${second.id}`.execute(db);
  const { amount } = (await getPlanPrice(user, id, 'featured')).body;
  const by = (one: string) => () => change(user, one, 'featured', cardId);
  const answers = await together(user, [by(id), by(second.id), by(id), by(second.id)]);
  expect(answers.filter(({ status, body }) => status !== 200 && body.code !== 'payment_processing')).toEqual([]);
  await runJobs();
  expect(await money(user)).toEqual({ taken: [amount], back: 0 });
  for (const one of [id, second.id]) expect(await state(one)).toMatchObject({ plan_rank: 3 });
});

test('charges nothing when the listing is deactivated meanwhile', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  const [answer] = await together(user, [() => change(user, id, 'premium', cardId)], (tx) =>
    sql`update listings set status = 'inactive' where id = ${id}`.execute(tx),
  );
  expect(answer).toMatchObject({ status: 409, body: { code: 'listing_not_active' } });
  expect(await money(user)).toEqual({ taken: [], back: 0 });
});

test('does not change the plan of a listing that is deleted meanwhile', async () => {
  const { user, id } = await seller('premium', { daysLeft: 20 });
  const [answer] = await together(user, [() => change(user, id, 'basic')], (tx) => sql`delete from listings where id = ${id}`.execute(tx));
  expect(answer).toMatchObject({ status: 404, body: { code: 'listing_not_found' } });
  expect(await db.selectFrom('subscriptions').select('replaced_by').where('user_id', '=', user._id).execute()).toEqual([
    { replaced_by: null },
  ]);
});

test('charges a card after 3-D Secure only', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, card: cards.asks });
  const first = await change(user, id, 'premium', cardId);
  expect(first).toMatchObject({ status: 200, body: { status: 'requires_action', amount: 2500, listing: { plan: { planType: 'basic' } } } });
  const again = await change(user, id, 'premium', cardId);
  expect(again.body.paymentIntentId).toBe(first.body.paymentIntentId);
  expect(await confirm(user, first.body.paymentIntentId)).toMatchObject({ status: 402, body: { code: 'payment_incomplete' } });
  expect(await state(id)).toMatchObject({ plan_rank: 1 });

  await authenticateAtBank(first.body.clientSecret);
  expect(await confirm(user, first.body.paymentIntentId)).toMatchObject({
    status: 200,
    body: { refunded: false, subscription: { slotsUsed: 1 } },
  });
  expect(await state(id)).toMatchObject({ plan_rank: 2 });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('allows another attempt after failed 3-D Secure', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, card: cards.asks });
  const first = (await change(user, id, 'premium', cardId)).body;
  await authenticateAtBank(first.clientSecret, 'fail');
  const second = (await change(user, id, 'premium', cardId)).body;
  expect(second).toMatchObject({ status: 'requires_action' });
  expect(second.paymentIntentId).not.toBe(first.paymentIntentId);
  await authenticateAtBank(second.clientSecret);
  await reconcilePayments(payments, true);
  expect(await state(id)).toMatchObject({ plan_rank: 2 });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('changes nothing with a declined card, and accepts another one', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, card: cards.declined });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(await change(user, id, 'premium', cardId)).toMatchObject({
      status: 402,
      body: { code: 'card_declined', message: 'Your card was declined. Nothing was charged. Your listing is kept. Try another card.' },
    });
  }
  expect(await state(id)).toMatchObject({ plan_rank: 1 });
  expect(await change(user, id, 'premium', await given.card(user))).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('charges nothing else while the bank decides, and books its approval', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, card: cards.processes });
  const { body } = await change(user, id, 'premium', cardId);
  expect(body).toMatchObject({ status: 'processing', listing: { plan: { planType: 'basic' } } });
  expect((await change(user, id, 'premium', cardId)).body).toMatchObject({ status: 'processing', paymentIntentId: body.paymentIntentId });
  const otherCard = await given.card(user);
  for (const [plan, card] of [
    ['featured', cardId],
    ['premium', otherCard],
  ] as const) {
    expect(await change(user, id, plan, card)).toMatchObject({ status: 409, body: { code: 'payment_processing' } });
  }
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  expect(await state(id)).toMatchObject({ plan_rank: 1 });

  const anHourLater = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  await reconcilePayments(payments, true).finally(() => anHourLater.mockRestore());
  expect(await state(id)).toMatchObject({ plan_rank: 2 });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

/** The provider carries the next charge out, and its answer is lost. */
const loseNextCharge = () =>
  aroundProvider(({ method, path }, phase) => {
    if (method === 'POST' && path === '/v1/payment_intents' && phase === 'after') stripe.setFault('down');
  });

const recover = () => {
  aroundProvider();
  stripe.setFault(null);
};

test('finds a charge whose answer was lost on the next attempt', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  loseNextCharge();
  expect(await change(user, id, 'premium', cardId)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  recover();
  expect(await state(id)).toMatchObject({ plan_rank: 1 });
  expect(await change(user, id, 'premium', cardId)).toMatchObject({ status: 200, body: { status: 'done', amount: 2500 } });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('finds a lost charge before another card or plan is charged', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  const otherCard = await given.card(user, '5555555555554444');
  loseNextCharge();
  expect((await change(user, id, 'premium', cardId)).status).toBe(503);
  recover();
  expect(await change(user, id, 'premium', otherCard)).toMatchObject({ status: 200, body: { listing: { plan: { planType: 'premium' } } } });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('books a lost charge by the reconciler', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, status: 'expired' });
  loseNextCharge();
  expect((await reactivate(user, id, 'basic', cardId)).status).toBe(503);
  recover();
  await reconcilePayments(payments, true);
  expect(await state(id)).toMatchObject({ status: 'active' });
  expect(await money(user)).toEqual({ taken: [1500], back: 0 });
  expect(await subjectsTo(user)).toEqual([expect.stringContaining('receipt')]);
});

test('does not make a charge that is cancelled on its way to the provider', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0 });
  let isFirst = true;
  aroundProvider(async ({ method, path }, phase) => {
    if (!isFirst || method !== 'POST' || path !== '/v1/payment_intents' || phase !== 'before') return;
    isFirst = false;
    await reconcilePayments(payments, true);
  });
  expect(await change(user, id, 'premium', cardId)).toMatchObject({ status: 409, body: { code: 'payment_processing' } });
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  expect(await change(user, id, 'premium', cardId)).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
});

test('requires a plan and the user’s own card', async () => {
  const { user, id, cardId } = await seller('basic');
  const other = await seller('basic');
  const choose = 'Please select a plan and payment method';
  expect(await change(user, id, 'premium')).toMatchObject({ status: 400, body: { code: 'invalid_input', message: choose } });
  expect(await change(user, id, 'premium', '4242424242424242')).toMatchObject({ status: 400, body: { message: choose } });
  expect(await as(user).put(`/listing/${id}/plan`, { paymentId: cardId })).toMatchObject({ status: 400, body: { message: choose } });
  expect(await as(user).put(`/listing/${id}/plan`, { planId: randomUUID(), paymentId: cardId })).toMatchObject({
    status: 404,
    body: { code: 'plan_not_found' },
  });
  for (const foreign of [other.cardId, randomUUID()]) {
    expect(await change(user, id, 'premium', foreign)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  }
  await as(user).delete(`/credit/${cardId}`);
  expect(await change(user, id, 'premium', cardId)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  expect(await money(other.user)).toEqual({ taken: [], back: 0 });
});

test('rejects prices, changes, deactivation and reactivation of another user’s listing', async () => {
  const owner = await seller('premium');
  const off = await seller('premium', { status: 'inactive' });
  const { user: stranger, cardId } = await seller('basic');
  for (const { id, answer } of [
    { id: owner.id, answer: await getPlanPrice(stranger, owner.id, 'basic') },
    { id: owner.id, answer: await change(stranger, owner.id, 'featured', cardId) },
    { id: owner.id, answer: await as(stranger).put(`/listing/${owner.id}/deactivate`) },
    { id: off.id, answer: await reactivate(stranger, off.id, 'basic', cardId) },
    { id: off.id, answer: await reactivate(stranger, randomUUID(), 'basic', cardId) },
  ]) {
    expect({ id, ...answer }).toMatchObject({ id, status: 404, body: { code: 'listing_not_found' } });
  }
  expect(await state(owner.id)).toMatchObject({ status: 'active', plan_rank: 2 });
  expect(await state(off.id)).toMatchObject({ status: 'inactive', plan_rank: 2 });
  expect(await money(stranger)).toEqual({ taken: [], back: 0 });
  for (const path of ['plan', 'deactivate', 'reactivate']) {
    const answer = await asVisitor.put(`/listing/${owner.id}/${path}`, { planId: given.planId('basic'), paymentId: cardId });
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  }
  expect((await asVisitor.get(`/plan-user/quote?planId=${given.planId('basic')}&listingId=${owner.id}`)).status).toBe(401);
});

test('reactivates a covered listing without a body, and requires plan and card otherwise', async () => {
  const covered = await seller('premium', { status: 'inactive' });
  expect(await as(covered.user).put(`/listing/${covered.id}/reactivate`)).toMatchObject({
    status: 200,
    body: { status: 'done', amount: 0, listing: { status: 'active' } },
  });
  const ended = await seller('premium', { status: 'expired', daysLeft: -1 });
  expect(await as(ended.user).put(`/listing/${ended.id}/reactivate`)).toMatchObject({
    status: 400,
    body: { message: 'Please select a plan and payment method', errors: [{ field: 'planId' }] },
  });
  expect((await state(ended.id)).status).toBe('expired');
});

test('keeps the slot of a deactivated listing and reactivates it for free', async () => {
  const { user, id, cardId } = await seller('premium');
  const number = (await getListing(user, id)).listingNumber;
  const isFound = async () => (await asVisitor.get(`/listing/all?listingNumber=${number}`)).body.totalListings === 1;
  expect(await as(user).put(`/listing/${id}/deactivate`)).toMatchObject({
    status: 200,
    body: { message: 'Listing status updated successfully', listing: { status: 'inactive' } },
  });
  expect(await isFound()).toBe(false);
  expect(await as(user).put(`/listing/${id}/deactivate`)).toMatchObject({ status: 409, body: { code: 'listing_not_active' } });
  expect(await change(user, id, 'featured', cardId)).toMatchObject({ status: 409, body: { code: 'listing_not_active' } });

  expect((await getPlanPrice(user, id, 'featured')).body).toMatchObject({
    amount: 0,
    reason: expect.stringMatching(/^Your Premium plan runs until .* Nothing to pay\.$/),
  });
  expect(await reactivate(user, id, 'featured', cardId)).toMatchObject({
    status: 200,
    body: {
      status: 'done',
      amount: 0,
      message: 'Listing reactivated successfully',
      listing: { status: 'active', plan: { planType: 'premium' } },
    },
  });
  expect(await isFound()).toBe(true);
  expect(await reactivate(user, id)).toMatchObject({
    status: 409,
    body: { code: 'listing_already_active', message: 'This listing is already active' },
  });
  expect(await money(user)).toEqual({ taken: [], back: 0 });
});

test('reactivates an expired listing for free under a plan with a free slot', async () => {
  const { user, id } = await seller('basic', { daysLeft: 0, status: 'expired' });
  await confirm(user, await given.payment(user, 'premium'));
  expect((await getPlanPrice(user, id, 'basic')).body).toMatchObject({ amount: 0 });
  const answers = await times(5, () => reactivate(user, id));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'listing_already_active')).toHaveLength(4);
  expect(await state(id)).toMatchObject({ status: 'active', plan_rank: 2 });
  expect((await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions).toMatchObject([{ slotsUsed: 1 }, { slotsUsed: 0 }]);
});

test('charges a saved card once for a repeated reactivation', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, status: 'expired' });
  expect((await getPlanPrice(user, id, 'featured')).body).toMatchObject({
    amount: 3500,
    currency: 'NZD',
    reason: 'Featured for a new period of 30 days.',
  });
  for (const answer of [await reactivate(user, id), await reactivate(user, id, 'featured')]) {
    expect(answer).toMatchObject({ status: 400, body: { message: 'Please select a plan and payment method' } });
  }
  const foreign = (await seller()).cardId;
  expect(await reactivate(user, id, 'featured', foreign)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  const answers = await times(8, () => reactivate(user, id, 'featured', cardId));
  for (const { status, body } of answers) expect(status === 200 ? body.status : body.code).toMatch(/^(done|listing_already_active)$/);
  expect(answers.some(({ body }) => body.amount === 3500)).toBe(true);
  expect(await money(user)).toEqual({ taken: [3500], back: 0 });
  expect(await state(id)).toMatchObject({ status: 'active', plan_rank: 3 });
});

test('reactivates a listing that expires while it is paid for', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, status: 'inactive' });
  aroundProvider(async ({ method, path }, phase) => {
    if (method !== 'POST' || path !== '/v1/payment_intents' || phase !== 'before') return;
    await sql`update listings set status = 'expired' where id = ${id}`.execute(db);
  });
  expect(await reactivate(user, id, 'basic', cardId)).toMatchObject({
    status: 200,
    body: { status: 'done', amount: 1500, listing: { status: 'active' } },
  });
  expect(await money(user)).toEqual({ taken: [1500], back: 0 });
});

test('refunds a reactivation of a listing that became active meanwhile, with one email', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, status: 'expired', card: cards.asks });
  const { body } = await reactivate(user, id, 'basic', cardId);
  expect(body.status).toBe('requires_action');
  await confirm(user, await given.payment(user, 'premium'));
  expect((await reactivate(user, id)).body).toMatchObject({ amount: 0 });
  await authenticateAtBank(body.clientSecret);
  await times(3, () => confirm(user, body.paymentIntentId));
  expect(await confirm(user, body.paymentIntentId)).toMatchObject({ status: 200, body: { refunded: true, subscription: null } });
  await runJobs();
  await runJobs();
  expect(await money(user)).toEqual({ taken: expect.arrayContaining([1500, 2500]), back: 1500 });
  expect((await subjectsTo(user)).filter((subject) => subject.includes('is going back'))).toEqual([
    'Your payment of $15.00 NZD is going back to your card',
  ]);
  expect(await state(id)).toMatchObject({ plan_rank: 2 });
});

test('refunds a change of a plan that was changed meanwhile', async () => {
  const { user, id, cardId } = await seller('premium', { daysLeft: 20, card: cards.asks });
  const { body } = await change(user, id, 'featured', cardId);
  expect(body.status).toBe('requires_action');
  expect((await change(user, id, 'basic')).body).toMatchObject({ status: 'done', amount: 0 });
  await authenticateAtBank(body.clientSecret);
  expect(await confirm(user, body.paymentIntentId)).toMatchObject({ status: 200, body: { refunded: true } });
  await runJobs();
  const { taken, back } = await money(user);
  expect(taken).toEqual([back]);
  expect(await state(id)).toMatchObject({ plan_rank: 1 });
});

test('answers that a charge is refunded when the plan changed meanwhile', async () => {
  const { user, id, cardId } = await seller('premium', { daysLeft: 20 });
  aroundProvider(async ({ method, path }, phase) => {
    if (method === 'POST' && path === '/v1/payment_intents' && phase === 'after') await change(user, id, 'basic');
  });
  expect(await change(user, id, 'featured', cardId)).toMatchObject({
    status: 402,
    body: {
      code: 'payment_incomplete',
      message: 'Something changed in the meantime, so your payment is going back to your card. Please try again.',
    },
  });
  await runJobs();
  const { taken, back } = await money(user);
  expect(taken).toEqual([back]);
  expect(await state(id)).toMatchObject({ plan_rank: 1 });
});

test('refunds a plan that became too small meanwhile', async () => {
  const { user, id, cardId } = await seller('premium', { daysLeft: 1, card: cards.asks });
  const { body } = await change(user, id, 'basic', cardId);
  expect(body.status).toBe('requires_action');
  expect((await as(user).postForm('/listing/create', given.listingForm('premium'))).status).toBe(201);
  await authenticateAtBank(body.clientSecret);
  expect(await confirm(user, body.paymentIntentId)).toMatchObject({ status: 200, body: { refunded: true } });
  await runJobs();
  expect((await mails()).find((mail) => mail.to === user.email && mail.subject.includes('is going back'))?.preview).toBe(
    'This plan covers 1 listing(s); you have 2.',
  );
  expect(await state(id)).toMatchObject({ plan_rank: 2, status: 'active' });
});

test('refunds a suspended seller’s change', async () => {
  const { user, id, cardId } = await seller('basic', { daysLeft: 0, card: cards.asks });
  const { body } = await change(user, id, 'premium', cardId);
  await authenticateAtBank(body.clientSecret);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await reconcilePayments(payments, true);
  await runJobs();
  expect(await money(user)).toEqual({ taken: [2500], back: 2500 });
  expect(await state(id)).toMatchObject({ plan_rank: 1 });
});

test('after all of this the ledger balances', async () => {
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});
