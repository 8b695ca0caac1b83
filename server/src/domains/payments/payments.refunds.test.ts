import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { webhookSender } from '@handwise/sandbox/testing/provider';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { reconcileRefunds, sendRefund } from './payments.refunds.ts';
import { syncIntent } from './payments.settle.ts';
import { processEvent } from './payments.webhooks.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { as, confirm } = callers;
const { aroundProvider, confirmAtProvider, provider, stripe } = sandbox;
const { control } = stripe;
const { mails, queued, runJobs } = outbox;
const { payments, clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;
let admin: User;
const prove = (user: User) => as(user).post('/auth/confirm-identity', { password: 'correct-horse' });
beforeAll(async () => {
  admin = await given.administrator();
  await prove(admin);
});
afterEach(() => {
  aroundProvider();
  stripe.setFault(null);
});

const pendingCard = '4000000000007726';
const failingCard = '4000000000005126';

const send = webhookSender({ app, sandbox, parts });
/** Sends a webhook and processes it. */
async function sendEvent(type: string, object: { id: string }) {
  await send(type, object);
  await runJobs();
}

const rowOf = (intentId: string) => db.selectFrom('payments').selectAll().where('intent_id', '=', intentId).executeTakeFirstOrThrow();

/** A seller whose plan was bought with a card, with a listing under it. */
async function sold(plan: 'basic' | 'premium' = 'basic', card?: string, country: 'NZ' | 'AU' = 'NZ') {
  const seller = await given.user({ fullName: 'Mere Kingi' });
  const started = (await as(seller).post('/plan-user/create-intent', { planId: given.planId(plan), country })).body;
  await confirmAtProvider(started.clientSecret, card);
  const intentId = started.paymentIntentId as string;
  const place = country === 'AU' ? { location: 'Sydney, New South Wales, Australia' } : {};
  const { status, body } = await as(seller).postForm('/listing/create', given.listingForm(plan, { paymentId: intentId, ...place }));
  expect([status, body.code]).toEqual([201, undefined]);
  // A plan runs for a second at least.
  await sql`update subscriptions set starts_at = starts_at - interval '1 hour' where user_id = ${seller._id}`.execute(db);
  return { seller, intentId, listingId: body._id as string, paymentId: (await rowOf(intentId)).id };
}

/** Where the cents of a payment are, with its refunds from the oldest on. */
async function ledgerOf(paymentId: string) {
  const { body } = await as(admin).get(`/admin/payment/${paymentId}`);
  return {
    captured: body.capturedMinor,
    bought: body.boughtMinor,
    refunded: body.refundedMinor,
    owed: body.owedMinor,
    refunds: body.refunds.map(
      (one: { status: string; amountMinor: number; source: string }) => `${one.status} ${one.amountMinor} ${one.source}`,
    ),
  };
}
const refund = (paymentId: string, form: object = {}, by = admin) =>
  as(by).post(`/admin/payment/${paymentId}/refund`, { reason: 'You asked us to.', requestId: randomUUID(), ...form });
const startOurRefundsAt = (time: string) =>
  sql`update pgboss.job set start_after = ${time}::timestamptz where name = 'payments.refund-payment' and state = 'created'`.execute(db);
const toRefundStatus = async (listingId: string) =>
  (await db.selectFrom('listings').select('status').where('id', '=', listingId).executeTakeFirstOrThrow()).status;
const plansOf = async (user: User) =>
  (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions.map(
    (one: { isActive: boolean; isReturned: boolean }) => `${one.isActive ? 'runs' : 'over'}${one.isReturned ? ', returned' : ''}`,
  );
const subjectsTo = async (to: string) => (await mails()).filter((mail) => mail.to === to).map(({ subject }) => subject);
const moneyMailsTo = async (to: string) => (await subjectsTo(to)).filter((subject) => /refund|is going back/.test(subject));
const operator = 'support@handwise.example';
const ownRefunds = async (user: User) => (await as(user).get('/refund/all')).body.data;

test('shows a refund as on its way until the provider confirms it', async () => {
  const { seller, paymentId, listingId } = await sold('basic', pendingCard);
  expect(await refund(paymentId)).toMatchObject({ status: 201, body: { refund: { status: 'pending', amountMinor: 1500 } } });
  await runJobs();
  expect(await ledgerOf(paymentId)).toEqual({
    captured: 1500,
    bought: 0,
    refunded: 1500,
    owed: 0,
    refunds: ['pending 1500 administrator'],
  });
  expect(await ownRefunds(seller)).toMatchObject([
    { status: 'pending', amountMinor: 1500, refundedAt: null, adjustment: null, endedPlan: true },
  ]);
  expect(await toRefundStatus(listingId)).toBe('expired');
  expect(await moneyMailsTo(seller.email)).toEqual(['Your Basic plan on Handwise has ended and its payment is being refunded']);

  control.settle();
  const { providerId } = (await as(admin).get(`/admin/payment/${paymentId}`)).body.refunds[0];
  for (const type of ['refund.updated', 'charge.refund.updated', 'refund.updated']) await sendEvent(type, { id: providerId });
  expect((await ledgerOf(paymentId)).refunds).toEqual(['succeeded 1500 administrator']);
  expect(await ownRefunds(seller)).toMatchObject([
    { status: 'succeeded', refundedAt: expect.any(String), adjustment: { number: expect.any(String) } },
  ]);
  expect((await moneyMailsTo(seller.email)).slice(1)).toEqual(['Your payment of $15.00 NZD is going back to your card']);
});

test('checks a pending refund when it is due, without a webhook', async () => {
  const { paymentId } = await sold('basic', pendingCard);
  await refund(paymentId);
  await runJobs();
  control.settle();
  await reconcileRefunds(payments);
  expect((await ledgerOf(paymentId)).refunds).toEqual(['pending 1500 administrator']);
  await sql`update refunds set check_at = now() - interval '1 second' where payment_id = ${paymentId}`.execute(db);
  await reconcileRefunds(payments);
  expect((await ledgerOf(paymentId)).refunds).toEqual(['succeeded 1500 administrator']);
  const checkAt = async () =>
    (await db.selectFrom('refunds').select('check_at').where('payment_id', '=', paymentId).executeTakeFirstOrThrow()).check_at;
  expect(await checkAt()).toBeNull();
  // As one that was booked as done before it was known what became of it.
  await sql`update refunds set check_at = now() - interval '1 second' where payment_id = ${paymentId}`.execute(db);
  await reconcileRefunds(payments);
  expect(await checkAt()).toBeNull();
});

test('checks a pending refund again later, and one that fails to load does not block the others', async () => {
  const [first, second] = [await sold('basic', pendingCard), await sold('basic', pendingCard)];
  for (const { paymentId } of [first, second]) await refund(paymentId);
  await runJobs();
  await sql`update refunds set check_at = now() - interval '1 hour', provider_id = 're_nobodys' where payment_id = ${first.paymentId}`.execute(
    db,
  );
  await sql`update refunds set check_at = now() - interval '1 minute' where payment_id = ${second.paymentId}`.execute(db);
  await expect(reconcileRefunds(payments)).rejects.toThrow('1 refunds could not be reconciled');
  const next = await db
    .selectFrom('refunds')
    .select(sql<boolean>`check_at > now() + interval '50 seconds'`.as('isLater'))
    .where('payment_id', 'in', [first.paymentId, second.paymentId])
    .execute();
  expect(next).toEqual([{ isLater: true }, { isLater: true }]);
  expect((await ledgerOf(second.paymentId)).refunds).toEqual(['pending 1500 administrator']);
  await sql`update refunds set provider_id = null, check_at = null where provider_id = 're_nobodys'`.execute(db);
  await reconcileRefunds(payments, true);
});

test('owes a failed refund, emails payer and operator, and lists it until it is sent again', async () => {
  const { seller, paymentId, intentId } = await sold('basic', pendingCard);
  await refund(paymentId);
  await runJobs();
  const [made] = (await provider.refunds.list({ payment_intent: intentId })).data;
  control.moveRefund(made?.id ?? '', 'failed', 'lost_or_stolen_card');
  const desk = async () => (await as(admin).get('/admin/overview')).body.owedPayments as number;
  const before = await desk();
  for (let time = 0; time < 2; time += 1) await sendEvent('refund.failed', { id: made?.id ?? '' });
  expect(await ledgerOf(paymentId)).toEqual({ captured: 1500, bought: 0, refunded: 0, owed: 1500, refunds: ['failed 1500 administrator'] });
  expect(await desk()).toBe(before + 1);
  expect(await ownRefunds(seller)).toMatchObject([{ status: 'failed', isOwed: true }]);
  expect((await moneyMailsTo(seller.email)).slice(1)).toEqual(['Your bank did not accept our refund of $15.00 NZD']);
  const sent = (await mails()).filter((mail) => mail.to === operator && mail.subject === 'A refund of $15.00 NZD failed');
  expect(sent.at(-1)).toMatchObject({ preview: 'The card was lost or stolen.' });
  const url = `http://localhost:3000/admin/payments/${paymentId}`;
  expect(sent.at(-1)?.blocks).toContainEqual({ kind: 'button', label: 'See the payment', url });
  expect((await runAudits(db)).find(({ name }) => name === 'refunds')?.faults).toContainEqual({
    id: paymentId,
    fault: 'of the payment 1500 NZD are owed to its payer: a refund failed',
  });

  // Without an amount it is what is owed.
  expect((await refund(paymentId)).status).toBe(201);
  await runJobs();
  control.settle();
  await reconcileRefunds(payments, true);
  expect(await ledgerOf(paymentId)).toEqual({
    captured: 1500,
    bought: 0,
    refunded: 1500,
    owed: 0,
    refunds: ['failed 1500 administrator', 'succeeded 1500 administrator'],
  });
  expect(await desk()).toBe(before);
  expect(await ownRefunds(seller)).toMatchObject([{ status: 'succeeded' }, { status: 'failed', isOwed: false }]);
});

test('owes a refund that the bank returns, and issues no second note when it is sent again', async () => {
  const { seller, paymentId, intentId } = await sold('basic', failingCard);
  await refund(paymentId, { amountMinor: 400 });
  await runJobs();
  expect((await ledgerOf(paymentId)).refunds).toEqual(['succeeded 400 administrator']);
  control.settle();
  const { providerId } = (await as(admin).get(`/admin/payment/${paymentId}`)).body.refunds[0];
  await sendEvent('refund.failed', { id: providerId });
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 1100, refunded: 0, owed: 400, refunds: ['failed 400 administrator'] });
  await refund(paymentId, { amountMinor: 100, transferred: true });
  expect((await ownRefunds(seller)).map((one: { status: string; isOwed: boolean }) => [one.status, one.isOwed])).toEqual([
    ['succeeded', false],
    ['failed', true],
  ]);
  // To a bank account: the card takes nothing.
  expect(await refund(paymentId, { transferred: true })).toMatchObject({
    status: 201,
    body: { refund: { status: 'succeeded', amountMinor: 300 } },
  });
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 1100, refunded: 400, owed: 0 });
  expect((await ownRefunds(seller)).map((one: { adjustment: object | null }) => one.adjustment !== null)).toEqual([false, false, true]);
  expect((await ownRefunds(seller)).map(({ by }: { by: string }) => by)).toEqual(['transfer', 'transfer', 'card']);
  expect((await moneyMailsTo(seller.email)).at(-1)).toBe('$3.00 NZD of your payment is going back to you');
  expect((await provider.refunds.list({ payment_intent: intentId })).data).toHaveLength(1);
});

