import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { reconcilePayments } from '../payments/payments.service.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { as, asVisitor, confirm } = callers;
const { aroundProvider, provider, confirmAtProvider, stripe } = sandbox;
const { mails } = outbox;
const { payments } = parts;

// All callers have one network and mail domain, which the rules compare over all accounts.
beforeEach(() => db.updateTable('referral_origins').set({ network_key: null, domain_key: null }).execute());

afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
});

type User = Awaited<ReturnType<typeof given.user>>;

const begin = (user: User, plan: PlanType = 'basic', more: object = {}) =>
  as(user).post('/plan-user/create-intent', { planId: given.planId(plan), ...more });
const enter = (user: User, referralCode: string, plan: PlanType = 'basic') =>
  as(user).post('/plan-user/use-referral', { planId: given.planId(plan), referralCode });
const publish = (user: User, plan: PlanType = 'basic', more: Record<string, string> = {}) =>
  as(user).postForm('/listing/create', given.listingForm(plan, more));
const mine = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data;
const listingsOf = async (user: User) => (await as(user).get('/listing/mylistings')).body.totalListings as number;

/** The intents that the provider has for a user, the oldest first. */
async function intentsOf(user: User) {
  const customer = await db.selectFrom('payment_customers').select('customer_id').where('user_id', '=', user._id).executeTakeFirst();
  if (!customer) return [];
  const { data } = await provider.paymentIntents.list({ customer: customer.customer_id, limit: 100 });
  return data.toReversed().map(({ id, status, amount, currency }) => ({ id, status, amount, currency }));
}

const statusesOf = (answers: readonly { status: number; body: { code?: string } }[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = body.code ?? String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};

test('lists the plans publicly, cheapest first, with prices', async () => {
  const { body } = await asVisitor.get('/plan/all');
  expect(
    body.map((plan: { name: string; planPrice: number; priceMinor: number; slots: number }) => [
      plan.name,
      plan.planPrice,
      plan.priceMinor,
      plan.slots,
    ]),
  ).toEqual([
    ['Basic', 15, 1500, 1],
    ['Premium', 25, 2500, 5],
    ['Featured', 35, 3500, 10],
  ]);
});

test('returns the same intent for twenty concurrent and later requests', async () => {
  const user = await given.user();
  const answers = await times(20, () => begin(user, 'premium'));
  expect(statusesOf(answers)).toEqual({ 201: 20 });
  answers.push(await begin(user, 'premium'));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers[0]?.body).toEqual({
    clientSecret: expect.stringMatching(/^pi_\w+_secret_/),
    paymentIntentId: expect.stringMatching(/^pi_/),
    amount: 2500,
    currency: 'NZD',
    free: null,
    heldReferral: null,
  });
  expect(await intentsOf(user)).toEqual([
    { id: answers[0]?.body.paymentIntentId, status: 'requires_payment_method', amount: 2500, currency: 'nzd' },
  ]);
});

