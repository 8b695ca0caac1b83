import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { webhookSender } from '@handwise/sandbox/testing/provider';
import { auditAtProvider, runAudits } from '../../composition/audit.ts';
import { openPayments } from '../../composition/hooks.ts';
import { refundFoundPayment } from './payments.found.ts';
import { forEachPage, scanProvider } from './payments.reconcile.ts';
import { syncIntent } from './payments.settle.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp({}, null, { proxied: true });
const { as, confirm } = callers;
const { answerApp, confirmAtProvider, provider, stripe } = sandbox;
const { payments, logged } = parts;
const send = webhookSender({ app, sandbox, parts });
const settings = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox', apiBase: stripe.url };
const day = 86_400_000;

type User = Awaited<ReturnType<typeof given.user>>;

/** As a restore from an older backup leaves it: what came after it is not there, whatever points at it. */
const lose = (...statements: ReturnType<typeof sql>[]) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    for (const statement of statements) await statement.execute(tx);
  });
const settlePaymentOf = (intentId: string) =>
  db
    .selectFrom('payments')
    .select([
      'id',
      'user_id',
      'status',
      'purpose',
      'plan_id',
      'country',
      'listing_id',
      'replaces_id',
      'captured_minor',
      'bought_minor',
      'currency',
      'account',
      'livemode',
    ])
    .where('intent_id', '=', intentId)
    .executeTakeFirst();
const foundOf = (intentId: string) =>
  db.selectFrom('found_payments').select(['outcome', 'reason', 'refund_status']).where('intent_id', '=', intentId).executeTakeFirst();
const losePayment = async (intentId: string) => {
  const { id } = (await settlePaymentOf(intentId)) ?? { id: '' };
  await lose(
    sql`delete from receipts where payment_id = ${id}`,
    sql`delete from subscriptions where payment_id = ${id}`,
    sql`delete from payments where id = ${id}`,
  );
  return id;
};
const loseUser = (user: User) =>
  lose(
    sql`delete from sessions where user_id = ${user._id}`,
    sql`delete from payment_customers where user_id = ${user._id}`,
    sql`delete from users where id = ${user._id}`,
  );
const bought = async (user: User, plan: 'basic' | 'premium' = 'basic', country: 'NZ' | 'AU' = 'NZ') => {
  const intentId = await given.payment(user, plan, country);
  await confirm(user, intentId);
  return intentId;
};
const sendEvent = async (intentId: string) => {
  await send('payment_intent.succeeded', { id: intentId });
  await outbox.runJobs();
};
const receiptsOf = (user: User) => db.selectFrom('receipts').select('number').where('user_id', '=', user._id).execute();
const refundsOf = async (intentId: string) => (await provider.refunds.list({ payment_intent: intentId })).data;
const errorsAbout = (intentId: string) => logged.filter((line) => line.includes(intentId) && line.includes('"level":50'));
const startedAt = async (intentId: string) =>
  (await db.selectFrom('payments').select('created_at').where('intent_id', '=', intentId).executeTakeFirstOrThrow()).created_at.getTime();
/** Why the payment was restored or refunded, as the operator reads it. */
const reasonToOperator = async (intentId: string) => {
  const about = (await outbox.mails()).filter(
    ({ subject, blocks }) => subject.endsWith('was found at the provider') && JSON.stringify(blocks).includes(intentId),
  );
  return about.map(({ blocks }) => /"Why","value":"([^"]+)"/.exec(JSON.stringify(blocks))?.[1]);
};
const mailed = async (to: string, subject: RegExp) => (await outbox.mailed(to, subject)).count;
const foundFaults = async () => (await runAudits(db)).find(({ name }) => name === 'found payments')?.faults;

