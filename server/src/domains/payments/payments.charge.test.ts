import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';

const { db, given, callers, sandbox } = await testApp();
const { as, asVisitor, confirm } = callers;
const { aroundProvider, authenticateAtBank, collect: collectPayment, provider, stripe } = sandbox;

afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
  stripe.faults.clear();
});

const cards = {
  declined: '4000000000000002',
  declinedLater: '4000000000000341',
  asks: '4000002760003184',
  redirects: '4000000000003063',
  processes: '4000000000005001',
};

type User = Awaited<ReturnType<typeof given.user>>;
type Way = { confirmationToken?: string; paymentMethodId?: string; paymentId?: string; saveCard?: boolean };

const begin = async (user: User) => {
  const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
  return body.paymentIntentId as string;
};
const pay = (user: User, paymentIntentId: string, way: Way) => as(user).post('/plan-user/pay', { paymentIntentId, ...way });
const paymentsOf = async (user: User) =>
  (await db.selectFrom('payments').select('status').where('user_id', '=', user._id).orderBy('created_at').execute()).map(
    ({ status }) => status,
  );
const subscriptionsOf = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions.length as number;
const cardsOf = async (user: User) => (await as(user).get('/credit/all')).body.data as { _id: string; cardLast4: string }[];

/** A buyer with an open payment. */
async function buyer() {
  const user = await given.user();
  return { user, intentId: await begin(user) };
}

/** A seller with a listing on basic, ten days before it ends. */
async function seller(status: 'active' | 'expired' = 'active') {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id, plan: 'basic', status });
  const change = (way: Way) => as(user).put(`/listing/${id}/plan`, { planId: given.planId('featured'), ...way });
  const reactivate = (way: Way) => as(user).put(`/listing/${id}/reactivate`, { planId: given.planId('basic'), ...way });
  return { user, id, change, reactivate };
}

test('pays for the plan with the details that the form collected', async () => {
  const { user, intentId } = await buyer();
  expect(await pay(user, intentId, { confirmationToken: await collectPayment() })).toMatchObject({
    status: 200,
    body: { status: 'done', clientSecret: null, paymentIntentId: intentId },
  });
  expect(await paymentsOf(user)).toEqual(['succeeded']);
  expect(await subscriptionsOf(user)).toBe(1);
  expect(await confirm(user, intentId)).toMatchObject({ status: 200, body: { refunded: false } });
  expect(await cardsOf(user)).toEqual([]);
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault }) => fault))).toEqual([]);
});

test('pays with a payment method id or the user’s own saved card', async () => {
  const [first, second] = [await buyer(), await buyer()];
  expect((await pay(first.user, first.intentId, { paymentMethodId: 'pm_card_visa' })).body.status).toBe('done');
  const paymentId = await given.card(second.user);
  expect((await pay(second.user, second.intentId, { paymentId })).body.status).toBe('done');
  expect([await subscriptionsOf(first.user), await subscriptionsOf(second.user)]).toEqual([1, 1]);
});

test('charges once when a request is repeated after a lost answer, with the same token or another one', async () => {
  const { user, intentId } = await buyer();
  const confirmationToken = await collectPayment();
  stripe.faults.add({ does: 'lose-answer', method: 'POST', path: `/v1/payment_intents/${intentId}/confirm`, times: 1 });
  expect((await pay(user, intentId, { confirmationToken })).body.status).toBe('done');
  expect((await pay(user, intentId, { confirmationToken })).body.status).toBe('done');
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.status).toBe('done');
  expect((await provider.charges.list({ payment_intent: intentId })).data).toHaveLength(1);
});

test('uses an idempotency key per token and payment', async () => {
  const { user, intentId } = await buyer();
  const confirmationToken = await collectPayment();
  stripe.faults.add({ does: 'fail', method: 'POST', idempotencyKey: new RegExp(`^confirm-${intentId}-${confirmationToken}$`) });
  expect((await pay(user, intentId, { confirmationToken })).status).toBe(503);
  stripe.faults.clear();
  expect(await paymentsOf(user)).toEqual(['open']);
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.status).toBe('done');
});

test('answers with the result of a concurrent request that confirmed first', async () => {
  const { user, intentId } = await buyer();
  let isOvertaken = false;
  aroundProvider(async ({ method, path }, phase) => {
    if (isOvertaken || phase !== 'before' || method !== 'POST' || !path.endsWith('/confirm')) return;
    isOvertaken = true;
    await provider.paymentIntents.confirm(intentId, { payment_method: 'pm_card_visa', return_url: 'http://localhost:3000' });
  });
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.status).toBe('done');
  expect(isOvertaken).toBe(true);
  expect(await paymentsOf(user)).toEqual(['succeeded']);
  expect((await provider.charges.list({ payment_intent: intentId })).data).toHaveLength(1);
});

