import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { webhookSender } from '@handwise/sandbox/testing/provider';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { getOwnPaymentData } from './payments.service.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { as } = callers;
const { confirmAtProvider, provider, stripe } = sandbox;
const { control } = stripe;
const { mails, runJobs } = outbox;

type User = Awaited<ReturnType<typeof given.user>>;
let admin: User;
beforeAll(async () => {
  admin = await given.administrator();
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
});

let invited = 0;
const operator = 'support@handwise.example';

const send = webhookSender({ app, sandbox, parts });
async function sendEvent(type: string, object: { id: string }) {
  await send(type, object);
  await runJobs();
}

/** A seller whose premium plan was bought, with a listing under it and four free slots. */
async function sold(user?: User) {
  const seller = user ?? (await given.user({ fullName: 'Tama Rua' }));
  const intentId = await given.payment(seller, 'premium');
  const { status, body } = await as(seller).postForm('/listing/create', given.listingForm('premium', { paymentId: intentId }));
  expect([status, body.code]).toEqual([201, undefined]);
  await sql`update subscriptions set starts_at = starts_at - interval '1 hour' where user_id = ${seller._id}`.execute(db);
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  return { seller, intentId, listingId: body._id as string, paymentId };
}

const ledgerOf = async (paymentId: string) => {
  const { body } = await as(admin).get(`/admin/payment/${paymentId}`);
  return {
    bought: body.boughtMinor,
    refunded: body.refundedMinor,
    owed: body.owedMinor,
    refunds: body.refunds.map(
      (one: { status: string; amountMinor: number; source: string }) => `${one.status} ${one.amountMinor} ${one.source}`,
    ),
    disputes: body.disputes.map((one: { status: string; amountMinor: number }) => `${one.status} ${one.amountMinor}`),
  };
};
const refund = (paymentId: string, form: object = {}) =>
  as(admin).post(`/admin/payment/${paymentId}/refund`, { reason: 'You asked us to.', requestId: randomUUID(), ...form });
const toRefundStatus = async (listingId: string) =>
  (await db.selectFrom('listings').select('status').where('id', '=', listingId).executeTakeFirstOrThrow()).status;
const subscriptionOf = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.subscriptions[0];
const publish = (user: User, form: Record<string, string>) =>
  as(user).postForm('/listing/create', given.listingForm('premium', { isUsingExistingSubscription: 'true', ...form }));
const subjectsTo = async (to: string, like: RegExp) =>
  (await mails()).filter((mail) => mail.to === to && like.test(mail.subject)).map(({ subject }) => subject);
const toOperator = async (paymentId: string) =>
  (await mails()).filter((mail) => mail.to === operator && JSON.stringify(mail.blocks).includes(paymentId)).map(({ subject }) => subject);

test('pauses new listings and plan changes during a dispute; live listings stay live', async () => {
  const { seller, intentId, paymentId, listingId } = await sold();
  const card = await given.card(seller);
  const dispute = control.openDispute(intentId, { reason: 'product_not_received' });
  for (const type of ['charge.dispute.created', 'charge.dispute.funds_withdrawn', 'charge.dispute.created']) await sendEvent(type, dispute);
  expect(await ledgerOf(paymentId)).toEqual({ bought: 2500, refunded: 0, owed: 0, refunds: [], disputes: ['needs_response 2500'] });
  expect([await toRefundStatus(listingId), (await subscriptionOf(seller)).isDisputed]).toEqual(['active', true]);
  expect((await publish(seller, {})).body.code).toBe('no_free_slot');
  expect((await publish(seller, { paymentId: intentId, isUsingExistingSubscription: 'false' })).body.code).toMatch(
    /^payment_(used|disputed)$/,
  );
  const plan = await as(seller).put(`/listing/${listingId}/plan`, { planId: given.planId('featured'), paymentId: card });
  expect(plan).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
  // What pays for a plan of its own is another matter.
  expect((await as(seller).post('/plan-user/create-intent', { planId: given.planId('basic') })).status).toBe(201);
  expect(await refund(paymentId)).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
  expect(await toOperator(paymentId)).toEqual(['A dispute about $25.00 NZD from Tama Rua']);
  expect(await subjectsTo(seller.email, /Your bank is looking/)).toEqual(['Your bank is looking at your payment of $25.00 NZD']);
  const [sent] = (await mails()).filter((mail) => mail.to === operator).slice(-1);
  expect(sent?.preview).toMatch(/^Answer until: [A-Z][a-z]{2} \d+, \d{4}$/);
});