test('ends the plan and its listings on a full refund and emails their owner', async () => {
  const { seller, paymentId, intentId, listingId } = await sold('premium');
  const second = (await as(seller).postForm('/listing/create', given.listingForm('premium', { isUsingExistingSubscription: 'true' }))).body
    ._id;
  await db.updateTable('listings').set({ status: 'hidden', hidden_from: 'active' }).where('id', '=', second).execute();
  await refund(paymentId, { reason: 'We could not check your trade.' });
  expect([await toRefundStatus(listingId), await toRefundStatus(second), await plansOf(seller)]).toEqual([
    'expired',
    'hidden',
    ['over, returned'],
  ]);
  const ended = (await mails()).find(({ subject }) => subject.startsWith('Your Premium plan on Handwise has ended'));
  expect(ended).toMatchObject({ to: seller.email, preview: 'We could not check your trade.' });
  expect(ended?.blocks.flatMap((block) => (block.kind === 'button' ? [block.url] : []))).toEqual([
    `http://localhost:3000/reactivateListing/${listingId}`,
  ]);
  // Its free slots publish nothing, and the payment no more.
  const publish = (form: Record<string, string>) => as(seller).postForm('/listing/create', given.listingForm('premium', form));
  expect((await publish({ isUsingExistingSubscription: 'true' })).body.code).toBe('no_free_slot');
  expect((await publish({ paymentId: intentId })).body.code).toBe('payment_required');
  expect((await confirm(seller, intentId)).body).toMatchObject({ refunded: true, subscription: null });
  const { endDate } = (await as(seller).get('/plan-user/my-subscriptions')).body.data.subscriptions[0];
  const ends = await db.selectFrom('listings').select('subscription_ends_at').where('seller_id', '=', seller._id).execute();
  expect(ends.map((one) => one.subscription_ends_at.toISOString())).toEqual([endDate, endDate]);
});

