import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { runAudits } from '../../composition/audit.ts';
import { reconcilePayments } from './payments.reconcile.ts';
import { syncIntent } from './payments.settle.ts';

const { db, given, callers, sandbox, outbox, parts } = await testApp({}, null, { proxied: true });
const { as, confirm } = callers;
const { answerApp, confirmAtProvider, provider } = sandbox;
const { runJobs } = outbox;
const { payments, logged } = parts;

afterEach(() => answerApp());

type User = Awaited<ReturnType<typeof given.user>>;

const fault = { status: 500, error: { type: 'api_error', message: 'An unknown error occurred' } };
const replayedFault = { ...fault, headers: { 'idempotent-replayed': 'true' } };
const missing = (param: string) => ({
  status: 400,
  error: { type: 'invalid_request_error', code: 'resource_missing', param, message: 'No such thing' },
});

const begin = (user: User, plan: 'basic' | 'premium' = 'basic') =>
  as(user).post('/plan-user/create-intent', { planId: given.planId(plan) });
const rowsOf = (user: User) =>
  db
    .selectFrom('payments')
    .select(['id', 'status', 'intent_id'])
    .where('user_id', '=', user._id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
const paymentsOf = async (user: User) => (await rowsOf(user)).map(({ status }) => status);
const subscriptionsOf = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions as object[];
const intentsOf = async (user: User) => {
  const { customer_id: customer } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  return (await provider.paymentIntents.list({ customer, limit: 100 })).data;
};

/** Fails each call that makes an intent, in this way, and says under which keys they came. */
function failing(how: (keys: string[]) => (typeof fault & { done?: boolean }) | undefined) {
  const keys: string[] = [];
  answerApp(({ method, path, key = '' }) => {
    if (method !== 'POST' || path !== '/v1/payment_intents') return undefined;
    keys.push(key);
    return how(keys);
  });
  return keys;
}

/** A seller with a listing and a saved card who changes to a dearer plan. */
async function seller() {
  const { seller: user, listing } = await given.published();
  const cardId = await given.card(user);
  const change = (plan: 'premium' | 'featured' = 'premium') =>
    as(user).put(`/listing/${listing._id}/plan`, { planId: given.planId(plan), paymentId: cardId });
  return { user, cardId, change };
}

test('continues a purchase under a new key when the provider replays a failure', async () => {
  const user = await given.user();
  let stuck = '';
  const keys = failing((all) => {
    stuck ||= all[0] ?? '';
    return all.length === 1 ? fault : all.at(-1) === stuck ? replayedFault : undefined;
  });
  expect(await begin(user)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  expect(await paymentsOf(user)).toEqual(['open']);
  const { status, body } = await begin(user);
  expect([status, await paymentsOf(user)]).toEqual([201, ['canceled', 'open']]);
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false]);
  await confirmAtProvider(body.clientSecret);
  expect((await confirm(user, body.paymentIntentId)).status).toBe(200);
  expect(await subscriptionsOf(user)).toHaveLength(1);
});

test('treats the third failure as replayed if the provider does not say so', async () => {
  const user = await given.user();
  let stuck = '';
  failing((all) => {
    stuck ||= all[0] ?? '';
    return all.at(-1) === stuck ? fault : undefined;
  });
  expect([(await begin(user)).status, (await begin(user)).status]).toEqual([503, 503]);
  expect(await paymentsOf(user)).toEqual(['open']);
  expect((await begin(user)).status).toBe(201);
  expect(await paymentsOf(user)).toEqual(['canceled', 'open']);
});

test('ends at most one payment per call while the provider fails every call', async () => {
  const user = await given.user();
  const keys = failing(() => replayedFault);
  expect(await begin(user)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  expect([keys.length, await paymentsOf(user)]).toEqual([2, ['canceled', 'canceled']]);
  answerApp();
  expect((await begin(user)).status).toBe(201);
});

test('finds and pays an intent that the provider created before it failed', async () => {
  const user = await given.user();
  failing((all) => (all.length === 1 ? { ...replayedFault, done: true } : undefined));
  const { status, body } = await begin(user);
  expect([status, await paymentsOf(user), (await intentsOf(user)).map(({ id }) => id)]).toEqual([201, ['open'], [body.paymentIntentId]]);
});

test('charges a saved card once when the provider fails after the charge', async () => {
  const { user, change } = await seller();
  failing((all) => (all.length === 1 ? { ...replayedFault, done: true } : undefined));
  expect(await change()).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await paymentsOf(user)).toEqual(['succeeded', 'succeeded']);
  expect((await intentsOf(user)).filter(({ status }) => status === 'succeeded')).toHaveLength(2);
});

test('charges a saved card under a new key when the first one only fails', async () => {
  const { user, change } = await seller();
  failing((all) => (all.length === 1 ? replayedFault : undefined));
  expect(await change()).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await paymentsOf(user)).toEqual(['succeeded', 'canceled', 'succeeded']);
});

test('books a payment that succeeds late under its old key', async () => {
  const user = await given.user();
  failing((all) => (all.length === 1 ? replayedFault : undefined));
  const { body } = await begin(user);
  const [old] = await rowsOf(user);
  await confirmAtProvider(body.clientSecret);
  await confirm(user, body.paymentIntentId);
  const metadata = { paymentId: old?.id ?? '', userId: user._id };
  const late = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  await confirmAtProvider(late.client_secret ?? '');
  await syncIntent(payments, late.id);
  expect(await paymentsOf(user)).toEqual(['succeeded', 'succeeded']);
  expect(await subscriptionsOf(user)).toHaveLength(2);
});

