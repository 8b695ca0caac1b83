import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { reconcilePayments } from './payments.reconcile.ts';
import { processEvent } from './payments.webhooks.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { as, asVisitor, confirm } = callers;
const { authenticateAtBank, provider, confirmAtProvider, stripe } = sandbox;
const { mails, runJobs } = outbox;
const { payments } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

/** The body of an event as the provider sends it. */
const eventOf = (type: string, intentId: string) =>
  JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object: { id: intentId, object: 'payment_intent' } } });

const signatureOf = (payload: string, timestamp = Math.floor(Date.now() / 1000), secret = 'whsec_sandbox') =>
  provider.webhooks.generateTestHeaderString({ payload, secret, timestamp });

/** Sends an event to the webhook: signed unless a signature is given. */
const deliver = async (payload: string, signature: string | null = signatureOf(payload)) => {
  const headers = { 'content-type': 'application/json', ...(signature !== null && { 'stripe-signature': signature }) };
  const answer = await app.inject({ method: 'POST', url: '/api/stripe/webhook', headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};

/** Sends an event and works it off at once, whatever else waits. */
const postEvent = async (payload: string, signature?: string) => {
  const answer = await deliver(payload, signature);
  await processEvent(payments, JSON.parse(payload).id);
  return answer;
};

const sendEvent = (type: string, intentId: string) => postEvent(eventOf(type, intentId));

/** What a user has paid for and got, with the emails about it. */
async function readLedger(user: User) {
  const { rows } = await sql<Record<string, unknown>>`
    select
      array(select status from payments where user_id = ${user._id} order by created_at) as payments,
      (select count(*)::int from subscriptions where user_id = ${user._id}) as subscriptions,
      (select count(*)::int from receipts where user_id = ${user._id}) as receipts,
      array(select refunds.status from refunds join payments on payments.id = payment_id where user_id = ${user._id}) as refunds`.execute(
    db,
  );
  const ofMoney = (mail: { subject: string }) => !mail.subject.startsWith('Confirm your email address');
  const subjects = (await mails()).filter((mail) => mail.to === user.email && ofMoney(mail)).map((mail) => mail.subject);
  return { ...rows[0], mails: subjects };
}

/** What all users have paid for and got. */
const readWholeLedger = async () =>
  (
    await sql`select (select jsonb_agg(payments order by id) from payments) as payments, (select count(*) from subscriptions) as subscriptions,
      (select count(*) from receipts) as receipts, (select count(*) from refunds) as refunds`.execute(db)
  ).rows;

const bought = {
  payments: ['succeeded'],
  subscriptions: 1,
  receipts: 1,
  refunds: [],
  mails: [expect.stringMatching(/^Your Handwise receipt INV-\d+$/)],
};
const nothing = { payments: ['open'], subscriptions: 0, receipts: 0, refunds: [], mails: [] };
const refundSubject = 'Your payment of $15.00 NZD is going back to your card';

const intentFor = async (user: User, plan: 'basic' | 'premium' = 'basic') =>
  (await as(user).post('/plan-user/create-intent', { planId: given.planId(plan) })).body as {
    clientSecret: string;
    paymentIntentId: string;
  };

test('rejects an event that is unsigned, altered, stale, from the future or signed with another secret', async () => {
  const user = await given.user();
  const event = eventOf('payment_intent.succeeded', await given.payment(user));
  const signature = signatureOf(event);
  const now = Math.floor(Date.now() / 1000);
  for (const [payload, header] of [
    [event, null],
    [event, ''],
    [event, 't=1,v1=00'],
    [`${event} `, signature],
    [event.replace('succeeded', 'canceled'), signature],
    [event, signatureOf(event, now - 400)],
    [event, signatureOf(event, now + 400)],
    [event, signatureOf(event, now, 'whsec_somebody_else')],
    ['', signature],
  ] as const) {
    const answer = await deliver(payload, header);
    expect({ header, ...answer }).toMatchObject({ header, status: 400, body: { code: 'webhook_signature_invalid' } });
  }
  expect(await readLedger(user)).toEqual(nothing);
  expect(await postEvent(event, signature)).toEqual({ status: 200, body: { received: true } });
  expect(await readLedger(user)).toEqual(bought);
});

test.each(['null', '{}', '[]', '"text"', '{"type":"payment_intent.succeeded"}', '{"type":1,"data":{"object":{"id":"pi_1"}}}', 'no JSON'])(
  'a signed message that is no event is refused: %s',
  async (payload) => {
    expect(await deliver(payload)).toMatchObject({ status: 400, body: { code: 'malformed_request' } });
  },
);

test('accepts and ignores a signed event of another type', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  for (const type of ['customer.created', 'charge.succeeded']) {
    expect(await sendEvent(type, id)).toEqual({ status: 200, body: { received: true } });
  }
  expect(await readLedger(user)).toEqual(nothing);
});

test('creates one subscription, receipt and email for a hundred concurrent events', async () => {
  const user = await given.user();
  const event = eventOf('payment_intent.succeeded', await given.payment(user));
  const answers = await times(100, () => postEvent(event));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await runJobs();
  expect(await readLedger(user)).toEqual(bought);
});

test('settles the same for browser, webhook and reconciler in any order', async () => {
  const ways: Record<string, (user: User, id: string) => Promise<unknown>> = {
    'the browser alone': (user, id) => confirm(user, id),
    'the webhook alone': (_user, id) => sendEvent('payment_intent.succeeded', id),
    'the reconciler alone': () => reconcilePayments(payments, true),
    'the webhook, then the browser': async (user, id) => {
      await sendEvent('payment_intent.succeeded', id);
      expect(await confirm(user, id)).toMatchObject({ status: 200, body: { success: true, refunded: false } });
    },
    'the browser, then the webhook': async (user, id) => {
      await confirm(user, id);
      await sendEvent('payment_intent.succeeded', id);
    },
    'all at once': (user, id) =>
      Promise.all([confirm(user, id), sendEvent('payment_intent.succeeded', id), reconcilePayments(payments, true), confirm(user, id)]),
  };
  for (const [name, deliver] of Object.entries(ways)) {
    const user = await given.user();
    await deliver(user, await given.payment(user));
    expect({ name, ...(await readLedger(user)) }).toEqual({ name, ...bought });
  }
});

test('describes a payment in the dashboard and on the bank statement', async () => {
  const { paymentIntentId } = await intentFor(await given.user());
  expect(await provider.paymentIntents.retrieve(paymentIntentId)).toMatchObject({
    description: 'Plan, 30 days',
    statement_descriptor_suffix: 'PLAN',
  });
});

test('handles events of a declined and a successful attempt in any order', async () => {
  const events = ['payment_intent.created', 'payment_intent.payment_failed', 'payment_intent.canceled', 'payment_intent.succeeded'];
  for (const order of [events, events.toReversed(), [...events.slice(2), ...events.slice(0, 2)]]) {
    const user = await given.user();
    const { clientSecret, paymentIntentId } = await intentFor(user);
    expect(await confirmAtProvider(clientSecret, '4000000000000002')).toMatchObject({ error: { code: 'card_declined' } });
    expect(await confirm(user, paymentIntentId)).toMatchObject({ status: 402, body: { code: 'payment_incomplete' } });
    await confirmAtProvider(clientSecret);
    for (const type of order) expect((await sendEvent(type, paymentIntentId)).status).toBe(200);
    expect(await readLedger(user)).toEqual(bought);
  }
});

test('accepts and ignores events about foreign objects', async () => {
  const foreign = await provider.paymentIntents.create({
    amount: 5000,
    currency: 'nzd',
    metadata: { paymentId: 'x; drop table payments' },
  });
  const stranger = await provider.paymentIntents.create({ amount: 5000, currency: 'nzd', metadata: { paymentId: randomUUID() } });
  const before = await readWholeLedger();
  for (const id of [foreign.id, stranger.id, 'pi_nobodys']) expect((await sendEvent('payment_intent.succeeded', id)).status).toBe(200);
  expect((await deliver(JSON.stringify({ id: 'evt_1', object: 'event', type: 'customer.created', data: { object: {} } }))).status).toBe(
    200,
  );
  expect(await readWholeLedger()).toEqual(before);
});

test.each([
  ['unpaid', null, 402, 'payment_incomplete', 'Payment status: requires payment method. Please try again or contact support.'],
  [
    'declined',
    '4000000000000002',
    402,
    'payment_incomplete',
    'Payment status: requires payment method. Please try again or contact support.',
  ],
  ['without money on the card', '4000000000009995', 402, 'payment_incomplete', expect.any(String)],
  [
    'waiting for 3-D Secure',
    '4000002500003155',
    402,
    'payment_incomplete',
    'Payment status: requires action. Please try again or contact support.',
  ],
  ['processing', '4000000000005001', 409, 'payment_processing', expect.any(String)],
])('a payment that is %s buys nothing', async (_state, card, status, code, message) => {
  const user = await given.user();
  const { clientSecret, paymentIntentId } = await intentFor(user);
  if (card) await confirmAtProvider(clientSecret, card);
  expect(await confirm(user, paymentIntentId)).toMatchObject({ status, body: { code, message } });
  await sendEvent('payment_intent.succeeded', paymentIntentId);
  await reconcilePayments(payments, true);
  expect(await readLedger(user)).toEqual(nothing);
  const form = given.listingForm('basic', { paymentId: paymentIntentId });
  expect(await as(user).postForm('/listing/create', form)).toMatchObject({ status, body: { code } });
  expect(await readLedger(user)).toEqual(nothing);
  expect(await db.selectFrom('listings').select('id').where('seller_id', '=', user._id).execute()).toEqual([]);
});

test('books a payment after 3-D Secure has passed, not after it failed', async () => {
  const user = await given.user();
  const { clientSecret, paymentIntentId } = await intentFor(user);
  await confirmAtProvider(clientSecret, '4000002500003155');
  await authenticateAtBank(clientSecret, 'fail');
  expect((await confirm(user, paymentIntentId)).body.code).toBe('payment_incomplete');
  await confirmAtProvider(clientSecret, '4000002500003155');
  await authenticateAtBank(clientSecret);
  expect(await confirm(user, paymentIntentId)).toMatchObject({ status: 200, body: { subscription: { isActive: true, slots: 1 } } });
  expect(await readLedger(user)).toEqual(bought);
});

test('rejects confirming or using another user’s or an unknown payment', async () => {
  const [owner, stranger] = [await given.user(), await given.user()];
  const id = await given.payment(owner);
  for (const intentId of [id, 'pi_nobodys']) {
    expect(await confirm(stranger, intentId)).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
    const form = given.listingForm('basic', { paymentId: intentId });
    expect(await as(stranger).postForm('/listing/create', form)).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  }
  expect((await asVisitor.post('/plan-user/confirm-payment', { paymentIntentId: id })).status).toBe(401);
  expect((await confirm(owner, '../etc/passwd')).status).toBe(400);
  expect(await readLedger(owner)).toEqual(nothing);
  await confirm(owner, id);
  expect((await confirm(stranger, id)).status).toBe(404);
  expect(await readLedger(stranger)).toMatchObject({ payments: [], subscriptions: 0 });
});

test('refunds a wrong amount in full with one email', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set amount_minor = 1400 where intent_id = ${id}`.execute(db);
  expect(await confirm(user, id)).toMatchObject({
    status: 200,
    body: { subscription: null, refunded: true, message: 'This payment could not be used and is going back to your card.' },
  });
  await runJobs();
  await times(5, () => sendEvent('payment_intent.succeeded', id));
  await runJobs();
  expect(await readLedger(user)).toEqual({
    payments: ['succeeded'],
    subscriptions: 0,
    receipts: 0,
    refunds: ['succeeded'],
    mails: ['Your payment of $15.00 NZD is going back to your card'],
  });
  const { data } = await provider.refunds.list({ payment_intent: id });
  expect(data.map(({ amount }) => amount)).toEqual([1500]);
});

/** A payment that has arrived for an account that was suspended meanwhile. */
async function refundable() {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await sendEvent('payment_intent.succeeded', id);
  return { user, id };
}

test('refunds a payment of an account that was suspended meanwhile', async () => {
  const { user, id } = await refundable();
  expect(await readLedger(user)).toMatchObject({ subscriptions: 0, receipts: 0, refunds: ['pending'], mails: [] });
  await runJobs();
  expect(await readLedger(user)).toMatchObject({ refunds: ['succeeded'], mails: [refundSubject] });
  expect((await provider.refunds.list({ payment_intent: id })).data).toHaveLength(1);
});

test('retries a refund while the provider is down, then makes and emails it once', async () => {
  const { user, id } = await refundable();
  stripe.setFault('down');
  await runJobs();
  expect(await readLedger(user)).toMatchObject({ refunds: ['pending'], mails: [] });
  stripe.setFault(null);
  await sql`update pgboss.job set start_after = now() where name = 'payments.refund-payment' and state = 'retry'`.execute(db);
  await runJobs();
  await runJobs();
  expect(await readLedger(user)).toMatchObject({ refunds: ['succeeded'], mails: [refundSubject] });
  expect((await provider.refunds.list({ payment_intent: id })).data).toHaveLength(1);
});

test('counts a refund made in the dashboard', async () => {
  const { user, id } = await refundable();
  await provider.refunds.create({ payment_intent: id });
  await runJobs();
  expect(await readLedger(user)).toMatchObject({ refunds: ['succeeded'], mails: [refundSubject] });
});

test('finds a payment whose intent was never stored by reconciler or webhook', async () => {
  for (const find of [() => reconcilePayments(payments, true), (id: string) => sendEvent('payment_intent.succeeded', id)]) {
    const user = await given.user();
    const id = await given.payment(user);
    await sql`update payments set intent_id = null where intent_id = ${id}`.execute(db);
    await find(id);
    expect(await readLedger(user)).toEqual(bought);
  }
});

test('cancels a payment that stays unpaid for a day', async () => {
  const user = await given.user();
  const { clientSecret, paymentIntentId } = await intentFor(user);
  await reconcilePayments(payments, true);
  expect(await readLedger(user)).toEqual(nothing);
  await sql`update payments set created_at = now() - interval '25 hours' where intent_id = ${paymentIntentId}`.execute(db);
  await reconcilePayments(payments, true);
  expect(await readLedger(user)).toMatchObject({ payments: ['canceled'] });
  expect(await confirmAtProvider(clientSecret)).toMatchObject({ error: { code: 'payment_intent_unexpected_state' } });
  expect((await confirm(user, paymentIntentId)).body.code).toBe('payment_incomplete');
  expect((await intentFor(user)).paymentIntentId).not.toBe(paymentIntentId);
});

test('fulfils a cancelled payment whose money arrives late', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  await sql`update payments set status = 'canceled' where intent_id = ${id}`.execute(db);
  await sendEvent('payment_intent.succeeded', id);
  expect(await readLedger(user)).toEqual(bought);
});

test('reconciles the other payments when one cannot be booked', async () => {
  const [unlucky, lucky] = [await given.user(), await given.user()];
  const broken = await given.payment(unlucky);
  const other = await given.payment(lucky);
  await sql`update payments set check_at = created_at where intent_id = ${broken}`.execute(db);
  await sql`create function refuse_broken() returns trigger language plpgsql as 'begin raise exception ''broken''; end'`.execute(db);
  await sql`create trigger broken before insert on subscriptions for each row
    when (new.user_id = ${sql.lit(unlucky._id)}) execute function refuse_broken()`.execute(db);
  await expect(reconcilePayments(payments, true)).rejects.toThrow('1 open payments could not be reconciled');
  expect(await readLedger(lucky)).toEqual(bought);
  await sql`drop trigger broken on subscriptions`.execute(db);
  await reconcilePayments(payments, true);
  expect(await readLedger(unlucky)).toEqual(bought);
  expect((await confirm(lucky, other)).status).toBe(200);
});

test('closes a payment whose intent the provider lost, so that its payer can retry', async () => {
  const [first, second] = [await given.user(), await given.user()];
  const forget = async (user: User) => {
    const { paymentIntentId } = await intentFor(user);
    await sql`update payments set intent_id = ${`${paymentIntentId}gone`} where intent_id = ${paymentIntentId}`.execute(db);
  };
  await forget(first);
  await reconcilePayments(payments, true);
  expect(await readLedger(first)).toMatchObject({ payments: ['canceled'] });
  await forget(second);
  expect((await intentFor(second)).clientSecret).toEqual(expect.any(String));
  expect(await readLedger(second)).toMatchObject({ payments: ['canceled', 'open'] });
});

test('the database rejects captured money that is neither bought nor refunded, or both', async () => {
  const user = await given.user();
  const id = await given.payment(user);
  const succeed = sql`update payments set status = 'succeeded', succeeded_at = now(), captured_minor = 1500 where intent_id = ${id}`;
  await expect(succeed.execute(db)).rejects.toThrow(/1500 captured, but 0 bought \+ 0 refunded \+ 0 owed/);
  await confirm(user, id);
  const twice = sql`insert into refunds (payment_id, amount_minor, source, reason) select id, 1500, 'provider', 'Twice.' from payments where intent_id = ${id}`;
  await expect(twice.execute(db)).rejects.toThrow(/1500 captured, but 1500 bought \+ 1500 refunded \+ 0 owed/);
});

const saveCard = async (user: User, number?: string) => {
  const { body } = await as(user).post('/credit/setup-intent');
  if (number) await confirmAtProvider(body.clientSecret, number);
  return body.setupIntentId as string;
};

test('saves a card once for a repeated setup, and shows only brand, last digits and expiry', async () => {
  const user = await given.user();
  const setupIntentId = await saveCard(user, '5555555555554444');
  const answers = await times(5, () => as(user).post('/credit', { setupIntentId }));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  const card = {
    _id: expect.any(String),
    fullName: 'Mere Kingi',
    cardNumber: '•••• •••• •••• 4444',
    cardBrand: 'mastercard',
    cardLast4: '4444',
    expMonth: 12,
    expYear: 2031,
  };
  expect((await as(user).get('/credit/all')).body).toEqual({ data: [card] });
  await given.card(user);
  expect((await as(user).get('/credit/all')).body.data.map((one: { cardLast4: string }) => one.cardLast4)).toEqual(['4242', '4444']);
});

test('saves no card from an unconfirmed or another user’s setup', async () => {
  const [owner, stranger] = [await given.user(), await given.user()];
  expect(await as(owner).post('/credit', { setupIntentId: await saveCard(owner) })).toMatchObject({
    status: 402,
    body: { code: 'payment_incomplete' },
  });
  await given.card(stranger);
  const setupIntentId = await saveCard(owner, '4242424242424242');
  for (const id of [setupIntentId, 'seti_nobodys']) {
    expect(await as(stranger).post('/credit', { setupIntentId: id })).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
  }
  expect((await as(owner).post('/credit', { setupIntentId: '4242424242424242' })).status).toBe(400);
  for (const answer of [
    await asVisitor.get('/credit/all'),
    await asVisitor.post('/credit/setup-intent'),
    await asVisitor.post('/credit', { setupIntentId }),
    await asVisitor.delete(`/credit/${randomUUID()}`),
  ]) {
    expect(answer).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
  }
  const cardsOf = async (user: User) => (await as(user).get('/credit/all')).body.data.length;
  expect([await cardsOf(owner), await cardsOf(stranger)]).toEqual([0, 1]);
});

test('detaches a deleted card at the provider for good, and rejects deleting another user’s card', async () => {
  const [owner, stranger] = [await given.user(), await given.user()];
  const setupIntentId = await saveCard(owner, '4242424242424242');
  const id = (await as(owner).post('/credit', { setupIntentId })).body._id as string;
  expect(await as(stranger).delete(`/credit/${id}`)).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  expect((await as(owner).delete('/credit/1')).status).toBe(400);
  expect((await as(owner).get('/credit/all')).body.data).toHaveLength(1);

  const intent = await provider.setupIntents.retrieve(setupIntentId, { expand: ['payment_method'] });
  const method = intent.payment_method as { id: string; customer: string };
  expect(method.customer).toEqual(expect.any(String));
  expect((await as(owner).delete(`/credit/${id}`)).status).toBe(200);
  expect((await as(owner).delete(`/credit/${id}`)).status).toBe(404);
  await runJobs();
  expect((await provider.paymentMethods.retrieve(method.id)).customer).toBeNull();
  expect((await as(owner).post('/credit', { setupIntentId })).status).toBe(402);
  expect((await as(owner).get('/credit/all')).body).toEqual({ data: [] });
});

test('lists receipts newest first, and finds each by its id', async () => {
  const owner = await given.user();
  for (const plan of ['basic', 'premium', 'featured'] as const) {
    await confirm(owner, await given.payment(owner, plan));
    // The next one is bought while this one has no free slot.
    await sql`update subscriptions set slots_used = slots where user_id = ${owner._id}`.execute(db);
  }
  const { data } = (await as(owner).get('/receipt/all')).body as { data: { _id: string; description: string; number: string }[] };
  expect(data.map(({ description }) => description)).toEqual(['Featured plan, 30 days', 'Premium plan, 30 days', 'Basic plan, 30 days']);
  for (const receipt of data) expect((await as(owner).get(`/receipt/${receipt._id}`)).body).toEqual(receipt);
  await sql`update subscriptions set slots_used = 0 where user_id = ${owner._id}`.execute(db);
});

test('shows a country’s tax invoice to its owner only', async () => {
  const [owner, stranger] = [await given.user({ fullName: 'Mere Kīngi' }), await given.user()];
  await confirm(owner, await given.payment(owner, 'premium', 'AU'));
  const { body } = await as(owner).get('/receipt/all');
  expect(body.data).toEqual([
    {
      _id: expect.any(String),
      number: expect.stringMatching(/^INV-1\d{5}$/),
      issuedAt: expect.any(String),
      description: 'Premium plan, 30 days',
      country: 'AU',
      timeZone: 'Australia/Sydney',
      currency: 'AUD',
      totalMinor: 2500,
      gstMinor: 227,
      gstPercent: 10,
      supplier: { name: 'Handwise Limited', address: expect.any(String), taxNumber: '00 000 000 000' },
      customer: { name: 'Mere Kīngi', email: owner.email },
      card: { brand: 'visa', last4: '4242' },
      periodStartsAt: expect.any(String),
      periodEndsAt: expect.any(String),
      refundedMinor: 0,
      refundedAt: null,
    },
  ]);
  const [receipt] = body.data;
  expect(Date.parse(receipt.periodEndsAt) - Date.parse(receipt.periodStartsAt)).toBe(30 * 86_400_000);
  expect((await as(owner).get(`/receipt/${receipt._id}`)).body).toEqual(receipt);
  const pdf = await as(owner).get(`/receipt/${receipt._id}/pdf`);
  expect(pdf.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${receipt.number}.pdf"`,
  });
  expect(pdf.body).toMatch(/^%PDF-/);

  expect((await as(stranger).get('/receipt/all')).body).toEqual({ data: [] });
  for (const path of [`/receipt/${receipt._id}`, `/receipt/${receipt._id}/pdf`, `/receipt/${randomUUID()}`]) {
    expect(await as(stranger).get(path)).toMatchObject({ status: 404, body: { code: 'receipt_not_found' } });
    expect((await asVisitor.get(path)).status).toBe(401);
  }
  expect((await as(owner).get('/receipt/1')).status).toBe(400);
  expect((await asVisitor.get('/receipt/all')).status).toBe(401);
});

test('after all of this the ledger balances', async () => {
  expect((await runAudits(db)).flatMap(({ name, faults }) => faults.map(({ fault }) => `${name}: ${fault}`))).toEqual([]);
});
