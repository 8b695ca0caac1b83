import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { reconcilePayments } from './payments.reconcile.ts';
import { processEvent } from './payments.webhooks.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp({}, null, { proxied: true });
const { as, confirm } = callers;
const { answerApp, authenticateAtBank, confirmAtProvider, provider, stripe } = sandbox;
const { payments, logged } = parts;

afterEach(() => answerApp());

type User = Awaited<ReturnType<typeof given.user>>;

/** An event as the provider sends it, and what it calls for. */
async function sendEvent(type: string, id: string) {
  const event = { id: `evt_${randomUUID()}`, object: 'event', type, data: { object: { id } } };
  const payload = JSON.stringify(event);
  const signature = provider.webhooks.generateTestHeaderString({ payload, secret: 'whsec_sandbox' });
  const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
  expect((await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload })).statusCode).toBe(200);
  await processEvent(payments, event.id);
}

const cardsOf = async (user: User) =>
  (await as(user).get('/credit/all')).body.data as { cardLast4: string; expMonth: number; expYear: number }[];
const methodOf = async (cardId: string) =>
  (await db.selectFrom('cards').select('payment_method_id').where('id', '=', cardId).executeTakeFirstOrThrow()).payment_method_id;
const ensureCustomer = (user: User) =>
  db.selectFrom('payment_customers').select(['customer_id', 'account', 'livemode']).where('user_id', '=', user._id).executeTakeFirst();