test('books a bank transfer during a dispute', async () => {
  const { intentId, paymentId } = await sold();
  await sendEvent('charge.dispute.created', control.openDispute(intentId));
  expect(await refund(paymentId, { amountMinor: 500 })).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
  expect((await refund(paymentId, { amountMinor: 500, transferred: true })).status).toBe(201);
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 2000, refunds: ['succeeded 500 transfer'] });
});

test.each(['won', 'lost'] as const)(
  'a plan that stays while its disputed payment is paid back by a transfer publishes at once, and still does when the dispute is %s',
  async (end) => {
    const { seller, intentId, paymentId, listingId } = await sold();
    const dispute = control.openDispute(intentId);
    await sendEvent('charge.dispute.created', dispute);
    // Another plan of the same person, whose payment is disputed too and stays so.
    const other = await sold(seller);
    await sendEvent('charge.dispute.created', control.openDispute(other.intentId));
    expect((await publish(seller, {})).body.code).toBe('no_free_slot');

    expect((await refund(paymentId, { transferred: true, keep: true })).status).toBe(201);
    expect((await publish(seller, {})).status).toBe(201);
    const subscriptions = async () =>
      (await as(seller).get('/plan-user/my-subscriptions')).body.data.subscriptions.map(
        (one: { isActive: boolean; isDisputed: boolean; isReturned: boolean }) => [one.isActive, one.isDisputed, one.isReturned],
      );
    const oneFree = expect.arrayContaining([
      [true, false, false],
      [true, true, false],
    ]);
    expect(await subscriptions()).toEqual(oneFree);

    control.endDispute(dispute.id, end);
    await sendEvent('charge.dispute.closed', dispute);
    expect(await subscriptions()).toEqual(oneFree);
    expect([await toRefundStatus(listingId), (await publish(seller, {})).status]).toEqual(['active', 201]);
    expect(await ledgerOf(paymentId)).toMatchObject({ bought: 0, refunded: 2500, owed: 0, refunds: ['succeeded 2500 transfer'] });
  },
);

test('publishes nothing under a payment that was disputed first', async () => {
  const seller = await given.user();
  const intentId = await given.payment(seller, 'premium');
  const dispute = control.openDispute(intentId);
  // The payment was not booked before.
  await sendEvent('charge.dispute.created', dispute);
  expect((await subscriptionOf(seller)).isDisputed).toBe(true);
  const answer = await as(seller).postForm('/listing/create', given.listingForm('premium', { paymentId: intentId }));
  expect(answer).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
  control.endDispute(dispute.id, 'won');
  await sendEvent('charge.dispute.closed', dispute);
  expect((await as(seller).postForm('/listing/create', given.listingForm('premium', { paymentId: intentId }))).status).toBe(201);
});

test('changes nothing when a dispute is won', async () => {
  const { seller, intentId, paymentId, listingId } = await sold();
  await refund(paymentId, { amountMinor: 200, transferred: true });
  const dispute = control.openDispute(intentId);
  await sendEvent('charge.dispute.created', dispute);
  control.endDispute(dispute.id, 'won');
  for (const type of ['charge.dispute.closed', 'charge.dispute.funds_reinstated', 'charge.dispute.updated']) await sendEvent(type, dispute);
  expect(await ledgerOf(paymentId)).toEqual({
    bought: 2300,
    refunded: 200,
    owed: 0,
    refunds: ['succeeded 200 transfer'],
    disputes: ['won 2500'],
  });
  expect([await toRefundStatus(listingId), (await subscriptionOf(seller)).isDisputed]).toEqual(['active', false]);
  expect((await publish(seller, {})).status).toBe(201);
  expect(await toOperator(paymentId)).toEqual([
    'A dispute about $25.00 NZD from Tama Rua',
    'The dispute about $25.00 NZD from Tama Rua: won',
  ]);
  expect((await refund(paymentId, { amountMinor: 100 })).status).toBe(201);
});