test('confirming a payment that was refunded since gives no plan', async () => {
  const { seller, intentId, paymentId } = await sold();
  await refund(paymentId);
  await runJobs();
  const { status, body } = await as(seller).post('/plan-user/confirm-payment', { paymentIntentId: intentId });
  expect([status, body.subscription, body.refunded]).toEqual([200, null, true]);
});

test('keeps the plan on a partial refund until nothing is left', async () => {
  const { seller, paymentId, listingId } = await sold('premium');
  await refund(paymentId, { amountMinor: 1000 });
  await runJobs();
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 1500, refunded: 1000, owed: 0 });
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['active', ['runs']]);
  expect(await moneyMailsTo(seller.email)).toEqual(['$10.00 NZD of your payment is going back to your card']);
  expect(await ownRefunds(seller)).toMatchObject([{ endedPlan: false }]);
  expect(await refund(paymentId, { amountMinor: 1501 })).toMatchObject({
    status: 409,
    body: { code: 'refund_too_large', message: 'This is more than is left of the payment: $15.00 NZD.' },
  });
  expect((await refund(paymentId, { amountMinor: 1500 })).status).toBe(201);
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['expired', ['over, returned']]);
  expect(await refund(paymentId)).toMatchObject({ status: 409, body: { code: 'nothing_to_refund' } });
});

test('keeps the plan as a gift on a full refund if asked to', async () => {
  const { seller, paymentId, listingId } = await sold();
  expect((await refund(paymentId, { keep: true })).status).toBe(201);
  await runJobs();
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 0, refunded: 1500 });
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['active', ['runs']]);
  expect(await moneyMailsTo(seller.email)).toEqual(['Your payment of $15.00 NZD is going back to your card']);
  expect(await ownRefunds(seller)).toMatchObject([{ status: 'succeeded', endedPlan: false, by: 'card' }]);
});

test('keeps a gift when its failed refund is sent again', async () => {
  const { seller, paymentId, listingId } = await sold('basic', failingCard);
  await refund(paymentId, { keep: true });
  await runJobs();
  control.settle();
  const { providerId } = (await as(admin).get(`/admin/payment/${paymentId}`)).body.refunds[0];
  await sendEvent('refund.failed', { id: providerId });
  expect(await refund(paymentId, { transferred: true })).toMatchObject({ status: 201 });
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 0, refunded: 1500, owed: 0 });
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['active', ['runs']]);
});

