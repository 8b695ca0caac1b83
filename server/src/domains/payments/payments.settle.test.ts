import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { runAudits } from '../../composition/audit.ts';
import { detachCard } from './payments.cards.ts';
import { reconcilePayments } from './payments.reconcile.ts';
import { sendRefund } from './payments.refunds.ts';
import { syncIntent } from './payments.settle.ts';
import { movePayment } from './payments.states.ts';

const { db, given, callers, sandbox, outbox, parts } = await testApp();
const { as, confirm } = callers;
const { aroundProvider, confirmAtProvider, provider, stripe } = sandbox;
const { mails, queued, runJobs } = outbox;
const { payments } = parts;

afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
});

type User = Awaited<ReturnType<typeof given.user>>;

const begin = async (user: User, plan: 'basic' | 'premium' = 'basic') =>
  (await as(user).post('/plan-user/create-intent', { planId: given.planId(plan) })).body as {
    clientSecret: string;
    paymentIntentId: string;
  };
const cardsOf = async (user: User) => (await as(user).get('/credit/all')).body.data as { cardLast4: string }[];
const subscriptionsOf = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions as object[];
const paymentsOf = async (user: User) =>
  (await db.selectFrom('payments').select('status').where('user_id', '=', user._id).orderBy('created_at').execute()).map(
    ({ status }) => status,
  );
const intentsOf = async (user: User) => {
  const { customer_id: customer } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  return (await provider.paymentIntents.list({ customer, limit: 100 })).data;
};

/** A seller whose basic plan has ended, and so pays the whole price of the next one. */
async function seller(card?: string) {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id });
  await sql`with ended as (
      update subscriptions set starts_at = starts_at - interval '40 days', ends_at = ends_at - interval '40 days' where user_id = ${user._id} returning ends_at
    )
    update listings set subscription_ends_at = ended.ends_at from ended where id = ${id}`.execute(db);
  const cardId = await given.card(user, card);
  const change = (paymentId: string) => as(user).put(`/listing/${id}/plan`, { planId: given.planId('premium'), paymentId });
  return { user, id, cardId, change };
}

/** Counts calls of the provider by method and path while `work` runs. */
async function callsDuring(method: string, path: string, work: () => Promise<unknown>) {
  let calls = 0;
  aroundProvider((call, phase) => {
    if (call.method === method && call.path === path && phase === 'before') calls += 1;
  });
  await work();
  aroundProvider();
  return calls;
}

test('uses one provider customer per user', async () => {
  const user = await given.user();
  const calls = await callsDuring('POST', '/v1/customers', async () => {
    await begin(user, 'basic');
    await begin(user, 'premium');
    await given.card(user);
  });
  expect(calls).toBe(1);
});

test('finds an intent whose id was never stored instead of creating another', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set intent_id = null where intent_id = ${id}`.execute(db);
  expect(await callsDuring('POST', '/v1/payment_intents', () => reconcilePayments(payments, true))).toBe(0);
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('finds and stores the lost one of several intents', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set intent_id = null where intent_id = ${id}`.execute(db);
  const [own] = await intentsOf(user);
  await provider.paymentIntents.create({ amount: 9900, currency: 'nzd', customer: String(own?.customer) });
  await reconcilePayments(payments, true);
  expect(await subscriptionsOf(user)).toHaveLength(1);
  expect(await db.selectFrom('payments').select('intent_id').where('user_id', '=', user._id).execute()).toEqual([{ intent_id: id }]);
});