test('books a lost dispute as a refund, with a note and the end of the plan; idempotent', async () => {
  const { seller, intentId, paymentId, listingId } = await sold();
  const dispute = control.openDispute(intentId);
  control.endDispute(dispute.id, 'lost');
  // The opening event never arrived.
  await times(4, () => send('charge.dispute.closed', dispute));
  await runJobs();
  await sendEvent('charge.dispute.created', dispute);
  expect(await ledgerOf(paymentId)).toEqual({
    bought: 0,
    refunded: 2500,
    owed: 0,
    refunds: ['succeeded 2500 dispute'],
    disputes: ['lost 2500'],
  });
  const { isActive, isReturned, isDisputed } = await subscriptionOf(seller);
  expect([await toRefundStatus(listingId), isActive, isReturned, isDisputed]).toEqual(['expired', false, true, false]);
  expect((await as(seller).get('/refund/all')).body.data).toMatchObject([
    { status: 'succeeded', amountMinor: 2500, endedPlan: true, by: 'bank', adjustment: { number: expect.any(String) } },
  ]);
  expect(await subjectsTo(seller.email, /has ended|is going back to/)).toEqual([
    'Your Premium plan on Handwise has ended and its payment is being refunded',
    'Your payment of $25.00 NZD is going back to you',
  ]);
  expect((await provider.refunds.list({ payment_intent: intentId })).data).toEqual([]);
});

test('books a lost dispute once for a hundred concurrent webhooks in any order', async () => {
  const { seller, paymentId, intentId } = await sold();
  const dispute = control.openDispute(intentId);
  control.endDispute(dispute.id, 'lost');
  const eventId = `evt_${randomUUID()}`;
  await Promise.all([
    times(100, () => send('charge.dispute.closed', dispute, eventId)),
    ...['charge.dispute.funds_withdrawn', 'charge.dispute.updated', 'charge.dispute.created'].map((type) => send(type, dispute)),
  ]);
  await Promise.all([runJobs(), runJobs()]);
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 0, refunded: 2500, owed: 0, disputes: ['lost 2500'] });
  expect(await db.selectFrom('adjustment_notes').select('id').where('user_id', '=', seller._id).execute()).toHaveLength(1);
  expect((await toOperator(paymentId)).filter((subject) => subject.endsWith(': lost'))).toHaveLength(1);
});

test('deducts a partial dispute and keeps the plan', async () => {
  const { intentId, paymentId, listingId } = await sold();
  const dispute = control.openDispute(intentId, { amount: 900 });
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await ledgerOf(paymentId)).toMatchObject({ bought: 1600, refunded: 900, refunds: ['succeeded 900 dispute'] });
  expect(await toRefundStatus(listingId)).toBe('active');
});

test('deducts at most what is left of the payment', async () => {
  const { intentId, paymentId } = await sold();
  await refund(paymentId, { amountMinor: 1000 });
  await runJobs();
  const dispute = control.openDispute(intentId, { amount: 2500 });
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await ledgerOf(paymentId)).toEqual({
    bought: 0,
    refunded: 2500,
    owed: 0,
    refunds: ['succeeded 1000 administrator', 'succeeded 1500 dispute'],
    disputes: ['lost 2500'],
  });
});

test('does not send a waiting refund that a lost dispute has covered', async () => {
  const { intentId, paymentId } = await sold();
  await refund(paymentId, { amountMinor: 1000 });
  const dispute = control.openDispute(intentId);
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await ledgerOf(paymentId)).toEqual({
    bought: 0,
    refunded: 2500,
    owed: 0,
    refunds: ['canceled 1000 administrator', 'succeeded 2500 dispute'],
    disputes: ['lost 2500'],
  });
});