test('ends nothing when a replaced plan is refunded', async () => {
  const { seller, paymentId, listingId } = await sold();
  const card = await given.card(seller);
  const changed = await as(seller).put(`/listing/${listingId}/plan`, { planId: given.planId('premium'), paymentId: card });
  expect(changed.status).toBe(200);
  await refund(paymentId);
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['active', ['runs', 'over, returned']]);
  expect((await subjectsTo(seller.email)).filter((subject) => subject.includes('has ended'))).toEqual([]);
});

test('books full and partial refunds made in the dashboard', async () => {
  const { seller, paymentId, intentId, listingId } = await sold('premium');
  const part = await provider.refunds.create({ payment_intent: intentId, amount: 700 });
  for (const type of ['refund.created', 'refund.created', 'refund.updated']) await sendEvent(type, part);
  expect(await ledgerOf(paymentId)).toEqual({ captured: 2500, bought: 1800, refunded: 700, owed: 0, refunds: ['succeeded 700 provider'] });
  expect(await toRefundStatus(listingId)).toBe('active');
  const rest = await provider.refunds.create({ payment_intent: intentId });
  await sendEvent('charge.refunded', { id: String(rest.charge) });
  expect(await ledgerOf(paymentId)).toEqual({
    captured: 2500,
    bought: 0,
    refunded: 2500,
    owed: 0,
    refunds: ['succeeded 700 provider', 'succeeded 1800 provider'],
  });
  expect([await toRefundStatus(listingId), await plansOf(seller)]).toEqual(['expired', ['over, returned']]);
  expect((await mails()).find(({ to, subject }) => to === seller.email && /has ended/.test(subject))?.preview).toBe(
    'We have sent your money back.',
  );
  // Two emails of one change are sent side by side.
  expect((await moneyMailsTo(seller.email)).toSorted()).toEqual([
    '$18.00 NZD of your payment is going back to your card',
    '$7.00 NZD of your payment is going back to your card',
    'Your Premium plan on Handwise has ended and its payment is being refunded',
  ]);
});

test('ignores a dashboard refund that has already failed', async () => {
  const { paymentId, intentId, listingId } = await sold('basic', pendingCard);
  const made = await provider.refunds.create({ payment_intent: intentId });
  control.moveRefund(made.id, 'failed');
  await sendEvent('refund.failed', made);
  expect(await ledgerOf(paymentId)).toEqual({ captured: 1500, bought: 1500, refunded: 0, owed: 0, refunds: [] });
  expect(await toRefundStatus(listingId)).toBe('active');
});

test('books a refund that was made before its payment was booked', async () => {
  const seller = await given.user();
  const intentId = await given.payment(seller);
  const made = await provider.refunds.create({ payment_intent: intentId, amount: 500 });
  await sendEvent('refund.created', made);
  const { id } = await rowOf(intentId);
  expect(await ledgerOf(id)).toEqual({ captured: 1500, bought: 1000, refunded: 500, owed: 0, refunds: ['succeeded 500 provider'] });
  expect(await plansOf(seller)).toEqual(['runs']);
});

test('books a refund with one note and one email for a hundred concurrent webhooks', async () => {
  const { seller, paymentId, intentId } = await sold();
  const made = await provider.refunds.create({ payment_intent: intentId, amount: 500 });
  const eventId = `evt_${randomUUID()}`;
  await Promise.all([
    times(100, () => send('refund.created', made, eventId)),
    times(5, () => send('refund.updated', made)),
    send('charge.refunded', { id: String(made.charge) }),
  ]);
  await Promise.all([runJobs(), runJobs()]);
  expect(await ledgerOf(paymentId)).toEqual({ captured: 1500, bought: 1000, refunded: 500, owed: 0, refunds: ['succeeded 500 provider'] });
  expect(await db.selectFrom('adjustment_notes').select('id').where('user_id', '=', seller._id).execute()).toHaveLength(1);
  expect(await moneyMailsTo(seller.email)).toHaveLength(1);
});

test('ignores refunds and charges that are not ours', async () => {
  const intent = await provider.paymentIntents.create({ amount: 9900, currency: 'nzd' });
  await confirmAtProvider(intent.client_secret ?? '');
  const made = await provider.refunds.create({ payment_intent: intent.id });
  await sendEvent('refund.created', made);
  await sendEvent('charge.refunded', { id: String(made.charge) });
  expect(await db.selectFrom('refunds').select('id').where('provider_id', '=', made.id).execute()).toEqual([]);
});

test.each([
  ['the same whole', 1500, undefined, ['succeeded 1500 administrator']],
  ['a part, and the rest goes out', 1000, undefined, ['succeeded 500 administrator', 'succeeded 1000 provider']],
  ['the whole, of which a part was to go', 1500, 500, ['canceled 500 administrator', 'succeeded 1500 provider']],
])('a dashboard refund arrives before our own: %s', async (_, byHand, ours, refunds) => {
  const { paymentId, intentId, seller } = await sold();
  await refund(paymentId, { amountMinor: ours });
  await provider.refunds.create({ payment_intent: intentId, amount: byHand });
  await runJobs();
  await sql`update pgboss.job set start_after = now() where name = 'payments.refund-payment' and state = 'retry'`.execute(db);
  await runJobs();
  expect(await ledgerOf(paymentId)).toEqual({ captured: 1500, bought: 0, refunded: 1500, owed: 0, refunds });
  const back = (await provider.refunds.list({ payment_intent: intentId })).data.reduce((sum, { amount }) => sum + amount, 0);
  expect(back).toBe(1500);
  // No second email for an amount that was refunded another way.
  expect((await ownRefunds(seller)).reduce((sum: number, one: { amountMinor: number }) => sum + one.amountMinor, 0)).toBe(1500);
});