test('stores an intent’s id by its webhook', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set intent_id = null where intent_id = ${id}`.execute(db);
  await syncIntent(payments, id);
  expect(await db.selectFrom('payments').select(['intent_id', 'status']).where('user_id', '=', user._id).execute()).toEqual([
    { intent_id: id, status: 'succeeded' },
  ]);
});

test('retries an event whose intent cannot be loaded, and ignores one whose intent is missing', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  stripe.setFault('down');
  await expect(syncIntent(payments, id)).rejects.toThrow('Unable to process payment');
  stripe.setFault(null);
  expect(await paymentsOf(user)).toEqual(['open']);
  await syncIntent(payments, id);
  expect(await paymentsOf(user)).toEqual(['succeeded']);
  await syncIntent(payments, 'pi_nobodys');
});

test('does not ask the provider about a payment that is booked', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await confirm(user, id);
  expect(await callsDuring('GET', `/v1/payment_intents/${id}`, () => confirm(user, id))).toBe(0);
});

test('records which card paid', async () => {
  const fingerprintOf = async (intentId: string) =>
    (await db.selectFrom('payments').select('card_fingerprint').where('intent_id', '=', intentId).executeTakeFirstOrThrow())
      .card_fingerprint;
  const [one, other] = [await given.user(), await given.user()];
  const [first, second] = [await given.payment(one), await given.payment(other)];
  await confirm(one, first);
  await confirm(other, second);
  expect(await fingerprintOf(first)).toEqual(expect.any(String));
  expect(await fingerprintOf(second)).toBe(await fingerprintOf(first));
});

test('creates intents for cards and Link with the plan’s amount and currency', async () => {
  const user = await given.user();
  const { paymentIntentId } = await begin(user, 'premium');
  expect(await provider.paymentIntents.retrieve(paymentIntentId)).toMatchObject({
    amount: 2500,
    currency: 'nzd',
    allowed_payment_method_types: ['card', 'link'],
    setup_future_usage: null,
  });
});

test('does not book an intent for another intent’s payment', async () => {
  const user = await given.user();
  const { paymentIntentId } = await begin(user);
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('intent_id', '=', paymentIntentId).executeTakeFirstOrThrow();
  const forged = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata: { paymentId } });
  await confirmAtProvider(forged.client_secret ?? '');
  await syncIntent(payments, forged.id);
  expect(await paymentsOf(user)).toEqual(['open']);
  expect(await db.selectFrom('payments').select('intent_id').where('id', '=', paymentId).executeTakeFirst()).toEqual({
    intent_id: paymentIntentId,
  });
});

test('leaves no payable intent when a card is declined', async () => {
  const { user, cardId, change } = await seller('4000000000000341');
  expect((await change(cardId)).body.code).toBe('card_declined');
  expect(await paymentsOf(user)).toEqual(['failed']);
  const [intent] = await intentsOf(user);
  expect(intent?.status).toBe('canceled');
  expect(await confirmAtProvider(intent?.client_secret ?? '')).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
});

test('rejects a card that the provider lost, and another one pays', async () => {
  const { user, cardId, change } = await seller();
  const { payment_method_id: method } = await db
    .selectFrom('cards')
    .select('payment_method_id')
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();
  await provider.paymentMethods.detach(method);
  expect(await change(cardId)).toMatchObject({
    status: 404,
    body: { code: 'card_not_found', message: expect.stringContaining('Nothing was charged') },
  });
  expect(await paymentsOf(user)).toEqual(['failed']);
  expect(await cardsOf(user)).toEqual([]);
  expect(await change(await given.card(user))).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await paymentsOf(user)).toEqual(['failed', 'succeeded']);
});

test('closes a payment whose intent was cancelled at the provider', async () => {
  const user = await given.user();
  const { paymentIntentId } = await begin(user);
  await provider.paymentIntents.cancel(paymentIntentId);
  await syncIntent(payments, paymentIntentId);
  expect(await paymentsOf(user)).toEqual(['canceled']);
});

test.each([
  ['less', 'amount_minor = amount_minor + 1'],
  ['more', 'amount_minor = amount_minor - 1'],
  ['another currency', "country = 'AU', currency = 'AUD'"],
])('refunds %s than the price', async (_, change) => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set ${sql.raw(change)} where intent_id = ${id}`.execute(db);
  expect((await confirm(user, id)).body).toMatchObject({ refunded: true, subscription: null });
  expect(await subscriptionsOf(user)).toEqual([]);
  await runJobs();
  expect((await provider.refunds.list({ payment_intent: id })).data.map(({ amount }) => amount)).toEqual([1500]);
});