test('settles a refund that failed because of a dispute with that dispute', async () => {
  const seller = await given.user();
  const { clientSecret, paymentIntentId } = (await as(seller).post('/plan-user/create-intent', { planId: given.planId('basic') })).body;
  await confirmAtProvider(clientSecret, '4000000000007726');
  await callers.confirm(seller, paymentIntentId);
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', paymentIntentId).executeTakeFirstOrThrow();
  await refund(id, { amountMinor: 500 });
  await runJobs();
  const dispute = control.openDispute(paymentIntentId, { amount: 1500 });
  const [made] = (await provider.refunds.list({ payment_intent: paymentIntentId })).data;
  await sendEvent('refund.failed', { id: made?.id ?? '' });
  expect(await ledgerOf(id)).toMatchObject({ bought: 1000, owed: 500, refunds: ['failed 500 administrator'] });
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await ledgerOf(id)).toMatchObject({ bought: 0, refunded: 1500, owed: 0 });
});

test('deducts the rest when a lost dispute arrives before the refund that it made fail', async () => {
  const seller = await given.user();
  const { clientSecret, paymentIntentId } = (await as(seller).post('/plan-user/create-intent', { planId: given.planId('basic') })).body;
  await confirmAtProvider(clientSecret, '4000000000007726');
  await callers.confirm(seller, paymentIntentId);
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', paymentIntentId).executeTakeFirstOrThrow();
  await refund(id, { amountMinor: 500 });
  await runJobs();
  const dispute = control.openDispute(paymentIntentId, { amount: 1500 });
  await sendEvent('charge.dispute.created', dispute);
  await sql`update users set deleted_at = now() where id = ${seller._id}`.execute(db);
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
  expect(await ledgerOf(id)).toMatchObject({ bought: 0, owed: 0, refunds: ['pending 500 administrator', 'succeeded 1000 dispute'] });
  const [made] = (await provider.refunds.list({ payment_intent: paymentIntentId })).data;
  await sendEvent('refund.failed', { id: made?.id ?? '' });
  expect(await ledgerOf(id)).toMatchObject({ owed: 500, refunds: ['failed 500 administrator', 'succeeded 1000 dispute'] });
});

test('sends no dispute email to a deleted account', async () => {
  const { seller, intentId, paymentId } = await sold();
  await sql`update users set deleted_at = now() where id = ${seller._id}`.execute(db);
  await sendEvent('charge.dispute.created', control.openDispute(intentId));
  expect(await toOperator(paymentId)).toEqual(['A dispute about $25.00 NZD from Tama Rua']);
  expect(await subjectsTo(seller.email, /Your bank is looking/)).toEqual([]);
});

test('owes the money of a dispute that is won after it was lost, and emails the operator', async () => {
  const { seller, intentId, paymentId } = await sold();
  const lost = control.openDispute(intentId, { amount: 900 });
  control.endDispute(lost.id, 'lost');
  await sendEvent('charge.dispute.closed', lost);
  const before = await subjectsTo(seller.email, /./);
  const won = control.openDispute(intentId, { amount: 900 });
  control.endDispute(won.id, 'won');
  // The stand-in knows no appeals: of another dispute, which was won, we think that it is the one that was lost.
  await sql`update disputes set provider_id = ${won.id} where provider_id = ${lost.id}`.execute(db);
  await sendEvent('charge.dispute.closed', won);
  expect(await ledgerOf(paymentId)).toMatchObject({
    bought: 1600,
    refunded: 0,
    owed: 900,
    refunds: ['canceled 900 dispute'],
    disputes: ['won 900'],
  });
  const sent = (await mails()).findLast((mail) => mail.to === operator && mail.subject.endsWith(': won'));
  expect(JSON.stringify(sent?.blocks)).toContain('We owe the payer $9.00 NZD of this payment');
  expect((await as(seller).get('/refund/all')).body.data).toMatchObject([{ status: 'canceled', isOwed: true }]);
  // No transfer has failed.
  expect(await subjectsTo(seller.email, /./)).toEqual(before);
  // What is old news by then changes nothing.
  await sql`update disputes set provider_id = ${lost.id} where provider_id = ${won.id}`.execute(db);
  await sql`update disputes set status = 'lost' where provider_id = ${lost.id}`.execute(db);
  await sendEvent('charge.dispute.updated', lost);
  expect(await ledgerOf(paymentId)).toMatchObject({ owed: 900, disputes: ['lost 900'] });
});