const setUp = async (user: User) => {
  const { body } = await as(user).post('/credit/setup-intent');
  return body as { clientSecret: string; setupIntentId: string };
};
const moveToOther = async (user: User, belonging: string) => {
  await sql`update payment_customers set ${sql.raw(belonging)} where user_id = ${user._id}`.execute(db);
  await sql`update cards set ${sql.raw(belonging)} where user_id = ${user._id}`.execute(db);
};
const buy = async (user: User) => {
  const { status, body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
  expect(status).toBe(201);
  await confirmAtProvider(body.clientSecret);
  expect(await confirm(user, body.paymentIntentId)).toMatchObject({ status: 200, body: { refunded: false } });
};
const mailsTo = async (user: User) => (await outbox.mailed(user.email, /^Please save your card again$/)).count;

test('saves a card once by its webhook when its tab was closed after the setup', async () => {
  const user = await given.user();
  const { clientSecret, setupIntentId } = await setUp(user);
  await confirmAtProvider(clientSecret, '4000002500003155');
  await sendEvent('setup_intent.succeeded', setupIntentId);
  expect(await cardsOf(user)).toEqual([]);
  await authenticateAtBank(clientSecret);
  await sendEvent('setup_intent.succeeded', setupIntentId);
  expect(await cardsOf(user)).toHaveLength(1);
  await as(user).post('/credit', { setupIntentId });
  await sendEvent('setup_intent.succeeded', setupIntentId);
  expect(await cardsOf(user)).toMatchObject([{ cardLast4: '3155' }]);
});

test('ignores a setup that is not ours or has no customer', async () => {
  const { id: customer } = await provider.customers.create();
  const foreign = await provider.setupIntents.create({
    customer,
    payment_method: 'pm_card_visa',
    confirm: true,
    allowed_payment_method_types: ['card'],
  });
  expect(foreign.status).toBe('succeeded');
  const before = await db.selectFrom('cards').selectAll().execute();
  await sendEvent('setup_intent.succeeded', foreign.id);
  await sendEvent('setup_intent.succeeded', 'seti_nobodys');
  expect(await db.selectFrom('cards').selectAll().execute()).toEqual(before);
});

test('shows the new date of a renewed card, and does not restore a removed one', async () => {
  const user = await given.user();
  const [renewed, removed] = [await given.card(user), await given.card(user, '5555555555554444')];
  const removedMethod = await methodOf(removed);
  await as(user).delete(`/credit/${removed}`);
  for (const [type, month] of [
    ['payment_method.automatically_updated', 7],
    ['payment_method.updated', 8],
  ] as const) {
    stripe.control.renewCard(await methodOf(renewed), { exp_month: month, exp_year: 2038, last4: '1881' });
    await sendEvent(type, await methodOf(renewed));
    expect(await cardsOf(user)).toMatchObject([{ cardLast4: '1881', expMonth: month, expYear: 2038 }]);
  }
  await sendEvent('payment_method.updated', removedMethod);
  await sendEvent('payment_method.updated', 'pm_nobodys');
  expect(await cardsOf(user)).toHaveLength(1);
});

test('removes a card that the provider confirms as detached, not one that only a webhook reports', async () => {
  const user = await given.user();
  const [one, other] = [await given.card(user), await given.card(user, '5555555555554444')];
  await sendEvent('payment_method.detached', await methodOf(other));
  expect(await cardsOf(user)).toHaveLength(2);
  await provider.paymentMethods.detach(await methodOf(one));
  await sendEvent('payment_method.detached', await methodOf(one));
  expect(await cardsOf(user)).toMatchObject([{ cardLast4: '4444' }]);
});

test('removes the cards of a deleted customer and emails their owner, but not when only a webhook reports it', async () => {
  const [user, bystander] = [await given.user(), await given.user()];
  await given.card(user);
  await given.card(bystander);
  const lost = (await ensureCustomer(user))?.customer_id ?? '';
  await sendEvent('customer.deleted', lost);
  await sendEvent('customer.deleted', 'cus_nobodys');
  expect(await cardsOf(user)).toHaveLength(1);
  await provider.customers.del(lost);
  await sendEvent('customer.deleted', lost);
  await sendEvent('customer.deleted', lost);
  expect([await cardsOf(user), await ensureCustomer(user), await mailsTo(user)]).toEqual([[], undefined, 1]);
  expect(await cardsOf(bystander)).toHaveLength(1);
});

const failing = { status: 500, error: { type: 'api_error', message: 'It fails.' } };

test('keeps a customer, a setup and a card that the provider fails to return', async () => {
  const user = await given.user();
  const method = await methodOf(await given.card(user));
  const before = await ensureCustomer(user);
  answerApp(({ method: verb, path }) => (verb === 'POST' && path === '/v1/setup_intents' ? failing : undefined));
  expect(await as(user).post('/credit/setup-intent')).toMatchObject({ status: 503 });
  expect(await ensureCustomer(user)).toEqual(before);
  answerApp();
  const { clientSecret, setupIntentId } = await setUp(user);
  await confirmAtProvider(clientSecret, '5555555555554444');
  answerApp(({ path }) => (path === `/v1/setup_intents/${setupIntentId}` ? failing : undefined));
  expect(await as(user).post('/credit', { setupIntentId })).toMatchObject({ status: 503 });
  answerApp(({ path }) => (path === `/v1/payment_methods/${method}` ? failing : undefined));
  await expect(sendEvent('payment_method.detached', method)).rejects.toMatchObject({ code: 'payment_provider_unavailable' });
  expect(await cardsOf(user)).toHaveLength(1);
});

test('keeps a saved card when its charge is rejected for another reason', async () => {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id, plan: 'basic' });
  const paymentId = await given.card(user);
  answerApp(({ method, path }) =>
    method === 'POST' && path === '/v1/payment_intents'
      ? { status: 400, error: { type: 'invalid_request_error', message: 'Not this amount.', param: 'amount' } }
      : undefined,
  );
  const change = await as(user).put(`/listing/${id}/plan`, { planId: given.planId('premium'), paymentId });
  expect(change.body.code).toBe('payment_provider_refused');
  expect(await cardsOf(user)).toHaveLength(1);
  expect(
    await db.selectFrom('payments').select('status').where('user_id', '=', user._id).where('purpose', '=', 'plan_change').execute(),
  ).toEqual([{ status: 'failed' }]);
});

test('keeps the cards of a customer that cannot be looked up, and ignores a deleted customer that is not ours', async () => {
  const user = await given.user();
  await given.card(user);
  const customer = (await ensureCustomer(user))?.customer_id ?? '';
  answerApp(({ path }) => (path === `/v1/customers/${customer}` ? failing : undefined));
  await expect(sendEvent('customer.deleted', customer)).rejects.toMatchObject({ code: 'payment_provider_unavailable' });
  expect(await cardsOf(user)).toHaveLength(1);
  const { id: foreign } = await provider.customers.create();
  await provider.customers.del(foreign);
  await sendEvent('customer.deleted', foreign);
});