test.each([
  ['a part', 500],
  ['all that is left', 750],
])('books a dashboard refund of %s beside ours of the same amount when both fit', async (_, amount) => {
  const { paymentId, intentId } = await sold();
  await refund(paymentId, { amountMinor: amount });
  await startOurRefundsAt('infinity');
  await sendEvent('refund.created', await provider.refunds.create({ payment_intent: intentId, amount }));
  expect((await ledgerOf(paymentId)).refunds).toEqual([`pending ${amount} administrator`, `succeeded ${amount} provider`]);
  await startOurRefundsAt('now');
  await runJobs();
  expect(await ledgerOf(paymentId)).toEqual({
    captured: 1500,
    bought: 1500 - 2 * amount,
    refunded: 2 * amount,
    owed: 0,
    refunds: [`succeeded ${amount} administrator`, `succeeded ${amount} provider`],
  });
});

test('cancels every unsent refund when the dashboard refunds the whole payment', async () => {
  const { paymentId, intentId } = await sold('premium');
  await refund(paymentId, { amountMinor: 300 });
  await refund(paymentId, { amountMinor: 400 });
  await startOurRefundsAt('infinity');
  await sendEvent('refund.created', await provider.refunds.create({ payment_intent: intentId }));
  expect(await ledgerOf(paymentId)).toEqual({
    captured: 2500,
    bought: 0,
    refunded: 2500,
    owed: 0,
    refunds: ['canceled 300 administrator', 'canceled 400 administrator', 'succeeded 2500 provider'],
  });
  await startOurRefundsAt('now');
  await runJobs();
  expect((await provider.refunds.list({ payment_intent: intentId })).data.map(({ amount }) => amount)).toEqual([2500]);
});

test('books no dashboard refund of money that was transferred already, and fails loudly', async () => {
  const { paymentId, intentId } = await sold('premium');
  await refund(paymentId, { amountMinor: 1000, transferred: true });
  const before = await ledgerOf(paymentId);
  const made = await provider.refunds.create({ payment_intent: intentId });
  const event = `evt_${randomUUID()}`;
  await send('refund.created', made, event);
  await expect(processEvent(payments, event)).rejects.toThrow(`refund ${made.id} is for 2500, more than is left of payment ${paymentId}`);
  expect(await ledgerOf(paymentId)).toEqual(before);
});

test('finds no payment with an unknown id', async () => {
  for (const answer of [await as(admin).get(`/admin/payment/${randomUUID()}`), await refund(randomUUID())])
    expect(answer).toMatchObject({ status: 404, body: { code: 'payment_not_found' } });
});

test('refunds no cent twice when administrators, the dashboard and webhooks act at once', async () => {
  const { paymentId, intentId } = await sold('premium');
  const deliverAll = async () => {
    for (const made of (await provider.refunds.list({ payment_intent: intentId })).data) await sendEvent('refund.updated', made);
  };
  const byHand = () => provider.refunds.create({ payment_intent: intentId, amount: 300 }).catch(() => null);
  const results = await Promise.all([
    ...[1, 2, 3].map(() => refund(paymentId, { amountMinor: 600 })),
    refund(paymentId),
    byHand(),
    byHand(),
    runJobs(),
    deliverAll(),
  ]);
  expect(results.filter((one) => one && 'status' in one && one.status === 500)).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) {
    await deliverAll();
    await sql`update pgboss.job set start_after = now() where name = 'payments.refund-payment' and state = 'retry'`.execute(db);
    await runJobs();
  }
  const { captured, bought, refunded, owed } = await ledgerOf(paymentId);
  const made = (await provider.refunds.list({ payment_intent: intentId })).data;
  expect(made.reduce((sum, { amount }) => sum + amount, 0)).toBe(refunded);
  expect([captured, bought + refunded + owed]).toEqual([2500, 2500]);
  const ids = await db
    .selectFrom('refunds')
    .select('provider_id')
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'succeeded')
    .execute();
  expect(new Set(ids.map((one) => one.provider_id))).toEqual(new Set(made.map(({ id }) => id)));
});

test('finds a refund by its metadata after a crash instead of repeating it', async () => {
  const { paymentId, intentId } = await sold();
  await refund(paymentId);
  // The refund is made and its answer is lost.
  stripe.setFault(null);
  const { refundId } = (await queued('payments.refund-payment')).at(-1);
  const made = await provider.refunds.create(
    { payment_intent: intentId, amount: 1500, metadata: { refundId } },
    { idempotencyKey: `refund-${refundId}-1500` },
  );
  await sendEvent('refund.created', made);
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 0, refunded: 1500, refunds: ['succeeded 1500 administrator'] });
  await sendRefund(payments, refundId);
  expect((await provider.refunds.list({ payment_intent: intentId })).data).toHaveLength(1);
});

test('waits while the provider is down and emails once', async () => {
  const { seller, paymentId } = await sold();
  await refund(paymentId, { amountMinor: 100 });
  const { refundId } = (await queued('payments.refund-payment')).at(-1);
  stripe.setFault('down');
  await expect(sendRefund(payments, refundId)).rejects.toMatchObject({ code: 'payment_provider_unavailable' });
  stripe.setFault(null);
  await times(3, () => sendRefund(payments, refundId));
  expect((await ledgerOf(paymentId)).refunds).toEqual(['succeeded 100 administrator']);
  expect(await moneyMailsTo(seller.email)).toEqual(['$1.00 NZD of your payment is going back to your card']);
});