test('answers with the result of a concurrent request that confirmed a setup first', async () => {
  const user = await given.user();
  const { setupIntentId } = (await as(user).post('/credit/setup-intent')).body;
  let isOvertaken = false;
  aroundProvider(async ({ method, path }, phase) => {
    if (isOvertaken || phase !== 'before' || method !== 'POST' || !path.endsWith('/confirm')) return;
    isOvertaken = true;
    await provider.setupIntents.confirm(setupIntentId, { payment_method: 'pm_card_visa', return_url: 'http://localhost:3000' });
  });
  const answer = await as(user).post('/credit/confirm-setup', { setupIntentId, confirmationToken: await collectPayment() });
  expect([isOvertaken, answer.body.status]).toEqual([true, 'done']);
});

test('ends a payment whose intent the provider no longer knows', async () => {
  const { user, intentId } = await buyer();
  await sql`update payments set intent_id = 'pi_forgotten' where intent_id = ${intentId}`.execute(db);
  const answer = await pay(user, 'pi_forgotten', { confirmationToken: await collectPayment() });
  expect(answer.body.code).toBe('payment_incomplete');
  expect(await paymentsOf(user)).toEqual(['canceled']);
});

test('does not pay a cancelled payment although its intent could still be paid', async () => {
  const { user, intentId } = await buyer();
  await db.updateTable('payments').set({ status: 'canceled' }).where('intent_id', '=', intentId).execute();
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.code).toBe('payment_incomplete');
  expect((await provider.charges.list({ payment_intent: intentId })).data).toEqual([]);
});

test('charges once for twenty concurrent requests', async () => {
  const { user, intentId } = await buyer();
  const tokens = await times(20, () => collectPayment());
  const answers = await Promise.all(tokens.map((confirmationToken) => pay(user, intentId, { confirmationToken })));
  expect(new Set(answers.map(({ body }) => body.status ?? body.code))).toEqual(new Set(['done']));
  expect((await provider.charges.list({ payment_intent: intentId })).data).toHaveLength(1);
  expect(await paymentsOf(user)).toEqual(['succeeded']);
});

test('says why a card was declined, and the same payment takes the next card', async () => {
  const { user, intentId } = await buyer();
  const declined = await pay(user, intentId, { confirmationToken: await collectPayment(cards.declined) });
  expect(declined).toMatchObject({
    status: 402,
    body: { code: 'card_declined', message: expect.stringContaining('Nothing was charged.') },
  });
  expect(await paymentsOf(user)).toEqual(['open']);
  expect(await begin(user)).toBe(intentId);
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.status).toBe('done');
  expect(await subscriptionsOf(user)).toBe(1);
});

test('lets a declined saved card be tried again', async () => {
  const { user, intentId } = await buyer();
  const paymentId = await given.card(user, cards.declinedLater);
  expect((await pay(user, intentId, { paymentId })).body.code).toBe('card_declined');
  expect((await pay(user, intentId, { paymentId })).body.code).toBe('card_declined');
  expect((await provider.charges.list({ payment_intent: intentId })).data).toHaveLength(2);
});

test('saves a card on request, for on-session payments', async () => {
  const { user, intentId } = await buyer();
  await pay(user, intentId, { confirmationToken: await collectPayment('5555555555554444'), saveCard: true });
  expect((await provider.paymentIntents.retrieve(intentId)).setup_future_usage).toBe('on_session');
  expect((await cardsOf(user)).map(({ cardLast4 }) => cardLast4)).toEqual(['4444']);
});

test.each([
  ['success', 'done', 'succeeded'],
  ['fail', 'payment_incomplete', 'open'],
] as const)('a bank that asks is answered by the provider’s script: %s', async (outcome, then, state) => {
  const { user, intentId } = await buyer();
  const response = await pay(user, intentId, { confirmationToken: await collectPayment(cards.asks) });
  expect(response.body).toMatchObject({ status: 'requires_action', clientSecret: expect.stringContaining(`${intentId}_secret_`) });
  expect((await provider.paymentIntents.retrieve(intentId)).next_action?.type).toBe('use_stripe_sdk');
  expect(await subscriptionsOf(user)).toBe(0);
  await authenticateAtBank(response.body.clientSecret, outcome);
  const { status, body } = await confirm(user, intentId);
  expect(status === 200 ? 'done' : body.code).toBe(then);
  expect(await paymentsOf(user)).toEqual([state]);
});