test('records account and mode of customers, cards and payments', async () => {
  const user = await given.user();
  const cardId = await given.card(user);
  await buy(user);
  const here = { account: 'acct_sandbox', livemode: false };
  expect(await ensureCustomer(user)).toMatchObject(here);
  expect(await db.selectFrom('cards').select(['account', 'livemode', 'fingerprint']).where('id', '=', cardId).execute()).toEqual([
    { ...here, fingerprint: expect.any(String) },
  ]);
  expect(await db.selectFrom('payments').select(['account', 'livemode']).where('user_id', '=', user._id).execute()).toEqual([here]);
});

test.each([
  ['another account', "account = 'acct_other', livemode = false"],
  ['another mode', "account = 'acct_sandbox', livemode = true"],
  ['another mode of an account that is not known', 'account = null, livemode = true'],
])('with keys of %s hides old cards, creates a new customer on purchase and emails the cardholder', async (_, belonging) => {
  const user = await given.user();
  const cardId = await given.card(user);
  const before = await ensureCustomer(user);
  await moveToOther(user, belonging);
  expect(await cardsOf(user)).toEqual([]);
  // Looking at the offers forgets nothing: keys may be changed back.
  expect([(await ensureCustomer(user))?.customer_id, await mailsTo(user)]).toEqual([before?.customer_id, 0]);
  await buy(user);
  expect(await ensureCustomer(user)).toMatchObject({ account: 'acct_sandbox', livemode: false });
  expect((await ensureCustomer(user))?.customer_id).not.toBe(before?.customer_id);
  expect(await mailsTo(user)).toBe(1);
  expect(await db.selectFrom('cards').select('removed_at').where('id', '=', cardId).execute()).toEqual([{ removed_at: expect.any(Date) }]);
});

test('looks up a customer without a recorded account once, and keeps it if the provider knows it', async () => {
  const user = await given.user();
  const cardId = await given.card(user);
  const before = await ensureCustomer(user);
  await moveToOther(user, 'account = null, livemode = null');
  expect(await cardsOf(user)).toHaveLength(1);
  await buy(user);
  expect(await ensureCustomer(user)).toEqual(before);
  expect(await db.selectFrom('cards').select(['account', 'livemode']).where('id', '=', cardId).execute()).toEqual([
    { account: 'acct_sandbox', livemode: false },
  ]);
  const other = await given.user();
  await given.card(other);
  await sql`update payment_customers set account = null, livemode = null, customer_id = 'cus_of_old_keys' where user_id = ${other._id}`.execute(
    db,
  );
  await buy(other);
  expect(await ensureCustomer(other)).toMatchObject({ account: 'acct_sandbox', livemode: false });
  expect([await cardsOf(other), await mailsTo(other)]).toEqual([[], 1]);
  // Known before anything was tried with it.
  expect(await db.selectFrom('payments').select('status').where('user_id', '=', other._id).execute()).toEqual([{ status: 'succeeded' }]);
});

test('cancels a payment of other keys and logs its intent', async () => {
  const user = await given.user();
  await given.payment(user);
  await sql`update payments set intent_id = 'pi_of_old_keys', account = 'acct_other', livemode = true where user_id = ${user._id}`.execute(
    db,
  );
  await reconcilePayments(payments, true);
  const lines = logged.filter((line) => line.includes('started with another account')).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ level: 50, intentId: 'pi_of_old_keys', account: 'acct_other', livemode: true }]);
  await buy(user);
});

test('cancels a payment of our account that the provider lost without that log line', async () => {
  const user = await given.user();
  await given.payment(user);
  await sql`update payments set intent_id = 'pi_forgotten' where user_id = ${user._id}`.execute(db);
  await reconcilePayments(payments, true);
  expect(logged.filter((line) => line.includes('pi_forgotten'))).toEqual([]);
});
