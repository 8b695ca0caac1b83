import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { syncPlans } from './plans.service.ts';

const { db, given, callers, sandbox } = await testApp();
const { as, asVisitor, confirm } = callers;
const { aroundProvider, confirmAtProvider, provider, stripe } = sandbox;

afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
});

type User = Awaited<ReturnType<typeof given.user>>;

const begin = (user: User, plan: PlanType = 'basic', more: object = {}) =>
  as(user).post('/plan-user/create-intent', { planId: given.planId(plan), ...more });
const listingsOf = async (user: User) => (await db.selectFrom('listings').select('id').where('seller_id', '=', user._id).execute()).length;
async function publish(user: User, plan: PlanType = 'basic', more: Record<string, string> = {}) {
  const before = await listingsOf(user);
  const answer = await as(user).postForm('/listing/create', given.listingForm(plan, more));
  // What is refused is not there, whatever the answer says.
  expect(await listingsOf(user)).toBe(answer.status === 201 ? before + 1 : before);
  return answer;
}
const mine = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data;
const pay = async (user: User, plan: PlanType, country: 'NZ' | 'AU' = 'NZ') => confirm(user, await given.payment(user, plan, country));

/** All subscriptions of a user begin so many days earlier, with what they cover. */
const age = (user: User, days: number) =>
  sql`with aged as (
      update subscriptions set starts_at = starts_at - make_interval(days => ${days}), ends_at = ends_at - make_interval(days => ${days})
      where user_id = ${user._id} returning id, ends_at
    )
    update listings set subscription_ends_at = ends_at from aged where subscription_id = aged.id`.execute(db);

test('publishes nothing under a replaced plan', async () => {
  const user = await given.user();
  await pay(user, 'featured');
  const { body } = await publish(user, 'featured');
  await age(user, 2);
  expect(await as(user).put(`/listing/${body._id}/plan`, { planId: given.planId('premium') })).toMatchObject({
    status: 200,
    body: { amount: 0 },
  });
  const { subscriptions } = await mine(user);
  expect(subscriptions).toMatchObject([
    { plan: { planType: 'premium' }, slots: 5, slotsUsed: 1, isActive: true },
    { plan: { planType: 'featured' }, slotsUsed: 0, isActive: false },
  ]);
  expect(Date.parse(subscriptions[1].endDate)).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(await publish(user, 'featured')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await publish(user, 'featured', { isUsingExistingSubscription: 'true' })).toMatchObject({ body: { code: 'no_free_slot' } });
});

test('covers nothing by a plan that was replaced in its first second', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user, 'featured');
  await confirm(user, paymentId);
  const { body } = await publish(user, 'featured');
  // The database lets no period end before it begins, so it ends a second after that.
  await sql`update subscriptions set starts_at = now() + interval '1 hour' where user_id = ${user._id}`.execute(db);
  expect((await as(user).put(`/listing/${body._id}/plan`, { planId: given.planId('basic') })).body).toMatchObject({ amount: 0 });
  expect(await publish(user, 'featured')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await publish(user, 'featured', { paymentId })).toMatchObject({ status: 409, body: { code: 'no_free_slot' } });
});

test('leaves no free slot when a plan has ended', async () => {
  const user = await given.user();
  await pay(user, 'premium');
  expect((await publish(user, 'premium')).status).toBe(201);
  await age(user, 31);
  expect(await publish(user, 'premium')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await begin(user, 'premium')).toMatchObject({ status: 201, body: { amount: 2500 } });
});

test('publishes nothing with a payment whose plan has ended', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user, 'basic');
  await confirm(user, paymentId);
  await age(user, 31);
  expect(await publish(user, 'basic', { paymentId })).toMatchObject({ status: 409, body: { code: 'no_free_slot' } });
});

test('publishes nothing with a refunded payment', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user, 'basic');
  await sql`update payments set amount_minor = 1400 where intent_id = ${paymentId}`.execute(db);
  expect((await confirm(user, paymentId)).body).toMatchObject({ refunded: true });
  expect((await as(user).get('/refund/all')).body.data).toMatchObject([{ reason: 'The amount received differs from the price.' }]);
  expect(await publish(user, 'basic', { paymentId })).toMatchObject({ status: 402, body: { code: 'payment_required' } });
});

test('publishes nothing with a payment for a plan change', async () => {
  const user = await given.user();
  await pay(user, 'basic');
  const { body } = await publish(user, 'basic');
  await age(user, 29);
  const changed = await as(user).put(`/listing/${body._id}/plan`, { planId: given.planId('premium'), paymentId: await given.card(user) });
  expect(changed.body).toMatchObject({ status: 'done' });
  const answer = await publish(user, 'premium', { paymentId: changed.body.paymentIntentId });
  expect(answer).toMatchObject({ status: 409, body: { code: 'payment_mismatch' } });
});

test('keeps the slots that a subscription was bought with', async () => {
  const user = await given.user();
  await pay(user, 'premium');
  expect((await publish(user, 'premium')).status).toBe(201);
  await sql`update subscriptions set slots = 1 where user_id = ${user._id}`.execute(db);
  expect((await publish(user, 'premium')).status).toBe(402);
  expect((await begin(user, 'premium')).status).toBe(201);
});