test('cancels the first intent when another plan or country is chosen', async () => {
  const user = await given.user();
  const first = (await begin(user, 'basic')).body;
  const second = (await begin(user, 'premium')).body;
  const third = (await begin(user, 'premium', { country: 'AU' })).body;
  expect(third).toMatchObject({ amount: 2500, currency: 'AUD' });
  expect(await intentsOf(user)).toMatchObject([
    { id: first.paymentIntentId, status: 'canceled' },
    { id: second.paymentIntentId, status: 'canceled' },
    { id: third.paymentIntentId, status: 'requires_payment_method', amount: 2500, currency: 'aud' },
  ]);
  expect(await confirmAtProvider(first.clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
  expect(await confirm(user, first.paymentIntentId)).toMatchObject({ status: 402, body: { code: 'payment_incomplete' } });
});

test('books a payment that succeeded before a lower plan is chosen, and asks for nothing more', async () => {
  const user = await given.user();
  await given.payment(user, 'premium');
  expect(await begin(user, 'basic')).toMatchObject({ status: 409, body: { code: 'already_covered' } });
  expect(await intentsOf(user)).toMatchObject([{ status: 'succeeded' }]);
  expect((await mine(user)).subscriptions).toMatchObject([
    { plan: { planType: 'premium' }, slots: 5, slotsUsed: 0, isActive: true, isFree: false },
  ]);
});

const planTypes = ['basic', 'premium', 'featured'] as const;

test.each(planTypes.flatMap((slot) => planTypes.map((named) => [slot, named] as const)))(
  'create-intent and listing/create agree what is owed for a free %s slot when the %s plan is named',
  async (slot, named) => {
    const user = await given.user();
    await confirm(user, await given.payment(user, slot));
    const isCovered = planTypes.indexOf(named) <= planTypes.indexOf(slot);
    const [intent, published] = [await begin(user, named), await publish(user, named)];
    expect([intent.status, intent.body.code ?? intent.body.amount]).toEqual(
      isCovered ? [409, 'already_covered'] : [201, plans[named].priceMinor],
    );
    expect([published.status, published.body.code]).toEqual(isCovered ? [201, undefined] : [402, 'payment_required']);
    // The listing gets the plan of the subscription.
    expect(published.body.listing?.plan?.planType).toBe(isCovered ? slot : undefined);
    expect((await mine(user)).subscriptions).toMatchObject([{ plan: { planType: slot }, slotsUsed: isCovered ? 1 : 0 }]);
  },
);

test('uses the free slot of the lowest sufficient plan', async () => {
  const user = await given.user();
  for (const plan of planTypes) await confirm(user, await given.payment(user, plan));
  const used = async () =>
    Object.fromEntries(
      (await mine(user)).subscriptions.map((one: { plan: { planType: string }; slotsUsed: number }) => [one.plan.planType, one.slotsUsed]),
    );
  expect((await publish(user, 'basic')).status).toBe(201);
  expect(await used()).toEqual({ basic: 1, premium: 0, featured: 0 });
  expect((await publish(user, 'basic')).status).toBe(201);
  expect(await used()).toEqual({ basic: 1, premium: 1, featured: 0 });
});

test('leaves one payable intent after concurrent choices of different plans', async () => {
  const user = await given.user();
  const answers = await times(12, (index) => begin(user, (['basic', 'premium', 'featured'] as const)[index % 3]));
  for (const { status } of answers) expect([201, 409]).toContain(status);
  await begin(user, 'featured');
  const open = (await intentsOf(user)).filter(({ status }) => status !== 'canceled');
  expect(open).toMatchObject([{ amount: 3500 }]);
});

test('starts no other payment while the bank decides', async () => {
  const user = await given.user();
  const { clientSecret, paymentIntentId } = (await begin(user)).body;
  await confirmAtProvider(clientSecret, '4000000000005001');
  for (const plan of ['basic', 'premium'] as const) {
    expect(await begin(user, plan)).toMatchObject({ status: 409, body: { code: 'payment_processing' } });
  }
  expect(await intentsOf(user)).toMatchObject([{ id: paymentIntentId, status: 'processing' }]);
});

test('ignores amounts, prices and currencies from the client', async () => {
  const user = await given.user();
  const hints = { amount: 1, planPrice: 0.01, currency: 'JPY', status: 'succeeded', userId: randomUUID(), hasValidReferral: true };
  expect((await begin(user, 'featured', hints)).body).toMatchObject({ amount: 3500, currency: 'NZD' });
  expect(await intentsOf(user)).toMatchObject([{ status: 'requires_payment_method', amount: 3500, currency: 'nzd' }]);
  expect(await mine(user)).toEqual({ subscriptions: [], freeFirstMonth: false, credits: [] });
});

test('rejects an unknown plan, no plan and no session', async () => {
  const user = await given.user();
  const texts = {
    '/plan-user/create-intent': 'Plan selection is required',
    '/plan-user/use-referral': 'Please select a plan first',
  };
  for (const [path, message] of Object.entries(texts)) {
    const more = { referralCode: (await given.user()).referralCode };
    expect(await as(user).post(path, { ...more, planId: randomUUID() })).toMatchObject({ status: 404, body: { code: 'plan_not_found' } });
    expect(await as(user).post(path, more)).toMatchObject({ status: 400, body: { message } });
    expect(await as(user).post(path, { ...more, planId: 'basic' })).toMatchObject({ status: 400, body: { message } });
    expect((await asVisitor.post(path, { ...more, planId: given.planId('basic') })).status).toBe(401);
  }
  expect((await begin(user, 'basic', { country: 'US' })).status).toBe(400);
  expect((await asVisitor.get('/plan-user/my-subscriptions')).status).toBe(401);
  expect(await mine(user)).toEqual({ subscriptions: [], freeFirstMonth: false, credits: [] });
});

test('derives the currency from the host without a country', async () => {
  const user = await given.user();
  const headers = { authorization: `Bearer ${user.token}`, host: 'au.localhost' };
  const payload = { planId: given.planId('basic') };
  const answer = await app.inject({ method: 'POST', url: '/api/plan-user/create-intent', headers, payload });
  expect(answer.json()).toMatchObject({ amount: 1500, currency: 'AUD' });
});

test('charges once after the provider was down', async () => {
  const user = await given.user();
  stripe.setFault('down');
  expect(await begin(user)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  stripe.setFault(null);
  const { clientSecret, paymentIntentId } = (await begin(user)).body;
  await confirmAtProvider(clientSecret);
  stripe.setFault('down');
  expect(await confirm(user, paymentIntentId)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  stripe.setFault(null);
  expect((await confirm(user, paymentIntentId)).status).toBe(200);
  expect(await intentsOf(user)).toMatchObject([{ status: 'succeeded' }]);
});

test('returns the same intent after a lost answer', async () => {
  const user = await given.user();
  aroundProvider(({ method, path }, phase) => {
    if (method === 'POST' && path === '/v1/payment_intents' && phase === 'after') stripe.setFault('down');
  });
  expect((await begin(user)).status).toBe(503);
  aroundProvider();
  stripe.setFault(null);
  const intents = await intentsOf(user);
  expect(intents).toHaveLength(1);
  expect((await begin(user)).body.paymentIntentId).toBe(intents[0]?.id);
  expect(await intentsOf(user)).toEqual(intents);
});

test('leaves at most one payable intent when a purchase is cancelled while its intent is created', async () => {
  const user = await given.user();
  let isCancelled = false;
  aroundProvider(async ({ method, path }, phase) => {
    if (isCancelled || method !== 'POST' || path !== '/v1/payment_intents' || phase !== 'before') return;
    isCancelled = true;
    await reconcilePayments(payments, true);
  });
  const { clientSecret } = (await begin(user)).body;
  expect(isCancelled).toBe(true);
  expect((await intentsOf(user)).filter(({ status }) => status !== 'canceled').length).toBeLessThanOrEqual(1);
  if (clientSecret) await confirmAtProvider(clientSecret);
  await reconcilePayments(payments, true);
  const paid = (await intentsOf(user)).filter(({ status }) => status === 'succeeded');
  expect((await mine(user)).subscriptions).toHaveLength(paid.length);
});

test('covers as many listings as the subscription has slots', async () => {
  const user = await given.user();
  await confirm(user, await given.payment(user, 'premium'));
  for (let used = 1; used <= 4; used += 1) expect((await publish(user, 'premium')).status).toBe(201);
  expect(await begin(user, 'premium')).toMatchObject({ status: 409, body: { code: 'already_covered' } });
  const answers = await times(50, (index) => publish(user, 'premium', index % 2 ? { isUsingExistingSubscription: 'true' } : {}));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => body.code);
  expect(refused.every((code) => code === 'no_free_slot' || code === 'payment_required')).toBe(true);
  expect((await mine(user)).subscriptions).toMatchObject([{ slots: 5, slotsUsed: 5 }]);
  expect((await begin(user, 'premium')).status).toBe(201);
});

test('publishes one listing when a payment is used concurrently', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user, 'premium');
  expect(statusesOf(await times(10, () => publish(user, 'premium', { paymentId })))).toEqual({ 201: 1, payment_used: 9 });
  expect((await mine(user)).subscriptions).toMatchObject([{ slotsUsed: 1 }]);
});

test('publishes nothing with a payment for another plan or currency', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user, 'basic');
  for (const [plan, more] of [
    ['featured', { paymentId }],
    ['basic', { paymentId, location: 'Brisbane, Queensland, Australia' }],
  ] as const) {
    expect(await publish(user, plan, more)).toMatchObject({ status: 409, body: { code: 'payment_mismatch' } });
  }
  expect(await listingsOf(user)).toBe(0);
  expect((await publish(user, 'basic', { paymentId })).status).toBe(201);
});