test('shows administrators the provider’s events of this payment only', async () => {
  const [one, other] = [await sold(), await sold()];
  await sendEvent('payment_intent.succeeded', { id: one.intentId });
  await sendEvent('payment_intent.processing', { id: other.intentId });
  const eventsOf = async ({ paymentId }: { paymentId: string }) =>
    (await as(admin).get(`/admin/payment/${paymentId}`)).body.events.map(({ type }: { type: string }) => type);
  expect([await eventsOf(one), await eventsOf(other)]).toEqual([['payment_intent.succeeded'], ['payment_intent.processing']]);
});

test('pauses nothing for an inquiry, and emails the operator', async () => {
  const { seller, intentId, paymentId } = await sold();
  const inquiry = control.openDispute(intentId, { inquiry: true });
  await sendEvent('charge.dispute.created', inquiry);
  expect((await subscriptionOf(seller)).isDisputed).toBe(false);
  expect(await toOperator(paymentId)).toEqual(['An inquiry about $25.00 NZD from Tama Rua']);
  expect(await subjectsTo(seller.email, /Your bank is looking/)).toEqual([]);
  control.escalateInquiry(inquiry.id);
  await sendEvent('charge.dispute.updated', inquiry);
  expect((await subscriptionOf(seller)).isDisputed).toBe(true);
  expect(await toOperator(paymentId)).toEqual(['An inquiry about $25.00 NZD from Tama Rua', 'A dispute about $25.00 NZD from Tama Rua']);
});

test('stores a fraud warning and emails the operator once', async () => {
  const { intentId, paymentId } = await sold();
  const warning = control.warn(intentId);
  for (const type of ['radar.early_fraud_warning.created', 'radar.early_fraud_warning.updated']) await sendEvent(type, warning);
  const { body } = await as(admin).get(`/admin/payment/${paymentId}`);
  expect(body.warnings).toMatchObject([{ providerId: warning.id, actionable: true, amountMinor: 2500 }]);
  expect(await toOperator(paymentId)).toEqual(['A fraud warning about $25.00 NZD from Tama Rua']);
  const sent = (await mails()).find((mail) => mail.to === operator && JSON.stringify(mail.blocks).includes(paymentId));
  const url = `http://localhost:3000/admin/payments/${paymentId}`;
  expect(sent?.blocks).toContainEqual({ kind: 'button', label: 'See the payment', url });
  // Refunded: this prevents a dispute, and nothing else is left to do.
  await refund(paymentId, { fraud: true });
  await runJobs();
  await sendEvent('radar.early_fraud_warning.updated', warning);
  expect((await as(admin).get(`/admin/payment/${paymentId}`)).body.warnings).toMatchObject([{ actionable: false }]);
});

test('lists disputes and warnings for administrators only, newest first, with the number of open ones', async () => {
  const { seller, intentId, paymentId } = await sold();
  const dispute = control.openDispute(intentId);
  await sendEvent('charge.dispute.created', dispute);
  const { body } = await as(admin).get('/admin/payment/disputes?status=open&limit=2');
  expect(body.disputes[0]).toMatchObject({ paymentId, status: 'needs_response', reason: 'fraudulent', payer: { name: 'Tama Rua' } });
  // The payment's own page shows no others.
  const { disputes: own } = (await as(admin).get(`/admin/payment/${paymentId}`)).body;
  expect(own.map((one: { providerId: string }) => one.providerId)).toEqual([dispute.id]);
  const { dueBy } = body.disputes[0];
  expect(dueBy).toBe(new Date(1000 * (dispute.evidence_details.due_by ?? 0)).toISOString());
  expect(body.total).toBe((await as(admin).get('/admin/overview')).body.openDisputes);
  expect(body.disputes.length).toBeLessThanOrEqual(2);
  expect((await as(admin).get('/admin/payments?status=disputed')).body.payments.map((one: { _id: string }) => one._id)).toContain(
    paymentId,
  );
  const all = (await as(admin).get('/admin/payment/disputes')).body;
  expect(all.total).toBeGreaterThan(body.total);
  expect(all.warnings.length).toBeGreaterThan(0);
  expect((await as(seller).get('/admin/payment/disputes')).status).toBe(403);
});