test('is idempotent per request id, and rejects another request with the same id', async () => {
  const { paymentId } = await sold();
  const requestId = randomUUID();
  const [first, ...again] = await times(4, () => refund(paymentId, { amountMinor: 300, requestId }));
  expect(first?.status).toBe(201);
  expect(new Set(again.map(({ body }) => body.refund._id))).toEqual(new Set([first?.body.refund._id]));
  expect((await ledgerOf(paymentId)).refunds).toHaveLength(1);
  expect(await refund(paymentId, { amountMinor: 301, requestId })).toMatchObject({ status: 409, body: { code: 'already_decided' } });
  expect((await refund(paymentId, { amountMinor: 300, requestId, transferred: true })).body.code).toBe('already_decided');
  const other = await sold();
  expect(await refund(other.paymentId, { requestId })).toMatchObject({ status: 409, body: { code: 'already_decided' } });
});

test('refuses a retry with another reason, fraud mark or choice about the plan, says what was recorded, and changes nothing', async () => {
  const { seller, paymentId, listingId } = await sold();
  const request = { requestId: randomUUID(), reason: 'Paid twice.', keep: true };
  const recorded = (await refund(paymentId, request)).body.refund;
  await runJobs();
  const state = async () => [await ledgerOf(paymentId), await toRefundStatus(listingId), await plansOf(seller), await mails()];
  const before = await state();
  for (const other of [{ reason: 'Stolen card.' }, { keep: false }, { keep: undefined }, { fraud: true }, { transferred: true }]) {
    expect([other, await refund(paymentId, { ...request, ...other })]).toMatchObject([
      other,
      {
        status: 409,
        body: {
          code: 'already_decided',
          message:
            'This request was recorded before, with other terms: $15.00 NZD to the card, what was bought is kept as a gift, ' +
            'not marked as fraudulent, for the reason “Paid twice.”. Nothing was changed.',
        },
      },
    ]);
  }
  await runJobs();
  expect(await state()).toEqual(before);
  // The defaults written out, and the reason as it is stored.
  for (const same of [{}, { fraud: false, transferred: false, amountMinor: 1500 }, { reason: ' Paid twice. ' }])
    expect((await refund(paymentId, { ...request, ...same })).body.refund).toMatchObject({ _id: recorded._id });

  const stolen = await sold();
  const marked = { requestId: randomUUID(), reason: 'Stolen card.', fraud: true, transferred: true, amountMinor: 500 };
  const first = (await refund(stolen.paymentId, marked)).body.refund;
  expect((await refund(stolen.paymentId, { ...marked, fraud: false })).body.message).toContain(
    ': $5.00 NZD by transfer, what was bought is not kept as a gift, marked as fraudulent, for the reason “Stolen card.”.',
  );
  // One from before the choices were stored is taken for the same, with any of them.
  await db.updateTable('refunds').set({ keeps_plan: null, fraud: null }).where('request_id', '=', marked.requestId).execute();
  expect((await refund(stolen.paymentId, { ...marked, fraud: false, keep: true })).body.refund._id).toBe(first._id);
  expect((await refund(stolen.paymentId, { ...marked, reason: 'So.' })).body.message).toContain(
    ': $5.00 NZD by transfer, for the reason “Stolen card.”.',
  );
  expect((await refund(paymentId, marked)).body.message).toBe(
    'A refund of another payment was recorded for this request. Nothing was changed.',
  );
});

test('refunds one payment when a request id is used for several at once', async () => {
  const sales = [await sold(), await sold(), await sold()];
  const requestId = randomUUID();
  const answers = await Promise.all(sales.map(({ paymentId }) => refund(paymentId, { amountMinor: 300, requestId })));
  const [booked, ...refused] = answers.toSorted((a, b) => a.status - b.status);
  expect(booked?.status).toBe(201);
  const other = 'A refund of another payment was recorded for this request. Nothing was changed.';
  expect(refused.map(({ status, body }) => [status, body.code, body.message])).toEqual([0, 1].map(() => [409, 'already_decided', other]));
  const all = await Promise.all(sales.map(({ paymentId }) => ledgerOf(paymentId)));
  expect(all.flatMap(({ refunds }) => refunds)).toEqual(['pending 300 administrator']);
});

test('requires a recently confirmed administrator, rejects own payments, and audits who and why', async () => {
  const { seller, paymentId } = await sold();
  expect((await refund(paymentId, {}, seller)).status).toBe(403);
  const unproved = await given.administrator();
  clock.set(new Date(Date.now() + 3_600_000));
  expect(await refund(paymentId, {}, unproved)).toMatchObject({ status: 403, body: { code: 'confirm_identity' } });
  clock.set(new Date());
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', seller._id).execute();
  await prove(seller);
  expect(await refund(paymentId, {}, seller)).toMatchObject({ status: 403, body: { code: 'own_matter' } });
  expect((await refund(randomUUID())).body.code).toBe('payment_not_found');
  const open = await rowOf(
    (await as(await given.user()).post('/plan-user/create-intent', { planId: given.planId('basic') })).body.paymentIntentId,
  );
  expect((await refund(open.id)).body.code).toBe('nothing_to_refund');
  const { body } = await refund(paymentId, { reason: 'It was a test.' });
  const logged = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'after'])
    .where('subject_id', '=', body.refund._id)
    .where('what', '=', 'refunds.insert')
    .execute();
  expect(logged).toMatchObject([{ actor_id: admin._id, after: { reason: 'It was a test.', amount_minor: 1500, asked_by: admin._id } }]);
});