test('restores a lost payment by its webhook: same id, plan, receipt and an error in the log', async () => {
  const user = await given.user();
  const intentId = await bought(user, 'premium', 'AU');
  const [before, startedBefore] = [await settlePaymentOf(intentId), await startedAt(intentId)];
  expect(await losePayment(intentId)).toBe(before?.id);
  await sendEvent(intentId);
  expect(await settlePaymentOf(intentId)).toEqual(before);
  // Times at the provider are whole seconds.
  expect(Math.abs((await startedAt(intentId)) - startedBefore)).toBeLessThan(10_000);
  expect(await reasonToOperator(intentId)).toEqual(['The database had lost it, and nothing contradicts it.']);
  expect(await foundOf(intentId)).toMatchObject({ outcome: 'rebuilt', refund_status: null });
  expect(await receiptsOf(user)).toHaveLength(1);
  expect(await refundsOf(intentId)).toEqual([]);
  expect(errorsAbout(intentId)).toHaveLength(1);
  expect(await mailed(user.email, /^Your payment of \$25\.00 AUD counts again$/)).toBe(1);
  const reports = await auditAtProvider(db, settings, { from: new Date(Date.now() - day), to: new Date(Date.now() + day) });
  expect(reports.flatMap(({ faults }) => faults)).toEqual([]);
});

test('refunds a payment whose account is lost in full, emails payer and operator, and satisfies the audit', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  await losePayment(intentId);
  await loseUser(user);
  await sendEvent(intentId);
  expect(await settlePaymentOf(intentId)).toBeUndefined();
  expect(await foundOf(intentId)).toMatchObject({ outcome: 'returned', refund_status: 'succeeded' });
  expect(await refundsOf(intentId)).toMatchObject([{ amount: 1500, status: 'succeeded', metadata: { foundIntent: intentId } }]);
  expect(errorsAbout(intentId)).toHaveLength(1);
  expect(await mailed(user.email, /^Your payment of \$15\.00 NZD is going back to your card$/)).toBe(1);
  const operator = (await outbox.mails()).filter(
    ({ subject, blocks }) => subject.endsWith('was found at the provider') && JSON.stringify(blocks).includes(intentId),
  );
  expect(operator).toMatchObject([{ preview: 'It is going back to its payer.' }]);
  expect(await reasonToOperator(intentId)).toEqual(['Its account, plan or listing is not in the database.']);
  expect(await foundFaults()).toEqual([]);
});

test('refunds a lost payment without an email when the provider has deleted its customer, and asks the provider no more', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  const { customer } = await provider.paymentIntents.retrieve(intentId);
  await losePayment(intentId);
  await loseUser(user);
  await provider.customers.del(String(customer));
  await sendEvent(intentId);
  expect(await foundOf(intentId)).toMatchObject({ outcome: 'returned', refund_status: 'succeeded' });
  expect(await mailed(user.email, /is going back/)).toBe(0);
  answerApp(() => ({ status: 500, error: { type: 'api_error', message: 'It fails.' } }));
  await refundFoundPayment(payments, intentId);
  await refundFoundPayment(payments, 'pi_nobodys');
  answerApp();
});

test('restores or refunds a lost payment once for a hundred webhooks and a concurrent scan', async () => {
  const [active, deleted] = [await given.user(), await given.user()];
  const [one, other] = [await bought(active), await bought(deleted)];
  await losePayment(one);
  await losePayment(other);
  await loseUser(deleted);
  const sync = (intentId: string) => Array.from({ length: 50 }, () => syncIntent(payments, intentId));
  await Promise.all([...sync(one), ...sync(other), scanProvider(payments), scanProvider(payments)]);
  await outbox.runJobs();
  await Promise.all([refundFoundPayment(payments, other), refundFoundPayment(payments, other), scanProvider(payments)]);
  expect(await receiptsOf(active)).toHaveLength(1);
  expect(await refundsOf(one)).toEqual([]);
  expect(await refundsOf(other)).toHaveLength(1);
  expect([await mailed(active.email, /counts again$/), await mailed(deleted.email, /is going back/)]).toEqual([1, 1]);
  expect([one, other].map((intentId) => errorsAbout(intentId).map((line) => (JSON.parse(line) as { msg: string }).msg))).toEqual([
    [expect.stringContaining('it is restored and booked')],
    [expect.stringContaining('so it is refunded')],
  ]);
  // Later scans look up neither any more, except for the refund, whose payment is not in the database.
  const paths: string[] = [];
  answerApp(({ path }) => void paths.push(path));
  await scanProvider(payments);
  answerApp();
  expect(paths).toContain('/v1/payment_intents');
  expect(paths.filter((path) => path.includes(one) || path.includes(other))).toEqual([`/v1/payment_intents/${other}`]);
});