test('lets another purchase replace a payment whose key only fails', async () => {
  const user = await given.user();
  let stuck = '';
  failing((all) => {
    stuck ||= all[0] ?? '';
    return all.at(-1) === stuck ? (all.length === 1 ? fault : replayedFault) : undefined;
  });
  expect((await begin(user, 'basic')).status).toBe(503);
  expect((await begin(user, 'premium')).status).toBe(201);
  expect(await paymentsOf(user)).toEqual(['canceled', 'open']);
});

test('reconciles the other payments when one fails, and ends the failing one eventually', async () => {
  const [unlucky, lucky] = [await given.user(), await given.user()];
  let stuck = '';
  failing((all) => {
    stuck ||= all[0] ?? '';
    return all.at(-1) === stuck ? fault : undefined;
  });
  await begin(unlucky);
  await given.payment(lucky);
  await sql`update payments set check_at = created_at where user_id = ${unlucky._id}`.execute(db);
  await expect(reconcilePayments(payments, true)).rejects.toThrow('1 open payments could not be reconciled');
  expect([await paymentsOf(unlucky), await paymentsOf(lucky)]).toEqual([['open'], ['succeeded']]);
  await reconcilePayments(payments, true);
  expect(await paymentsOf(unlucky)).toEqual(['canceled']);
});

test('recreates a lost customer, removes its cards with an email and completes the purchase', async () => {
  const user = await given.user();
  await given.card(user);
  await given.card(user, '5555555555554444');
  const { customer_id: lost } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  await provider.customers.del(lost);
  const { status, body } = await begin(user);
  expect(status).toBe(201);
  await confirmAtProvider(body.clientSecret);
  expect((await confirm(user, body.paymentIntentId)).status).toBe(200);
  expect((await as(user).get('/credit/all')).body.data).toEqual([]);
  expect((await intentsOf(user)).map(({ id }) => id)).toEqual([body.paymentIntentId]);
  expect(await outbox.mailed(user.email, /^Please save your cards again$/)).toMatchObject({
    count: 1,
    url: 'http://localhost:3000/account/payment',
  });
  const mail = (await outbox.mails()).find(({ to, subject }) => to === user.email && subject.startsWith('Please save'));
  expect(mail?.preview).toMatch(/(Visa|Mastercard) ending in \d{4}, (Visa|Mastercard) ending in \d{4} have been removed/);
});

test('saves a card with a new customer when the old one is lost, and sends no email without cards', async () => {
  const user = await given.user();
  await begin(user);
  const { customer_id: lost } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  await provider.customers.del(lost);
  await given.card(user);
  expect((await as(user).get('/credit/all')).body.data).toHaveLength(1);
  expect((await outbox.mailed(user.email, /^Please save/)).count).toBe(0);
});

test('rejects a saved card of a lost customer and charges nothing', async () => {
  const { user, change } = await seller();
  answerApp(({ method, path }) => (method === 'POST' && path === '/v1/payment_intents' ? missing('customer') : undefined));
  expect(await change()).toMatchObject({
    status: 404,
    body: { code: 'card_not_found', message: expect.stringContaining('Nothing was charged') },
  });
  answerApp();
  expect(await paymentsOf(user)).toEqual(['succeeded', 'failed']);
  expect((await as(user).get('/credit/all')).body.data).toEqual([]);
  expect((await outbox.mailed(user.email, /^Please save your card again$/)).count).toBe(1);
});

test('removes a lost customer and emails once for two concurrent requests', async () => {
  const user = await given.user();
  await given.card(user);
  const { customer_id: lost } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', user._id)
    .executeTakeFirstOrThrow();
  await provider.customers.del(lost);
  await Promise.all([as(user).post('/credit/setup-intent'), as(user).post('/credit/setup-intent')]);
  expect((await outbox.mailed(user.email, /^Please save/)).count).toBe(1);
});

test('logs a missing key permission with the request id and tells the payer that it is our fault', async () => {
  const user = await given.user();
  answerApp(() => ({
    status: 401,
    error: { type: 'invalid_request_error', code: 'api_key_expired', message: 'Expired API Key provided' },
  }));
  expect(await begin(user)).toMatchObject({ status: 500, body: { code: 'payment_provider_refused' } });
  const line = logged.map((one) => JSON.parse(one)).findLast(({ code }) => code === 'payment_provider_refused');
  expect(line).toMatchObject({
    level: 50,
    because: { type: 'StripeAuthenticationError', code: 'api_key_expired', requestId: 'req_of_proxy' },
  });
});

test('names an email address that the provider rejects', async () => {
  const user = await given.user();
  const refused = { type: 'invalid_request_error', code: 'email_invalid', param: 'email', message: `Invalid email address: ${user.email}` };
  answerApp(({ path }) => (path === '/v1/customers' ? { status: 400, error: refused } : undefined));
  expect(await begin(user)).toMatchObject({ status: 409, body: { code: 'payment_email_refused' } });
  expect(await as(user).post('/credit/setup-intent')).toMatchObject({ status: 409, body: { code: 'payment_email_refused' } });
});

test('after all of this the ledger balances', async () => {
  await runJobs();
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault: one }) => one))).toEqual([]);
});