test('exports the user’s own payments, refunds, notes and disputes only', async () => {
  const [one, other] = [await sold(), await sold()];
  for (const { seller, intentId, paymentId } of [one, other]) {
    await given.card(seller);
    await refund(paymentId, { amountMinor: 100, transferred: true });
    await sendEvent('charge.dispute.created', control.openDispute(intentId));
  }
  for (const { seller, paymentId } of [one, other]) {
    const held: [string, object][] = [];
    for (const [name, list] of Object.entries(getOwnPaymentData(db, seller._id).lists))
      for await (const row of await list()) held.push([name, row]);
    const at = expect.any(Date);
    expect(held).toEqual([
      ['payments', expect.objectContaining({ amountMinor: 2500, currency: 'NZD', status: 'succeeded', createdAt: at, succeededAt: at })],
      ['invoices', { number: expect.any(Number), paymentId, issuedAt: at, details: expect.objectContaining({ totalMinor: 2500 }) }],
      ['refunds', { paymentId, amountMinor: 100, status: 'succeeded', reason: expect.any(String), createdAt: at, refundedAt: at }],
      ['adjustment-notes', { number: expect.any(Number), issuedAt: at, details: expect.objectContaining({ totalMinor: 100 }) }],
      ['disputes', expect.objectContaining({ paymentId, amountMinor: 2500, openedAt: at })],
      [
        'cards',
        { fullName: 'Mere Kingi', cardBrand: 'visa', cardLast4: '4242', expMonth: 12, expYear: 2031, createdAt: at, removedAt: null },
      ],
    ]);
  }
});

type Turn = (intentId: string, paymentId: string) => Promise<unknown>;
const lose: Turn = async (intentId) => {
  const dispute = control.openDispute(intentId);
  control.endDispute(dispute.id, 'lost');
  await sendEvent('charge.dispute.closed', dispute);
};

test.each<[string, string, Turn, number]>([
  ['a dispute that is lost', 'minutes', lose, 0],
  ['a refund as fraud', 'minutes', (_, paymentId) => refund(paymentId, { fraud: true }), 0],
  ['a refund for another reason', 'minutes', (_, paymentId) => refund(paymentId), 5],
  ['a dispute that is open', 'minutes', (intentId) => sendEvent('charge.dispute.created', control.openDispute(intentId)), 5],
  ['a lost dispute about a later payment', '-minutes', lose, 5],
])('%s voids or keeps the referral tickets earned by the payer’s listing', async (what, before, turn, left) => {
  const owner = await given.member();
  invited += 1;
  const form = {
    fullName: 'Tama Rua',
    username: `invited_${invited}`,
    email: `invited${invited}@invited${invited}.example`,
    password: 'pohutukawa-9',
  };
  const joined = await callers.from(`198.51.${invited}.7`).post('/auth/register', { ...form, referralCode: owner.referralCode });
  const friend = await given.confirmed(joined.body.data);
  expect((await as(friend).postForm('/listing/create', given.listingForm('basic'))).status).toBe(201);
  const { intentId, paymentId } = await sold(friend);
  // The first plan of who is invited is free: their payment is put before, or after, the listing that counted.
  await sql`update payments set succeeded_at = (select converted_at from referrals where referred_id = ${friend._id}) - ${before === 'minutes' ? '1 minute' : '-1 minute'}::interval
    where id = ${paymentId}`.execute(db);
  const tickets = async () => {
    const { entries } = (await as(owner).get('/referral/dashboard')).body.drawEntries;
    const ofListing = entries.filter((one: { source: string; status: string }) => one.source === 'listing' && one.status === 'active');
    return ofListing.reduce((sum: number, one: { tickets: number }) => sum + one.tickets, 0);
  };
  expect([what, await tickets()]).toEqual([what, 5]);
  await turn(intentId, paymentId);
  expect([what, await tickets()]).toEqual([what, left]);
});

test('after all of this the ledger reports only what is owed', async () => {
  await runJobs();
  expect((await runAudits(db)).flatMap(({ name, faults }) => (name === 'refunds' ? [] : faults.map(({ fault }) => fault)))).toEqual([]);
});