test('publishes nothing with a slot of the other country', async () => {
  const user = await given.user();
  await confirm(user, await given.payment(user, 'premium', 'AU'));
  expect(await publish(user, 'premium')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await listingsOf(user)).toBe(0);
  expect(await begin(user, 'premium')).toMatchObject({ status: 201 });
  expect((await publish(user, 'premium', { location: 'Brisbane, Queensland, Australia' })).status).toBe(201);
});

test('publishes nothing without payment, slot or code', async () => {
  const user = await given.user();
  expect(await publish(user)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await publish(user, 'basic', { isUsingExistingSubscription: 'true' })).toMatchObject({
    status: 409,
    body: { code: 'no_free_slot' },
  });
  const claims = { hasValidReferral: 'true', status: 'active', subscriptionEndDate: '2099-01-01T00:00:00Z', amount: '0' };
  expect(await publish(user, 'basic', claims)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  expect(await listingsOf(user)).toBe(0);
  expect(await mine(user)).toEqual({ subscriptions: [], freeFirstMonth: false, credits: [] });
});

test('reuses a payment when publishing fails', async () => {
  const user = await given.user();
  const paymentId = await given.payment(user);
  expect((await publish(user, 'basic', { paymentId, serviceCategory: 'Alchemy' })).status).toBe(400);
  expect((await publish(user, 'basic', { paymentId, serviceCategory: 'Alchemy' })).status).toBe(400);
  expect((await publish(user, 'basic', { paymentId })).status).toBe(201);
  expect(await intentsOf(user)).toHaveLength(1);
});

test('gives one free first month after a code, also for fifty concurrent requests', async () => {
  const referrer = await given.user();
  const user = await given.confirmed(await given.user());
  expect(await enter(user, ` ${referrer.referralCode.toLowerCase()} `, 'premium')).toMatchObject({
    status: 200,
    body: {
      success: true,
      message: 'Referral code applied successfully.',
      amount: 0,
      currency: 'NZD',
      clientSecret: null,
      paymentIntentId: null,
      free: { source: 'free_first_month', needs: 'saved_card' },
    },
  });
  expect(await mine(user)).toEqual({ subscriptions: [], freeFirstMonth: true, credits: [] });
  expect((await begin(user, 'premium')).body).toMatchObject({ amount: 0, clientSecret: null });

  const answers = await times(50, () => publish(user, 'basic'));
  expect(statusesOf(answers)).toEqual({ 201: 1, payment_required: 49 });
  expect((await mine(user)).subscriptions).toMatchObject([{ plan: { planType: 'basic' }, slotsUsed: 1, isFree: true }]);
  expect(await intentsOf(user)).toEqual([]);
  expect((await mails()).filter(({ to }) => to === user.email).map(({ subject }) => subject)).toEqual([
    'You have a ticket for the monthly draw',
    'Your listing is live on Handwise',
  ]);
  expect(await enter(user, referrer.referralCode)).toMatchObject({
    status: 409,
    body: { code: 'free_month_used', message: 'A referral code makes an account’s first plan free, and you have already had a plan.' },
  });
});

test('gives a free first month for a code at registration, but not after a paid plan', async () => {
  const referrer = await given.user();
  const form = { fullName: 'Tama Rua', username: 'came_by_code', email: 'tama@example.org', password: 'correct-horse' };
  const { body } = await asVisitor.post('/auth/register', { ...form, referralCode: referrer.referralCode });
  expect(await mine(body.data)).toMatchObject({ freeFirstMonth: true });

  const payer = await given.user();
  await confirm(payer, await given.payment(payer));
  expect(await enter(payer, referrer.referralCode)).toMatchObject({ status: 409, body: { code: 'free_month_used' } });
  expect(await mine(payer)).toMatchObject({ freeFirstMonth: false });
});

test('rejects the user’s own code, also from an alias of the same mailbox', async () => {
  const owner = await given.user({ email: 'mere.kingi@gmail.com' });
  const own = 'You cannot use your own referral code.';
  expect(await enter(owner, owner.referralCode)).toMatchObject({ status: 409, body: { code: 'own_referral_code', message: own } });
  for (const email of ['mere.kingi+shop@gmail.com', 'merekingi@gmail.com', 'm.e.r.e.k.i.n.g.i@googlemail.com']) {
    const second = await given.user({ email });
    const answer = await enter(second, owner.referralCode);
    expect({ email, ...answer }).toMatchObject({ email, status: 409, body: { code: 'own_referral_code' } });
    expect(await begin(second, 'basic', { referralCode: owner.referralCode })).toMatchObject({
      status: 409,
      body: { code: 'own_referral_code' },
    });
    expect(await publish(second)).toMatchObject({ status: 402 });
  }
  const other = await given.user({ email: 'mere.kingi@example.org' });
  expect(await enter(other, owner.referralCode)).toMatchObject({ status: 200, body: { amount: 0 } });
});

test('ignores a code of the same mailbox at registration, and accepts another one later', async () => {
  const owner = await given.user({ email: 'aroha@example.org' });
  const form = { fullName: 'Aroha Ngata', username: 'aroha_again', email: 'aroha+2@example.org', password: 'correct-horse' };
  const { body } = await asVisitor.post('/auth/register', { ...form, referralCode: owner.referralCode });
  expect(await mine(body.data)).toMatchObject({ freeFirstMonth: false });
  expect((await begin(body.data)).body).toMatchObject({ amount: 1500 });
  const friend = await given.user();
  expect(await enter(body.data, friend.referralCode)).toMatchObject({ status: 200, body: { amount: 0 } });
  expect(await mine(body.data)).toMatchObject({ freeFirstMonth: true });
});

test('rejects an unknown code', async () => {
  const user = await given.user();
  const wrong = 'Invalid referral code. Please try again.';
  expect(await enter(user, 'REF-XXX-0000')).toMatchObject({ status: 400, body: { code: 'invalid_input', message: wrong } });
  expect(await enter(user, '')).toMatchObject({ status: 400, body: { message: 'Please enter a referral code' } });
  expect(await begin(user, 'basic', { referralCode: 'REF-XXX-0000' })).toMatchObject({ status: 400, body: { message: wrong } });
  expect(await mine(user)).toMatchObject({ freeFirstMonth: false });
});

test('limits code attempts to thirty in ten minutes, also when concurrent', async () => {
  const user = await given.user();
  const answers = await times(40, (index) => enter(user, `REF-XXX-${1000 + index}`));
  expect(statusesOf(answers)).toEqual({ invalid_input: 30, too_many_requests: 10 });
  const { referralCode } = await given.user();
  const answer = await enter(user, referralCode);
  expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(500);
});

test('cancels a payment that was started before the code', async () => {
  const codes = [await given.user(), await given.user()].map(({ referralCode }) => referralCode);
  for (const applied of [
    (user: User) => enter(user, codes[0] ?? ''),
    (user: User) => begin(user, 'basic', { referralCode: codes[1] ?? '' }),
  ]) {
    const user = await given.user();
    const { clientSecret } = (await begin(user)).body;
    expect((await applied(user)).body).toMatchObject({ amount: 0, clientSecret: null });
    expect(await confirmAtProvider(clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
  }
});

test('keeps a paid plan when a code is entered afterwards', async () => {
  const user = await given.user();
  await given.payment(user, 'premium');
  expect(await enter(user, (await given.user()).referralCode)).toMatchObject({ status: 409, body: { code: 'already_covered' } });
  expect((await mine(user)).subscriptions).toMatchObject([{ plan: { planType: 'premium' }, isFree: false }]);
});

test('lists the user’s own subscriptions, running ones first', async () => {
  const [user, other] = [await given.user(), await given.user()];
  await confirm(user, await given.payment(user, 'featured'));
  await sql`update subscriptions set starts_at = now() - interval '31 days', ends_at = now() - interval '1 day' where user_id = ${user._id}`.execute(
    db,
  );
  await confirm(user, await given.payment(user, 'basic', 'AU'));
  expect((await mine(user)).subscriptions).toMatchObject([
    { plan: { planType: 'basic' }, country: 'AU', isActive: true },
    { plan: { planType: 'featured' }, country: 'NZ', isActive: false },
  ]);
  expect(await publish(user, 'featured', { isUsingExistingSubscription: 'true' })).toMatchObject({
    status: 409,
    body: { code: 'no_free_slot' },
  });
  expect((await mine(other)).subscriptions).toEqual([]);
});

test('after all of this the ledger balances', async () => {
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});