test('gives one free month only, also after a code at registration', async () => {
  const { referralCode } = await given.user();
  const form = { fullName: 'Tama Rua', username: 'free_once', email: 'free-once@example.org', password: 'correct-horse', referralCode };
  const user = await given.confirmed((await asVisitor.post('/auth/register', form)).body.data);
  expect((await publish(user)).status).toBe(201);
  await age(user, 31);
  expect(await mine(user)).toMatchObject({ freeFirstMonth: false });
  expect(await publish(user)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect((await begin(user)).body).toMatchObject({ amount: 1500, clientSecret: expect.any(String) });
});

test('gives no free month after a paid plan', async () => {
  const { referralCode } = await given.user();
  const form = { fullName: 'Hone Rua', username: 'paid_once', email: 'paid-once@example.org', password: 'correct-horse', referralCode };
  const user = await given.confirmed((await asVisitor.post('/auth/register', form)).body.data);
  await sql`update referrals set status = 'held', held_because = 'looked at', held_at = now(), held_until = now() + interval '5 days'
    where referred_id = ${user._id}`.execute(db);
  await pay(user, 'basic');
  await age(user, 31);
  await sql`update referrals set status = 'pending' where referred_id = ${user._id}`.execute(db);
  expect(await mine(user)).toMatchObject({ freeFirstMonth: false });
  expect(await publish(user)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
});

test('does not accept a code with an unknown plan', async () => {
  const user = await given.user();
  const { referralCode } = await given.user();
  for (const path of ['/plan-user/create-intent', '/plan-user/use-referral']) {
    expect((await as(user).post(path, { planId: randomUUID(), referralCode })).status).toBe(404);
  }
  expect(await mine(user)).toMatchObject({ freeFirstMonth: false });
});

test('cancels an intent with an outdated price', async () => {
  const user = await given.user();
  const first = (await begin(user)).body;
  await sql`update payments set amount_minor = 1400 where intent_id = ${first.paymentIntentId}`.execute(db);
  const second = (await begin(user)).body;
  expect(second.amount).toBe(1500);
  expect(second.paymentIntentId).not.toBe(first.paymentIntentId);
  expect((await provider.paymentIntents.retrieve(first.paymentIntentId)).status).toBe('canceled');
});

test('does not return an intent that was paid or cancelled meanwhile', async () => {
  const [payer, other] = [await given.user(), await given.user()];
  await given.payment(payer);
  expect(await begin(payer)).toMatchObject({ status: 409, body: { code: 'already_covered' } });
  const first = (await begin(other)).body;
  await provider.paymentIntents.cancel(first.paymentIntentId);
  const second = (await begin(other)).body;
  expect(second.paymentIntentId).not.toBe(first.paymentIntentId);
  expect(await confirmAtProvider(second.clientSecret)).toMatchObject({ status: 'succeeded' });
});

test('lists and uses the highest of several plans first', async () => {
  const user = await given.user();
  await pay(user, 'basic');
  const { body } = await publish(user);
  await age(user, 31);
  await sql`update listings set status = 'expired' where id = ${body._id}`.execute(db);
  for (const plan of ['premium', 'featured', 'basic'] as const) {
    await sql`insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
      values (${user._id}, ${given.planId(plan)}, 'NZ', 'grant', 5, now(), now() + interval '30 days')`.execute(db);
  }
  const types = (await mine(user)).subscriptions.map((one: { plan: { planType: string } }) => one.plan.planType);
  expect(types).toEqual(['featured', 'premium', 'basic', 'basic']);
  expect((await as(user).put(`/listing/${body._id}/reactivate`, {})).body).toMatchObject({
    amount: 0,
    listing: { plan: { planType: 'featured' } },
  });
});

test('resets prices and slots in the table to the contract', async () => {
  await sql`update plans set price_minor = 1, slots = 99, photos = 99 where plan_type = 'basic'`.execute(db);
  await db.transaction().execute(syncPlans);
  const row = await db
    .selectFrom('plans')
    .select(['price_minor', 'slots', 'photos', 'rank'])
    .where('plan_type', '=', 'basic')
    .executeTakeFirst();
  expect(row).toEqual({ price_minor: 1500, slots: 1, photos: 5, rank: 1 });
});

test('marks one plan as the most popular', async () => {
  const { body } = await asVisitor.get('/plan/all');
  expect(body.map((plan: { planType: string; mostPopular: boolean }) => [plan.planType, plan.mostPopular])).toEqual([
    ['basic', false],
    ['premium', true],
    ['featured', false],
  ]);
});

test.each([
  ['begins to pay', (user: User) => begin(user)],
  [
    'enters a code',
    async (user: User) => as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: 'REF-NOB-0000' }),
  ],
  ['publishes', (user: User) => publish(user)],
])('a user who %s waits for the user’s other transactions', async (_, act) => {
  const user = await given.user();
  const { acting } = await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user._id} for no key update`.execute(tx);
    const answer = act(user);
    await untilLockWaits(db);
    return { acting: answer };
  });
  expect([201, 400, 402]).toContain((await acting).status);
});