test('emails the payer once when several workers refund the same found payment at once', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  await losePayment(intentId);
  await loseUser(user);
  await syncIntent(payments, intentId);
  await Promise.all(Array.from({ length: 8 }, () => refundFoundPayment(payments, intentId)));
  await outbox.runJobs();
  expect(await refundsOf(intentId)).toHaveLength(1);
  expect(await mailed(user.email, /is going back/)).toBe(1);
});

test('scans the provider from the restored time without webhooks, and advances only when all is booked', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  const { id } = (await settlePaymentOf(intentId)) ?? { id: '' };
  const [refund] = [await provider.refunds.create({ payment_intent: intentId, amount: 300 })];
  const dispute = stripe.control.openDispute(await bought(await given.user()));
  await losePayment(intentId);
  const lookedUntil = () => db.selectFrom('payment_site').select('looked_until').executeTakeFirstOrThrow();
  // The last scan was a month ago, so the lost payment is older than the period of an ordinary scan.
  await db
    .updateTable('payment_site')
    .set({ looked_until: new Date(Date.now() - 30 * day) })
    .execute();
  const monthAgo = await lookedUntil();
  const from = new Set<string | null>();
  answerApp(({ path, query }) => {
    if (query.has('created[gte]')) from.add(query.get('created[gte]'));
    return path.startsWith(`/v1/disputes/${dispute.id}`) ? { status: 500, error: { type: 'api_error', message: 'It fails.' } } : undefined;
  });
  await expect(scanProvider(payments)).rejects.toThrow(/could not be booked/);
  answerApp();
  // And payments that started in the day before it.
  expect([...from]).toEqual([String(Math.floor((monthAgo.looked_until.getTime() - 25 * 3_600_000) / 1000))]);
  expect(await lookedUntil()).toEqual(monthAgo);
  expect(await settlePaymentOf(intentId)).toMatchObject({ id, status: 'succeeded' });
  await scanProvider(payments);
  expect((await lookedUntil()).looked_until.getTime()).toBeGreaterThan(Date.now() - day);
  expect(await db.selectFrom('refunds').select('amount_minor').where('provider_id', '=', refund.id).execute()).toEqual([
    { amount_minor: 300 },
  ]);
  expect(await db.selectFrom('disputes').select('status').where('provider_id', '=', dispute.id).execute()).toEqual([
    { status: 'needs_response' },
  ]);
});

test('finds a lost payment among those that it knows', async () => {
  const [before, lost, after] = [await bought(await given.user()), await bought(await given.user()), await bought(await given.user())];
  const id = await losePayment(lost);
  await scanProvider(payments);
  expect(await settlePaymentOf(lost)).toMatchObject({ id, status: 'succeeded' });
  for (const known of [before, after]) expect(await foundOf(known)).toBeUndefined();
});

test('reads a long list in pages of a hundred', async () => {
  const items = async function* () {
    for (let item = 0; item < 205; item += 1) yield item;
  };
  const pages: number[][] = [];
  await forEachPage(items(), async (page) => void pages.push(page));
  expect(pages.map((page) => [page[0], page.length])).toEqual([
    [0, 100],
    [100, 100],
    [200, 5],
  ]);
});

test('does not advance the scan when an open dispute cannot be fetched', async () => {
  const dispute = stripe.control.openDispute(await bought(await given.user()));
  await scanProvider(payments);
  answerApp(({ path }) =>
    path.startsWith(`/v1/disputes/${dispute.id}`) ? { status: 500, error: { type: 'api_error', message: 'It fails.' } } : undefined,
  );
  await expect(scanProvider(payments)).rejects.toThrow(/could not be booked/);
  answerApp();
  await scanProvider(payments);
});