test('emails a refund’s amount and reason', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await syncIntent(payments, id);
  await runJobs();
  const mail = (await mails()).find(({ to }) => to === user.email);
  expect(mail).toMatchObject({
    subject: 'Your payment of $15.00 NZD is going back to your card',
    preview: 'The account is suspended.',
    blocks: [
      { kind: 'text', text: 'We have refunded your payment of $15.00 NZD in full. The account is suspended.' },
      { kind: 'text', text: expect.stringContaining('5 to 10 days') },
      { kind: 'button', url: 'http://localhost:3000/mylistings/mylistings' },
    ],
  });
});

test('saves a card from a payment only on request', async () => {
  const [saving, unsaving] = [await given.user(), await given.user()];
  const { clientSecret, paymentIntentId } = await begin(saving);
  await confirmAtProvider(clientSecret, '5555555555554444', { setup_future_usage: 'off_session' });
  await confirm(saving, paymentIntentId);
  expect((await cardsOf(saving)).map(({ cardLast4 }) => cardLast4)).toEqual(['4444']);
  await confirm(unsaving, await given.payment(unsaving));
  expect(await cardsOf(unsaving)).toEqual([]);
});

test('saves a card for on-session charges', async () => {
  const user = await given.user();
  const { setupIntentId } = (await as(user).post('/credit/setup-intent')).body;
  expect(await provider.setupIntents.retrieve(setupIntentId)).toMatchObject({
    usage: 'on_session',
    payment_method_types: ['card'],
    metadata: { userId: user._id },
  });
});