test.each([
  ['NZ', 'Supply correction information (credit note)', [91, 105]],
  ['AU', 'Adjustment note', [64, 72]],
] as const)(
  'each refund of an invoice in %s makes a note of its own number, whose GST adds up to the invoice’s',
  async (country, title, gst) => {
    const { seller, paymentId } = await sold('basic', undefined, country);
    await runJobs();
    for (const amountMinor of [700, 800]) {
      await refund(paymentId, { amountMinor, reason: 'So it was agreed.' });
      // Concurrent refunds may be emailed in either order.
      await runJobs();
    }
    const [receipt] = (await as(seller).get('/receipt/all')).body.data;
    expect(receipt).toMatchObject({ refundedMinor: 1500, refundedAt: expect.any(String), gstMinor: gst[0] + gst[1] });
    const notes = await db
      .selectFrom('adjustment_notes')
      .select(['number', 'details'])
      .where('user_id', '=', seller._id)
      .orderBy('number')
      .execute();
    expect(notes.map(({ details }) => details)).toMatchObject([
      {
        receiptNumber: receipt.number,
        receiptTotalMinor: 1500,
        totalMinor: 700,
        correctedMinor: 800,
        gstMinor: gst[0],
        reason: 'So it was agreed.',
      },
      { receiptNumber: receipt.number, totalMinor: 800, correctedMinor: 0, gstMinor: gst[1] },
    ]);
    expect(notes[1]?.number).toBe((notes[0]?.number ?? 0) + 1);
    const last = (await mails()).findLast((mail) => mail.to === seller.email);
    expect(last?.blocks).toContainEqual({ kind: 'heading', text: `${title} ADJ-${notes[1]?.number}` });
    expect((await ownRefunds(seller)).map((one: { adjustment: { number: string } }) => one.adjustment.number)).toEqual([
      `ADJ-${notes[1]?.number}`,
      `ADJ-${notes[0]?.number}`,
    ]);
  },
);

test('marks a receipt as refunded only when the full amount has arrived', async () => {
  const { seller, paymentId } = await sold('basic', pendingCard);
  // Another payment of the same person, by another card, of which nothing went back.
  const other = (await as(seller).post('/plan-user/create-intent', { planId: given.planId('premium') })).body;
  await confirmAtProvider(other.clientSecret);
  const form = given.listingForm('premium', { paymentId: other.paymentIntentId });
  expect((await as(seller).postForm('/listing/create', form)).status).toBe(201);

  const receipts = async () => {
    const { data } = (await as(seller).get('/receipt/all')).body as { data: { _id: string; totalMinor: number; refundedMinor: number }[] };
    const shown = await Promise.all(data.map(async ({ _id }) => (await as(seller).get(`/receipt/${_id}`)).body));
    expect(shown).toEqual(data);
    return shown.map(({ totalMinor, refundedMinor, refundedAt }) => [totalMinor, refundedMinor, refundedAt]);
  };
  const bank = async () => {
    control.settle();
    for (const { providerId } of (await as(admin).get(`/admin/payment/${paymentId}`)).body.refunds)
      await sendEvent('refund.updated', { id: providerId });
  };
  const invoice = [2500, 0, null];
  expect((await refund(paymentId, { amountMinor: 700 })).status).toBe(201);
  await runJobs();
  expect(await receipts()).toEqual([invoice, [1500, 0, null]]);
  await bank();
  expect(await receipts()).toEqual([invoice, [1500, 700, null]]);
  expect((await refund(paymentId, { amountMinor: 800 })).status).toBe(201);
  await runJobs();
  expect(await receipts()).toEqual([invoice, [1500, 700, null]]);
  expect((await ownRefunds(seller)).map((one: { status: string; endedPlan: boolean }) => [one.status, one.endedPlan])).toEqual([
    ['pending', true],
    ['succeeded', true],
  ]);
  await bank();
  expect(await receipts()).toEqual([invoice, [1500, 1500, expect.any(String)]]);

  // The bank sends the second one back after all.
  const [last] = (await as(admin).get(`/admin/payment/${paymentId}`)).body.refunds.slice(-1);
  control.moveRefund(last.providerId, 'failed', 'expired_or_canceled_card');
  await sendEvent('refund.failed', { id: last.providerId });
  expect(await receipts()).toEqual([invoice, [1500, 700, null]]);
});