test('scans only what the database does not know: refunds, disputes and warnings', async () => {
  const [known, lost] = [await bought(await given.user()), await bought(await given.user(), 'premium')];
  await given.payment(await given.user());
  const other = await provider.paymentIntents.create({ amount: 9900, currency: 'nzd' });
  await confirmAtProvider(other.client_secret ?? '');
  const unpaid = (await as(await given.user()).post('/plan-user/create-intent', { planId: given.planId('basic') })).body.paymentIntentId;
  const happen = async (intentId: string) => {
    const refund = await provider.refunds.create({ payment_intent: intentId, amount: 300 });
    const dispute = stripe.control.openDispute(intentId, { amount: 200 });
    stripe.control.endDispute(dispute.id, 'won');
    return { refund: refund.id, dispute: dispute.id, warning: stripe.control.warn(intentId).id };
  };
  const before = await happen(known);
  await scanProvider(payments);
  const after = await happen(lost);
  const paths: string[] = [];
  answerApp(({ method, path }) => void paths.push(`${method} ${path}`));
  await scanProvider(payments);
  answerApp();
  for (const id of [known, other.id, unpaid, ...Object.values(before)])
    expect([id, paths.filter((path) => path.includes(id))]).toEqual([id, []]);
  const stored = async (table: 'refunds' | 'disputes' | 'fraud_warnings') =>
    (await db.selectFrom(table).select('provider_id').execute()).map((row) => row.provider_id);
  expect(await stored('refunds')).toEqual(expect.arrayContaining([before.refund, after.refund]));
  expect(await stored('disputes')).toEqual(expect.arrayContaining([before.dispute, after.dispute]));
  expect(await stored('fraud_warnings')).toEqual(expect.arrayContaining([before.warning, after.warning]));
});

test('refunds a lost payment whose payer has paid for the same again', async () => {
  const user = await given.user();
  const lost = await bought(user);
  await losePayment(lost);
  const again = await bought(user);
  // Times at the provider are whole seconds.
  await db
    .updateTable('payments')
    .set({ created_at: new Date(Date.now() + 2_000) })
    .where('intent_id', '=', again)
    .execute();
  await sendEvent(lost);
  expect(await settlePaymentOf(lost)).toMatchObject({ status: 'succeeded', captured_minor: 1500, bought_minor: 0 });
  expect(await settlePaymentOf(again)).toMatchObject({ bought_minor: 1500 });
  expect(await refundsOf(lost)).toMatchObject([{ amount: 1500 }]);
  expect(await refundsOf(again)).toEqual([]);
  expect(await mailed(user.email, /counts again$/)).toBe(0);
  expect(await reasonToOperator(lost)).toEqual(['You have paid for the same again since then.']);
});

test('does not count two lost payments for the same as paid again', async () => {
  const user = await given.user();
  const first = await bought(user);
  expect((await as(user).postForm('/listing/create', given.listingForm('basic', { paymentId: first }))).status).toBe(201);
  const second = await bought(user);
  const later = new Date(Date.now() + 2_000);
  await lose(sql`delete from listings where seller_id = ${user._id}`);
  for (const intentId of [first, second]) await losePayment(intentId);
  // The provider lists the newest first.
  await sendEvent(second);
  await db.updateTable('payments').set({ created_at: later }).where('intent_id', '=', second).execute();
  await sendEvent(first);
  for (const intentId of [first, second]) expect(await settlePaymentOf(intentId)).toMatchObject({ bought_minor: 1500 });
});

test('restores a payment without blocking another open one', async () => {
  const user = await given.user();
  const lost = await bought(user);
  await losePayment(lost);
  const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('premium') });
  await sendEvent(lost);
  expect(await settlePaymentOf(lost)).toMatchObject({ bought_minor: 1500 });
  await confirmAtProvider(body.clientSecret);
  expect(await confirm(user, body.paymentIntentId)).toMatchObject({ status: 200, body: { refunded: false } });
});

test('restores a lost plan change, or refunds it if the listing is lost too', async () => {
  const change = async () => {
    const { seller, listing } = await given.published();
    const cardId = await given.card(seller);
    const { planId } = given;
    const answer = await as(seller).put(`/listing/${listing._id}/plan`, { planId: planId('premium'), paymentId: cardId });
    expect(answer.status).toBe(200);
    const { intent_id, replaces_id } = await db
      .selectFrom('payments')
      .select(['intent_id', 'replaces_id'])
      .where('user_id', '=', seller._id)
      .where('purpose', '=', 'plan_change')
      .executeTakeFirstOrThrow();
    return { listing, intentId: intent_id ?? '', replaced: replaces_id ?? '' };
  };
  const [intact, broken] = [await change(), await change()];
  for (const { listing, intentId, replaced } of [intact, broken]) {
    await lose(
      sql`update subscriptions set replaced_by = null, slots_used = 1 where id = ${replaced}`,
      sql`update listings set subscription_id = ${replaced} where id = ${listing._id}`,
    );
    await losePayment(intentId);
  }
  await lose(sql`delete from listings where id = ${broken.listing._id}`);
  await sendEvent(intact.intentId);
  await sendEvent(broken.intentId);
  expect(await settlePaymentOf(intact.intentId)).toMatchObject({
    purpose: 'plan_change',
    listing_id: intact.listing._id,
    replaces_id: intact.replaced,
  });
  expect((await settlePaymentOf(intact.intentId))?.bought_minor).toBeGreaterThan(0);
  expect(await settlePaymentOf(broken.intentId)).toBeUndefined();
  expect(await foundOf(broken.intentId)).toMatchObject({ outcome: 'returned', refund_status: 'succeeded' });
});