test('booking waits for other transactions of the payer', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  const booked = await db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${user._id} for no key update`.execute(tx);
    const booking = syncIntent(payments, id);
    await untilLockWaits(db);
    return { booking };
  });
  await booked.booking;
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('checks an open payment when it is due, and again later', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await reconcilePayments(payments);
  expect(await paymentsOf(user)).toEqual(['open']);
  await sql`update payments set check_at = now() - interval '1 second' where intent_id = ${id}`.execute(db);
  await reconcilePayments(payments);
  expect(await paymentsOf(user)).toEqual(['succeeded']);

  const { paymentIntentId } = await begin(await given.user());
  await sql`update payments set check_at = now() - interval '1 second' where intent_id = ${paymentIntentId}`.execute(db);
  await reconcilePayments(payments);
  const next = await db
    .selectFrom('payments')
    .select(sql<boolean>`check_at > now() + interval '50 seconds'`.as('isLater'))
    .where('intent_id', '=', paymentIntentId)
    .executeTakeFirst();
  expect(next).toEqual({ isLater: true });
});

test.each([
  ['an hour', "interval '1 hour'", ['open']],
  ['23 hours', "interval '23 hours'", ['open']],
  ['25 hours', "interval '25 hours'", ['canceled']],
])('a payment unpaid for %s is %s', async (_, age, statuses) => {
  const user = await given.user();
  const { paymentIntentId } = await begin(user);
  await sql`update payments set created_at = now() - ${sql.raw(age)} where intent_id = ${paymentIntentId}`.execute(db);
  await reconcilePayments(payments, true);
  expect(await paymentsOf(user)).toEqual(statuses);
});

test('a bank that has just begun to decide about a payment holds up no other one', async () => {
  const [deciding, abandoned] = [await given.user(), await given.user()];
  const { clientSecret, paymentIntentId: id } = await begin(deciding);
  await sql`update payments set created_at = now() - interval '26 hours', check_at = now() - interval '1 hour' where intent_id = ${id}`.execute(
    db,
  );
  const other = await begin(abandoned);
  await sql`update payments set created_at = now() - interval '25 hours' where intent_id = ${other.paymentIntentId}`.execute(db);
  aroundProvider(async ({ path }, phase) => {
    if (path === `/v1/payment_intents/${id}/cancel` && phase === 'before') await confirmAtProvider(clientSecret, '4000000000005001');
  });
  await reconcilePayments(payments, true);
  expect([await paymentsOf(deciding), await paymentsOf(abandoned)]).toEqual([['open'], ['canceled']]);
});

test('stops reconciling while the provider is down, and starts with the longest waiting payments', async () => {
  await reconcilePayments(payments, true);
  const users = await Promise.all([1, 2, 3, 4].map(() => given.user()));
  const ids = await Promise.all(users.map((user) => given.payment(user)));
  for (const [at, id] of ids.entries()) {
    await sql`update payments set check_at = now() - make_interval(hours => ${9 - at}) where intent_id = ${id}`.execute(db);
  }
  stripe.setFault('down');
  await expect(reconcilePayments(payments)).rejects.toThrow('3 open payments could not be reconciled');
  stripe.setFault(null);
  const { rows } = await sql<{ due: string }>`select intent_id as due from payments where status = 'open' and check_at < now()`.execute(db);
  expect(rows.map(({ due }) => due)).toEqual([ids[3]]);
  await reconcilePayments(payments, true);
  expect(await Promise.all(users.map(paymentsOf))).toEqual(users.map(() => ['succeeded']));
});

test('does not repeat or email a refund that was made before', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await syncIntent(payments, id);
  const [job] = await queued('payments.refund-payment');
  await runJobs();
  const calls = await callsDuring('POST', '/v1/refunds', async () => {
    await sendRefund(payments, job.refundId);
    await sendRefund(payments, randomUUID());
  });
  expect(calls).toBe(0);
  expect((await mails()).filter(({ to }) => to === user.email)).toHaveLength(1);
});

test('makes and emails a refund once for two workers', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await syncIntent(payments, id);
  const [job] = await queued('payments.refund-payment');
  // The provider answers neither request before both have arrived.
  let requests = 0;
  const { promise: allRequested, resolve } = Promise.withResolvers<void>();
  aroundProvider(async ({ path }, phase) => {
    if (phase !== 'before' || !path.startsWith('/v1/refunds')) return;
    requests += 1;
    if (requests === 2) resolve();
    await allRequested;
  });
  await Promise.all([sendRefund(payments, job.refundId), sendRefund(payments, job.refundId)]);
  aroundProvider();
  await runJobs();
  expect((await mails()).filter(({ to }) => to === user.email)).toHaveLength(1);
  expect((await provider.refunds.list({ payment_intent: id })).data).toHaveLength(1);
});

test('does not save a card before 3-D Secure has passed', async () => {
  const user = await given.user();
  const { clientSecret, setupIntentId } = (await as(user).post('/credit/setup-intent')).body;
  expect(await confirmAtProvider(clientSecret, '4000002500003155')).toMatchObject({ status: 'requires_action' });
  expect(await as(user).post('/credit', { setupIntentId })).toMatchObject({ status: 402, body: { code: 'payment_incomplete' } });
  expect(await cardsOf(user)).toEqual([]);
});

test('treats an unknown card as detached, and retries while the provider is down', async () => {
  await expect(detachCard(payments, 'pm_nobodys')).resolves.toBeUndefined();
  stripe.setFault('down');
  await expect(detachCard(payments, 'pm_nobodys')).rejects.toMatchObject({ code: 'payment_provider_unavailable' });
});

test('waits longer than a day for a bank that is still deciding', async () => {
  const user = await given.user();
  const { clientSecret, paymentIntentId } = await begin(user);
  await confirmAtProvider(clientSecret, '4000000000005001');
  await sql`update payments set created_at = now() - interval '2 days' where intent_id = ${paymentIntentId}`.execute(db);
  await reconcilePayments(payments, true);
  expect(await paymentsOf(user)).toEqual(['open']);
  stripe.control.settle();
  await reconcilePayments(payments, true);
  expect(await paymentsOf(user)).toEqual(['succeeded']);
});

test('does not check a closed payment', async () => {
  const user = await given.user();
  const { paymentIntentId } = await begin(user);
  await provider.paymentIntents.cancel(paymentIntentId);
  await syncIntent(payments, paymentIntentId);
  expect(await callsDuring('GET', `/v1/payment_intents/${paymentIntentId}`, () => reconcilePayments(payments, true))).toBe(0);
});

test('does not close a payment that has succeeded meanwhile', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  const payment = await db.selectFrom('payments').select(['id', 'status']).where('intent_id', '=', id).executeTakeFirstOrThrow();
  await confirm(user, id);
  expect([payment.status, await movePayment(db, payment, 'failed')]).toEqual(['open', false]);
  expect(await paymentsOf(user)).toEqual(['succeeded']);
});

test('after all of this the ledger balances', async () => {
  await runJobs();
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault }) => fault))).toEqual([]);
});