test('shows administrators the plan, listings, documents and refunds of a payment', async () => {
  const { seller, paymentId, intentId, listingId } = await sold('premium');
  const page = async () => (await as(admin).get(`/admin/payment/${paymentId}`)).body;
  const [invoice] = (await as(seller).get('/receipt/all')).body.data;
  expect(await page()).toMatchObject({
    intentId,
    purpose: 'listing',
    planName: 'Premium',
    country: 'NZ',
    amountMinor: 2500,
    livemode: false,
    succeededAt: expect.any(String),
    payer: { _id: seller._id, name: 'Mere Kingi' },
    bought: { planName: 'Premium', isRunning: true, isReplaced: false, isReturned: false, isDisputed: false },
    invoice: { number: invoice.number, totalMinor: 2500, gstMinor: 326 },
    notes: [],
    refunds: [],
  });
  expect((await page()).bought.listings).toMatchObject([{ _id: listingId, status: 'active' }]);

  await refund(paymentId, { amountMinor: 500 });
  await provider.refunds.create({ payment_intent: intentId, amount: 300 });
  await sendEvent('payment_intent.succeeded', { id: intentId });
  await reconcileRefunds(payments, true);
  await sendEvent('charge.refunded', { id: String((await provider.paymentIntents.retrieve(intentId)).latest_charge) });
  const inPart = await page();
  expect(inPart.refunds.map((one: { askedByName: string | null }) => one.askedByName)).toEqual([admin.fullName, null]);
  const noted = new Map(inPart.notes.map((note: { refundId: string; totalMinor: number }) => [note.refundId, note.totalMinor]));
  expect(noted).toEqual(new Map(inPart.refunds.map((one: { _id: string; amountMinor: number }) => [one._id, one.amountMinor])));
  await refund(paymentId);
  expect(await page()).toMatchObject({ boughtMinor: 0, bought: { isRunning: false, isReturned: true, listings: [{ status: 'expired' }] } });

  const other = await sold();
  await refund(other.paymentId, { keep: true });
  expect((await as(admin).get(`/admin/payment/${other.paymentId}`)).body).toMatchObject({ bought: null, invoice: { totalMinor: 1500 } });
});

test('shows a replaced plan as replaced to administrators and its owner', async () => {
  const { seller, paymentId, listingId } = await sold();
  const card = await given.card(seller);
  await as(seller).put(`/listing/${listingId}/plan`, { planId: given.planId('premium'), paymentId: card });
  const { bought } = (await as(admin).get(`/admin/payment/${paymentId}`)).body;
  expect(bought).toMatchObject({ isReplaced: true, isRunning: false, listings: [] });
  const own = (await as(seller).get('/plan-user/my-subscriptions')).body.data.subscriptions;
  expect(own.map((one: { isReplaced: boolean }) => one.isReplaced)).toEqual([false, true]);
});

test('finds a payment by refund, dispute or invoice number', async () => {
  const { paymentId, intentId, seller } = await sold();
  await refund(paymentId, { amountMinor: 100 });
  await runJobs();
  const dispute = control.openDispute(intentId);
  await sendEvent('charge.dispute.created', dispute);
  const { refunds } = (await as(admin).get(`/admin/payment/${paymentId}`)).body;
  const [{ number }] = (await as(seller).get('/receipt/all')).body.data;
  const found = async (q: string) =>
    (await as(admin).get(`/admin/payments?q=${q}`)).body.payments.map((one: { _id: string; isDisputed: boolean }) => [
      one._id,
      one.isDisputed,
    ]);
  for (const q of [refunds[0].providerId, dispute.id, number]) expect([q, await found(q)]).toEqual([q, [[paymentId, true]]]);
  control.endDispute(dispute.id, 'won');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await found(intentId)).toEqual([[paymentId, false]]);
  expect(await found('re_nobodys')).toEqual([]);
});

test('shows a note’s PDF to its owner only', async () => {
  const { seller, paymentId } = await sold();
  await refund(paymentId);
  await runJobs();
  const [{ adjustment }] = await ownRefunds(seller);
  const path = `/adjustment-note/${adjustment._id}/pdf`;
  const answer = await app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${seller.token}` } });
  expect(answer.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${adjustment.number}.pdf"`,
  });
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await as(await given.user()).get(path)).body.code).toBe('receipt_not_found');
});

test('refunds money that bought nothing without a note, and lists it for its payer', async () => {
  const user = await given.user();
  const intentId = await given.payment(user);
  await sql`update users set suspended_at = now() where id = ${user._id}`.execute(db);
  await syncIntent(payments, intentId);
  await runJobs();
  await sql`update users set suspended_at = null where id = ${user._id}`.execute(db);
  expect(await ownRefunds(user)).toMatchObject([
    {
      status: 'succeeded',
      reason: 'The account is suspended.',
      endedPlan: false,
      adjustment: null,
      payment: { amountMinor: 1500, receipt: null },
    },
  ]);
});

test('refunds a deleted account without an email', async () => {
  const { seller, paymentId } = await sold();
  await sql`update users set deleted_at = now() where id = ${seller._id}`.execute(db);
  await refund(paymentId);
  await runJobs();
  expect((await ledgerOf(paymentId)).refunds).toEqual(['succeeded 1500 administrator']);
  expect(await moneyMailsTo(seller.email)).toEqual([]);
  const other = await sold('basic', failingCard);
  await sql`update users set deleted_at = now() where id = ${other.seller._id}`.execute(db);
  await refund(other.paymentId);
  await runJobs();
  control.settle();
  await sendEvent('refund.failed', { id: (await as(admin).get(`/admin/payment/${other.paymentId}`)).body.refunds[0].providerId });
  expect(await ledgerOf(other.paymentId)).toMatchObject({ owed: 1500, refunds: ['failed 1500 administrator'] });
  expect(await subjectsTo(other.seller.email)).not.toContain('Your bank did not accept our refund of $15.00 NZD');
});

test('after all of this the ledger reports only what is owed', async () => {
  await runJobs();
  expect((await runAudits(db)).flatMap(({ name, faults }) => (name === 'refunds' ? [] : faults.map(({ fault }) => fault)))).toEqual([]);
});