test('ignores intents of another site or without one', async () => {
  const user = await given.user();
  const metadata = {
    paymentId: '019c0000-0000-7000-8000-000000000001',
    userId: user._id,
    purpose: 'listing',
    planId: given.planId('basic'),
  };
  for (const site of ['019c0000-0000-7000-8000-000000000009', '']) {
    const intent = await provider.paymentIntents.create({
      amount: 1500,
      currency: 'nzd',
      metadata: { ...metadata, ...(site && { site }) },
    });
    await confirmAtProvider(intent.client_secret ?? '');
    await sendEvent(intent.id);
    await scanProvider(payments);
    expect([await settlePaymentOf(intent.id), await foundOf(intent.id), await refundsOf(intent.id)]).toEqual([undefined, undefined, []]);
  }
});

test.each([
  ['an invalid id', { userId: 'not-an-id' }, 'nzd'],
  ['an unknown purpose', { purpose: 'gift' }, 'nzd'],
  ['another currency', {}, 'usd'],
])('ignores an intent of this site with %s', async (_, wrong, currency) => {
  const { metadata } = await provider.paymentIntents.retrieve(await bought(await given.user()));
  const paymentId = randomUUID();
  const intent = await provider.paymentIntents.create({ amount: 1500, currency, metadata: { ...metadata, paymentId, ...wrong } });
  await confirmAtProvider(intent.client_secret ?? '');
  await syncIntent(payments, intent.id);
  expect([await settlePaymentOf(intent.id), await foundOf(intent.id), await refundsOf(intent.id)]).toEqual([undefined, undefined, []]);
});

test('neither restores nor refunds a payment whose booking fails', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  await losePayment(intentId);
  await sql`alter table receipts add constraint refuse_all check (number < 0) not valid`.execute(db);
  try {
    await expect(syncIntent(payments, intentId)).rejects.toThrow('refuse_all');
  } finally {
    await sql`alter table receipts drop constraint refuse_all`.execute(db);
  }
  expect([await settlePaymentOf(intentId), await foundOf(intentId)]).toEqual([undefined, undefined]);
  await sendEvent(intentId);
  expect(await settlePaymentOf(intentId)).toMatchObject({ bought_minor: 1500 });
});

test('restores no unpaid intent, and refunds one that names another intent’s payment', async () => {
  const user = await given.user();
  const known = await bought(user);
  const { metadata } = await provider.paymentIntents.retrieve(known);
  const second = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  await sendEvent(second.id);
  expect(await foundOf(second.id)).toBeUndefined();
  await confirmAtProvider(second.client_secret ?? '');
  await sendEvent(second.id);
  expect(await foundOf(second.id)).toMatchObject({ outcome: 'returned', refund_status: 'succeeded' });
  expect(await reasonToOperator(second.id)).toEqual(['The payment that it names was paid by another intent.']);
  expect(await settlePaymentOf(known)).toMatchObject({ bought_minor: 1500 });
  expect(await refundsOf(known)).toEqual([]);
  const lost = { ...metadata, paymentId: '019c0000-0000-7000-8000-000000000002' };
  const unpaid = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata: lost });
  const lines = logged.length;
  await sendEvent(unpaid.id);
  expect([await settlePaymentOf(unpaid.id), await foundOf(unpaid.id)]).toEqual([undefined, undefined]);
  // The message is worked off: there is nothing to try again.
  expect(logged.slice(lines).filter((line) => line.includes('job failed'))).toEqual([]);
});