test('leaves 3-D Secure of a saved card to the provider’s script', async () => {
  const { user, intentId } = await buyer();
  const response = await pay(user, intentId, { paymentId: await given.card(user, cards.asks) });
  expect(response.body.status).toBe('requires_action');
  expect((await provider.paymentIntents.retrieve(intentId)).next_action?.type).toBe('use_stripe_sdk');
});

test('returns from a bank’s own page with what was being paid', async () => {
  const leadsTo = async (intentId: string) => {
    const { next_action: next } = await provider.paymentIntents.retrieve(intentId);
    return next?.redirect_to_url?.return_url;
  };
  const origin = 'http://localhost:3000';
  const { user, intentId } = await buyer();
  expect((await pay(user, intentId, { confirmationToken: await collectPayment(cards.redirects) })).body.status).toBe('requires_action');
  expect(await leadsTo(intentId)).toBe(`${origin}/payment-return?for=listing`);

  const owner = await seller();
  const changed = await owner.change({ confirmationToken: await collectPayment(cards.redirects) });
  expect(changed.body.status).toBe('requires_action');
  expect(await leadsTo(changed.body.paymentIntentId)).toBe(`${origin}/payment-return?for=plan_change&listing=${owner.id}`);
  const paymentId = await given.card(owner.user, cards.redirects);
  const bySaved = await owner.change({ paymentId });
  expect(await leadsTo(bySaved.body.paymentIntentId)).toBe(`${origin}/payment-return?for=plan_change&listing=${owner.id}`);

  const expired = await seller('expired');
  const back = await expired.reactivate({ confirmationToken: await collectPayment(cards.redirects) });
  expect(await leadsTo(back.body.paymentIntentId)).toBe(`${origin}/payment-return?for=reactivation&listing=${expired.id}`);
});

test('charges no other card while the bank decides', async () => {
  const { user, intentId } = await buyer();
  expect((await pay(user, intentId, { confirmationToken: await collectPayment(cards.processes) })).body.status).toBe('processing');
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.status).toBe('processing');
  expect((await confirm(user, intentId)).body.code).toBe('payment_processing');
});

