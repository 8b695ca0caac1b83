import { testApp } from '@handwise/sandbox/testing/app';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { auditBooks } from '../../../audit.ts';

const { db, given, callers, sandbox, outbox, parts } = await testApp({}, null, { proxied: true });
const { as, confirm } = callers;
const { answerApp, confirmAtProvider, provider } = sandbox;
const { runJobs } = outbox;
const { payments, logged } = parts;

afterEach(() => answerApp());

type User = Awaited<ReturnType<typeof given.user>>;

const fault = { status: 500, error: { type: 'api_error', message: 'An unknown error occurred' } };
const keptFault = { ...fault, headers: { 'idempotent-replayed': 'true' } };
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

/** Somebody with a listing and a saved card, who changes to a dearer plan. */
async function seller() {
  const { seller: user, listing } = await given.published();
  const cardId = await given.card(user);
  const change = (plan: 'premium' | 'featured' = 'premium') =>
    as(user).put(`/listing/${listing._id}/plan`, { planId: given.planId(plan), paymentId: cardId });
  return { user, cardId, change };
}

test('a failure that the provider keeps under a payment’s key does not lock its buyer out: the purchase goes on under another key', async () => {
  const user = await given.user();
  let stuck = '';
  const keys = failing((all) => {
    stuck ||= all[0] ?? '';
    return all.length === 1 ? fault : all.at(-1) === stuck ? keptFault : undefined;
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

test('where the provider does not say that it keeps a failure, the third one counts as kept', async () => {
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

test('while the provider fails every call, one call of ours ends one payment at most and says that the provider is not available', async () => {
  const user = await given.user();
  const keys = failing(() => keptFault);
  expect(await begin(user)).toMatchObject({ status: 503, body: { code: 'payment_provider_unavailable' } });
  expect([keys.length, await paymentsOf(user)]).toEqual([2, ['canceled', 'canceled']]);
  answerApp();
  expect((await begin(user)).status).toBe(201);
});

test('an intent that the provider made before it failed is found, and paid instead of another one', async () => {
  const user = await given.user();
  failing((all) => (all.length === 1 ? { ...keptFault, done: true } : undefined));
  const { status, body } = await begin(user);
  expect([status, await paymentsOf(user), (await intentsOf(user)).map(({ id }) => id)]).toEqual([201, ['open'], [body.paymentIntentId]]);
});

test('a saved card that was charged before the provider failed is charged once', async () => {
  const { user, change } = await seller();
  failing((all) => (all.length === 1 ? { ...keptFault, done: true } : undefined));
  expect(await change()).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await paymentsOf(user)).toEqual(['succeeded', 'succeeded']);
  expect((await intentsOf(user)).filter(({ status }) => status === 'succeeded')).toHaveLength(2);
});

test('a saved card is charged under another key where the first one gives nothing but a failure', async () => {
  const { user, change } = await seller();
  failing((all) => (all.length === 1 ? keptFault : undefined));
  expect(await change()).toMatchObject({ status: 200, body: { status: 'done' } });
  expect(await paymentsOf(user)).toEqual(['succeeded', 'canceled', 'succeeded']);
});

test('what succeeds late under the old key is booked as well, and its money is never lost', async () => {
  const user = await given.user();
  failing((all) => (all.length === 1 ? keptFault : undefined));
  const { body } = await begin(user);
  const [old] = await rowsOf(user);
  await confirmAtProvider(body.clientSecret);
  await confirm(user, body.paymentIntentId);
  const metadata = { paymentId: old?.id ?? '', userId: user._id };
  const late = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  await confirmAtProvider(late.client_secret ?? '');
  await payments.hearOfIntent(late.id);
  expect(await paymentsOf(user)).toEqual(['succeeded', 'succeeded']);
  expect(await subscriptionsOf(user)).toHaveLength(2);
});

test('who chooses something else is not held up by a payment whose key gives nothing but a failure', async () => {
  const user = await given.user();
  let stuck = '';
  failing((all) => {
    stuck ||= all[0] ?? '';
    return all.at(-1) === stuck ? (all.length === 1 ? fault : keptFault) : undefined;
  });
  expect((await begin(user, 'basic')).status).toBe(503);
  expect((await begin(user, 'premium')).status).toBe(201);
  expect(await paymentsOf(user)).toEqual(['canceled', 'open']);
});

test('one payment that the provider fails at does not keep the reconciler from the others, and ends in the end', async () => {
  const [unlucky, lucky] = [await given.user(), await given.user()];
  let stuck = '';
  failing((all) => {
    stuck ||= all[0] ?? '';
    return all.at(-1) === stuck ? fault : undefined;
  });
  await begin(unlucky);
  await given.payment(lucky);
  await sql`update payments set check_at = created_at where user_id = ${unlucky._id}`.execute(db);
  await expect(payments.reconcile(true)).rejects.toThrow('1 open payments could not be reconciled');
  expect([await paymentsOf(unlucky), await paymentsOf(lucky)]).toEqual([['open'], ['succeeded']]);
  await payments.reconcile(true);
  expect(await paymentsOf(unlucky)).toEqual(['canceled']);
});

test('a customer that the provider has lost is made again, its cards are forgotten with a word, and the purchase goes through at once', async () => {
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

test('a card is saved with a new customer where the provider has lost the old one, and who has no cards gets no mail', async () => {
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

test('a saved card of a lost customer is refused with what to do, and nothing is charged', async () => {
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

test('two requests that find the customer lost forget it once and tell once', async () => {
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

test('what our keys may not do is said in the log with the provider’s reference, and the payer is told that it is our fault', async () => {
  const user = await given.user();
  answerApp(() => ({
    status: 401,
    error: { type: 'invalid_request_error', code: 'api_key_expired', message: 'Expired API Key provided' },
  }));
  expect(await begin(user)).toMatchObject({ status: 502, body: { code: 'payment_provider_refused' } });
  const line = logged.map((one) => JSON.parse(one)).findLast(({ code }) => code === 'payment_provider_refused');
  expect(line).toMatchObject({
    level: 50,
    because: { type: 'StripeAuthenticationError', code: 'api_key_expired', requestId: 'req_of_proxy' },
  });
});

test('a mail address that the provider does not take is named as what is wrong', async () => {
  const user = await given.user();
  const refused = { type: 'invalid_request_error', code: 'email_invalid', param: 'email', message: `Invalid email address: ${user.email}` };
  answerApp(({ path }) => (path === '/v1/customers' ? { status: 400, error: refused } : undefined));
  expect(await begin(user)).toMatchObject({ status: 409, body: { code: 'payment_email_refused' } });
  expect(await as(user).post('/credit/setup-intent')).toMatchObject({ status: 409, body: { code: 'payment_email_refused' } });
});

test('after all of this the books balance', async () => {
  await runJobs();
  expect((await auditBooks(db)).flatMap(({ faults }) => faults.map(({ fault: one }) => one))).toEqual([]);
});