test('does not refund again what was refunded before, in full or in part', async () => {
  const [whole, part] = [await given.user(), await given.user()];
  const [one, other] = [await bought(whole), await bought(part)];
  await provider.refunds.create({ payment_intent: one });
  await provider.refunds.create({ payment_intent: other, amount: 400 });
  for (const intentId of [one, other]) await losePayment(intentId);
  for (const user of [whole, part]) await loseUser(user);
  for (const intentId of [one, other]) await sendEvent(intentId);
  expect((await refundsOf(one)).map(({ amount }) => amount)).toEqual([1500]);
  for (const intentId of [one, other]) expect(await foundOf(intentId)).toMatchObject({ refund_status: 'succeeded' });
  expect((await refundsOf(other)).map(({ amount }) => amount)).toEqual([1100, 400]);
});

test('checks a pending refund again, and the audit reports a failed one', async () => {
  const user = await given.user();
  const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
  const intentId: string = body.paymentIntentId;
  // Refunds to this card wait for the bank.
  await confirmAtProvider(body.clientSecret, '4000000000007726');
  await confirm(user, intentId);
  await losePayment(intentId);
  await loseUser(user);
  await sendEvent(intentId);
  expect(await foundOf(intentId)).toMatchObject({ refund_status: 'pending' });
  const [refund] = await refundsOf(intentId);
  stripe.control.moveRefund(refund?.id ?? '', 'failed');
  await scanProvider(payments);
  expect(await foundOf(intentId)).toMatchObject({ refund_status: 'failed' });
  expect(await refundsOf(intentId)).toHaveLength(1);
  expect(errorsAbout(intentId).map((line) => JSON.parse(line) as object)).toMatchObject([
    { intentId, outcome: 'returned' },
    { intentId, refund: refund?.id, status: 'failed' },
  ]);
  expect(await mailed(user.email, /is going back/)).toBe(1);
  expect((await foundFaults())?.map(({ fault }) => fault)).toEqual([
    expect.stringContaining(`1500 NZD of intent ${intentId} belong to nobody here`),
  ]);
  await lose(sql`delete from found_payments where intent_id = ${intentId}`);
});

test('restores the saved card and customer of a lost payment, or the payment alone if the provider lost the customer', async () => {
  for (const isGone of [false, true]) {
    const user = await given.user();
    const cardId = await given.card(user);
    const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
    await confirmAtProvider(body.clientSecret);
    await confirm(user, body.paymentIntentId);
    const { customer_id: customer } = await db
      .selectFrom('payment_customers')
      .select('customer_id')
      .where('user_id', '=', user._id)
      .executeTakeFirstOrThrow();
    await losePayment(body.paymentIntentId);
    await lose(sql`delete from cards where id = ${cardId}`, sql`delete from payment_customers where user_id = ${user._id}`);
    if (isGone) await provider.customers.del(customer);
    await sendEvent(body.paymentIntentId);
    expect(await settlePaymentOf(body.paymentIntentId)).toMatchObject({ bought_minor: 1500 });
    const rows = await db.selectFrom('payment_customers').select('customer_id').where('user_id', '=', user._id).execute();
    expect(rows).toEqual(isGone ? [] : [{ customer_id: customer }]);
    // The next purchase goes through on the first try.
    expect((await as(user).postForm('/listing/create', given.listingForm('basic', { paymentId: body.paymentIntentId }))).status).toBe(201);
    expect(await settlePaymentOf(await bought(user, 'premium'))).toMatchObject({ bought_minor: 2500 });
  }
});

test('lists found payments for administrators, newest first, with their outcome', async () => {
  const [active, deleted] = [await given.user(), await given.user()];
  const [rebuilt, returned] = [await bought(active), await bought(deleted)];
  for (const intentId of [rebuilt, returned]) await losePayment(intentId);
  await loseUser(deleted);
  await sendEvent(rebuilt);
  await sendEvent(returned);
  const { body } = await as(await given.administrator()).get('/admin/overview');
  expect(body.foundPayments.slice(0, 2)).toMatchObject([
    { intentId: returned, outcome: 'returned', refundStatus: 'succeeded', amountMinor: 1500, currency: 'NZD' },
    { intentId: rebuilt, outcome: 'rebuilt', refundStatus: null, paymentId: (await settlePaymentOf(rebuilt))?.id },
  ]);
  await lose(sql`update found_payments set found_at = now() - interval '91 days' where intent_id = ${returned}`);
  expect((await as(await given.administrator()).get('/admin/overview')).body.foundPayments[0]).toMatchObject({ intentId: rebuilt });
});