test('rejects another user’s payment, token, card or setup', async () => {
  const [mine, theirs] = [await buyer(), await buyer()];
  const confirmationToken = await collectPayment();
  for (const answer of [
    await pay(mine.user, theirs.intentId, { confirmationToken }),
    await pay(mine.user, 'pi_nobodys', { confirmationToken }),
    await confirm(mine.user, theirs.intentId),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  }
  expect((await asVisitor.post('/plan-user/pay', { paymentIntentId: mine.intentId, confirmationToken })).status).toBe(401);
  const paymentId = await given.card(theirs.user);
  const { payment_method_id: paymentMethodId } = await db
    .selectFrom('cards')
    .select('payment_method_id')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  const spent = await collectPayment();
  expect((await pay(theirs.user, theirs.intentId, { confirmationToken: spent })).body.status).toBe('done');
  for (const way of [{ paymentId }, { paymentMethodId }, { confirmationToken: spent }, { confirmationToken: 'ctoken_nobodys' }]) {
    expect(await pay(mine.user, mine.intentId, way)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  }
  for (const way of [{ paymentMethodId }, { confirmationToken: spent }]) {
    const { message } = (await pay(mine.user, mine.intentId, way)).body;
    expect(message).toBe('These payment details cannot be used any more. Nothing was charged; please enter them again.');
  }
  const { setupIntentId } = (await as(theirs.user).post('/credit/setup-intent')).body;
  for (const id of [setupIntentId, 'seti_nobodys']) {
    const taken = await as(mine.user).post('/credit/confirm-setup', { setupIntentId: id, confirmationToken });
    expect(taken).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  }
  expect(await paymentsOf(mine.user)).toEqual(['open']);
  // Nothing of it spent the token.
  expect((await pay(mine.user, mine.intentId, { confirmationToken })).body.status).toBe('done');
});

test('requires exactly one payment method, and pays only new plans by their intent', async () => {
  const { user, intentId } = await buyer();
  const [confirmationToken, paymentId] = [await collectPayment(), await given.card(user)];
  const paymentMethodId = 'pm_card_visa';
  for (const way of [{}, { confirmationToken, paymentMethodId }, { confirmationToken, paymentId }, { confirmationToken: 'tok_visa' }]) {
    expect(await pay(user, intentId, way)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  }
  const owner = await seller();
  for (const way of [{}, { confirmationToken, paymentMethodId }, { confirmationToken, paymentId }]) {
    expect(await owner.change(way)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  }
  const started = await owner.change({ confirmationToken: await collectPayment(cards.asks) });
  expect(await pay(owner.user, started.body.paymentIntentId, { confirmationToken })).toMatchObject({ status: 404 });
});

test('does not pay a cancelled payment', async () => {
  const { user, intentId } = await buyer();
  await as(user).post('/plan-user/create-intent', { planId: given.planId('premium') });
  expect((await pay(user, intentId, { confirmationToken: await collectPayment() })).body.code).toBe('payment_incomplete');
  expect((await provider.charges.list({ payment_intent: intentId })).data).toEqual([]);
});

test('changes a plan and reactivates a listing with a card that is not saved', async () => {
  const owner = await seller();
  const declined = await owner.change({ confirmationToken: await collectPayment(cards.declined) });
  expect(declined.body.code).toBe('card_declined');
  expect(await owner.change({ confirmationToken: await collectPayment(), saveCard: true })).toMatchObject({
    status: 200,
    body: { status: 'done', listing: { plan: { planType: 'featured' } } },
  });
  expect(await cardsOf(owner.user)).toHaveLength(1);
  expect(await paymentsOf(owner.user)).toEqual(['succeeded']);

  const expired = await seller('expired');
  const response = await expired.reactivate({ confirmationToken: await collectPayment(cards.asks) });
  expect(response.body.status).toBe('requires_action');
  await authenticateAtBank(response.body.clientSecret);
  expect((await confirm(expired.user, response.body.paymentIntentId)).status).toBe(200);
  expect((await as(expired.user).get(`/listing/${expired.id}`)).body.status).toBe('active');
  expect(await cardsOf(expired.user)).toEqual([]);
});

test('lets a saved card replace one that is not saved', async () => {
  const owner = await seller();
  const response = await owner.change({ confirmationToken: await collectPayment(cards.asks) });
  expect((await owner.change({ paymentId: await given.card(owner.user) })).body.status).toBe('done');
  expect((await provider.paymentIntents.retrieve(response.body.paymentIntentId)).status).toBe('canceled');
  expect(await paymentsOf(owner.user)).toEqual(['canceled', 'succeeded']);
});

const createProviderSetup = async (user: User) => (await as(user).post('/credit/setup-intent')).body.setupIntentId as string;
const setUp = (user: User, setupIntentId: string, way: Way) => as(user).post('/credit/confirm-setup', { setupIntentId, ...way });

test('confirms a setup with collected details, with 3-D Secure if needed, and says why a card was declined', async () => {
  const user = await given.user();
  const setupIntentId = await createProviderSetup(user);
  const refused = await setUp(user, setupIntentId, { confirmationToken: await collectPayment(cards.declined) });
  expect(refused).toMatchObject({
    status: 402,
    body: { code: 'card_declined', message: expect.stringContaining('The card was not saved.') },
  });
  const used = await collectPayment(cards.asks);
  const response = await setUp(user, setupIntentId, { confirmationToken: used });
  expect(response.body).toMatchObject({ status: 'requires_action', clientSecret: expect.stringContaining(`${setupIntentId}_secret_`) });
  expect((await as(user).post('/credit', { setupIntentId })).body.code).toBe('payment_incomplete');
  await authenticateAtBank(response.body.clientSecret);
  const done = { status: 'done', clientSecret: null, setupIntentId };
  expect((await setUp(user, setupIntentId, { confirmationToken: used })).body).toEqual(done);
  expect((await as(user).post('/credit', { setupIntentId })).status).toBe(201);
  expect((await setUp(user, await createProviderSetup(user), { confirmationToken: used })).body.code).toBe('card_not_found');
  expect((await setUp(user, await createProviderSetup(user), {})).status).toBe(400);
  const ended = await createProviderSetup(user);
  await provider.setupIntents.cancel(ended);
  expect((await setUp(user, ended, { confirmationToken: await collectPayment() })).body.code).toBe('payment_incomplete');
});

test('returns from a bank’s own page to the cards', async () => {
  const user = await given.user();
  const setupIntentId = await createProviderSetup(user);
  expect((await setUp(user, setupIntentId, { confirmationToken: await collectPayment(cards.redirects) })).body.status).toBe(
    'requires_action',
  );
  const { next_action: next } = await provider.setupIntents.retrieve(setupIntentId);
  expect(next?.redirect_to_url?.return_url).toBe('http://localhost:3000/payment-return?for=card');
});

test('offers cards, wallets and Link for a payment, and only cards for a setup', async () => {
  const { user, intentId } = await buyer();
  expect(await provider.paymentIntents.retrieve(intentId)).toMatchObject({ allowed_payment_method_types: ['card', 'link'] });
  expect(await provider.setupIntents.retrieve(await createProviderSetup(user))).toMatchObject({ allowed_payment_method_types: ['card'] });
});