test('reports a found row that contradicts its payment', async () => {
  const user = await given.user();
  const intentId = await bought(user);
  await losePayment(intentId);
  await sendEvent(intentId);
  await lose(sql`update found_payments set outcome = 'returned', refund_status = 'succeeded' where intent_id = ${intentId}`);
  expect((await foundFaults())?.map(({ fault }) => fault)).toEqual([expect.stringContaining(`intent ${intentId} was found and returned`)]);
  await lose(sql`update found_payments set outcome = 'rebuilt', refund_status = null where intent_id = ${intentId}`);
});

const lookedUntil = async () => (await db.selectFrom('payment_site').select('looked_until').executeTakeFirstOrThrow()).looked_until;
const monthAgo = new Date(Date.now() - 30 * day);
/** The same site with keys of another account, a month after its last look. */
async function withOthersKeys() {
  stripe.keys.add(['sk_test_other'], 'acct_other');
  await db.updateTable('payment_site').set({ looked_until: monthAgo }).execute();
  const { context } = parts;
  return openPayments({ context, stripe: { ...settings, secretKey: 'sk_test_other' } });
}
/** A payment that was found, and whose money is still here. */
async function foundWithoutUser() {
  const user = await given.user();
  const intentId = await bought(user);
  await losePayment(intentId);
  await loseUser(user);
  await syncIntent(payments, intentId);
  return intentId;
}
const keyErrors = () =>
  logged.filter((line) => line.includes('"level":50') && line.includes('the provider is not searched until the keys are right'));

test('scans and refunds nothing with another account’s keys, and finds everything with the right ones', async () => {
  const returned = await foundWithoutUser();
  const [unaffected, lost] = [await bought(await given.user()), await bought(await given.user())];
  await losePayment(lost);
  const others = await withOthersKeys();
  const rows = () => db.selectFrom('payments').select(['intent_id', 'status', 'owed_minor']).orderBy('id').execute();
  const before = await rows();
  await scanProvider(others);
  await syncIntent(others, lost);
  await expect(refundFoundPayment(others, returned)).rejects.toMatchObject({ code: 'payment_provider_refused' });
  expect([await rows(), await lookedUntil(), await foundOf(lost)]).toEqual([before, monthAgo, undefined]);
  expect(await foundOf(returned)).toMatchObject({ refund_status: 'pending' });
  for (const intentId of [unaffected, lost, returned]) expect(await refundsOf(intentId)).toEqual([]);
  expect(keyErrors().map((line) => JSON.parse(line))).toMatchObject([{ keys: 'acct_other (test)', payments: 'acct_sandbox (test)' }]);
  await scanProvider(payments);
  expect(await settlePaymentOf(lost)).toMatchObject({ status: 'succeeded', bought_minor: 1500 });
  expect(await foundOf(returned)).toMatchObject({ refund_status: 'succeeded' });
  expect((await lookedUntil()).getTime()).toBeGreaterThan(Date.now() - day);
  await outbox.runJobs();
});

test('continues the scan in a new account after its first payment', async () => {
  const dispute = stripe.control.openDispute(await bought(await given.user()));
  await send('charge.dispute.created', { id: dispute.id });
  await outbox.runJobs();
  const returned = await foundWithoutUser();
  const otherPayment = await bought(await given.user());
  const others = await withOthersKeys();
  const errorCount = keyErrors().length;
  await scanProvider(others);
  expect([await lookedUntil(), keyErrors().length]).toEqual([monthAgo, errorCount + 1]);
  await db.updateTable('payments').set({ account: 'acct_other' }).where('intent_id', '=', otherPayment).execute();
  await scanProvider(others);
  expect((await lookedUntil()).getTime()).toBeGreaterThan(Date.now() - day);
  expect(keyErrors()).toHaveLength(errorCount + 1);
  expect(await foundOf(returned)).toMatchObject({ refund_status: 'pending' });
  await db.updateTable('payments').set({ account: 'acct_sandbox' }).where('intent_id', '=', otherPayment).execute();
  await outbox.runJobs();
});
