import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { runAudits, formatAudit } from './audit.ts';

const { db, given, callers } = await testApp();
const { as } = callers;

/** Changes rows without triggers, foreign keys and transitions. */
const corrupt = <Row>(statement: RawBuilder<Row>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    return (await statement.execute(tx)).rows;
  });

const book = async (name: string) => {
  const found = (await runAudits(db)).find((report) => report.name === name);
  return { wrong: found?.wrong ?? 0, faults: found?.faults ?? [] };
};

/** Creates a payment that bought a subscription with one listing. */
async function sold() {
  const seller = await given.user();
  const intentId = await given.payment(seller, 'premium');
  const answer = await as(seller).postForm('/listing/create', given.listingForm('premium', { paymentId: intentId }));
  expect(answer.status).toBe(201);
  const row = await db
    .selectFrom('payments')
    .innerJoin('subscriptions', 'subscriptions.payment_id', 'payments.id')
    .select(['payments.id as paymentId', 'subscriptions.id as subscriptionId'])
    .where('intent_id', '=', intentId)
    .executeTakeFirstOrThrow();
  return { ...row, listingId: answer.body._id as string };
}

test('finds no errors after a sale, and reports the totals', async () => {
  await sold();
  expect(formatAudit(await runAudits(db))).toEqual([
    'The ledger balances.',
    '  payments: 2500 captured = 2500 bought + 0 refunded + 0 owed, in cents of 1 payments',
    '  slots: 1 used of 5',
    '  listings: 1 follow their subscription',
    '  receipts: 1 issued, one for each payment that bought something',
    '  open payments: 0, none older than 25 hours',
    '  refunds: 0 under way, 0 owed',
    '  found payments: 0 that the database had lost: 0 rebuilt, 0 sent back',
    '  adjustment notes: 0 issued without a gap, for what went back of payments with a receipt',
    '  rewards: 0 issued = 0 open + 0 used + 0 void',
    '  conversions: 0 converted, 0 of them wait for a card',
    '  free months: 0 used',
    '  renewals: 0 paid, 0 free, 0 switched on',
    expect.stringMatching(/^  audit log: 3 entries in an unbroken chain, head [0-9a-f]{64}$/),
    '  tickets: 0 issued = 0 active + 0 drawn + 0 void in 0 leaves under 0 heads',
    '  draws: 0 with 0 tickets, each verified with its ticket log',
  ]);
});

test('reports money that bought nothing', async () => {
  const { paymentId, subscriptionId } = await sold();
  await corrupt(sql`update subscriptions set payment_id = null, source = 'grant' where id = ${subscriptionId}`);
  expect((await book('payments')).faults).toContainEqual({
    id: paymentId,
    fault: 'the payment succeeded: 2500 captured, 2500 bought, 0 refunded, 0 owed, with no subscription that stands',
  });
});

test('reports money that bought something and was refunded', async () => {
  const { paymentId } = await sold();
  await corrupt(sql`insert into refunds (payment_id, amount_minor, source, reason) values (${paymentId}, 2500, 'provider', 'Twice.')`);
  expect((await book('payments')).faults).toContainEqual({
    id: paymentId,
    fault: expect.stringMatching(/succeeded: 2500 captured, 2500 bought, 2500 refunded, 0 owed, with subscription /),
  });
});

test('reports a subscription without a successful payment', async () => {
  const { paymentId } = await sold();
  await corrupt(
    sql`update payments set status = 'canceled', succeeded_at = null, captured_minor = 0, bought_minor = 0 where id = ${paymentId}`,
  );
  expect((await book('payments')).faults).toContainEqual({
    id: paymentId,
    fault: expect.stringContaining('the payment is canceled: 0 captured'),
  });
});

test('reports a subscription of another user than the payer', async () => {
  const { paymentId } = await sold();
  await corrupt(sql`update payments set user_id = ${(await given.user())._id} where id = ${paymentId}`);
  expect((await book('payments')).faults).toContainEqual({ id: paymentId, fault: expect.stringContaining('of another user') });
});

test('reports slots that are overused or miscounted', async () => {
  await sql`alter table subscriptions drop constraint subscriptions_slots`.execute(db);
  const [first, second] = [await sold(), await sold()];
  await corrupt(sql`update subscriptions set slots = 0 where id = ${first.subscriptionId}`);
  await corrupt(sql`update subscriptions set slots_used = 0 where id = ${second.subscriptionId}`);
  expect((await book('slots')).faults).toEqual(
    expect.arrayContaining([
      { id: first.subscriptionId, fault: 'the subscription has 0 slots, says that 1 are used, and covers 1 listings' },
      { id: second.subscriptionId, fault: 'the subscription has 5 slots, says that 0 are used, and covers 1 listings' },
    ]),
  );
});

test('reports a listing that ranks higher or runs longer than its subscription', async () => {
  const [first, second] = [await sold(), await sold()];
  await corrupt(sql`update listings set plan_rank = 3 where id = ${first.listingId}`);
  await corrupt(sql`update listings set subscription_ends_at = subscription_ends_at + interval '1 day' where id = ${second.listingId}`);
  const { faults } = await book('listings');
  expect(faults.map(({ id }) => id).toSorted()).toEqual([first.listingId, second.listingId].toSorted());
  expect(faults).toContainEqual({ id: first.listingId, fault: expect.stringContaining('the listing has rank 3') });
});

test('reports a receipt that is missing, without a purchase, or with other amounts than the payment', async () => {
  const [missing, forNothing, wrongTotal, wrongTax] = [await sold(), await sold(), await sold(), await sold()];
  await corrupt(sql`delete from receipts where payment_id = ${missing.paymentId}`);
  await corrupt(sql`update receipts set details = details || '{"totalMinor": 2400}' where payment_id = ${wrongTotal.paymentId}`);
  await corrupt(sql`update receipts set details = details || '{"gstMinor": 325}' where payment_id = ${wrongTax.paymentId}`);
  await corrupt(
    sql`update payments set status = 'canceled', succeeded_at = null, captured_minor = 0, bought_minor = 0 where id = ${forNothing.paymentId}`,
  );
  const { faults } = await book('receipts');
  expect(faults).toContainEqual({
    id: forNothing.paymentId,
    fault: expect.stringMatching(/^receipt .* is for a payment that bought nothing$/),
  });
  expect(faults).toContainEqual({ id: missing.paymentId, fault: 'the payment has no receipt' });
  expect(faults).toContainEqual({
    id: wrongTotal.paymentId,
    fault: expect.stringContaining('says 2400 NZD with 326 GST, the payment 2500 NZD'),
  });
  expect(faults).toContainEqual({ id: wrongTax.paymentId, fault: expect.stringContaining('with 325 GST') });
});

test('reports a receipt that is in the name of somebody else than the payer', async () => {
  const { paymentId } = await sold();
  await corrupt(sql`update receipts set user_id = ${(await given.user())._id} where payment_id = ${paymentId}`);
  expect((await book('receipts')).faults.map(({ id }) => id)).toContain(paymentId);
});

test('of many errors all are counted, and twenty are read', async () => {
  const { wrong: before } = await book('slots');
  await corrupt(sql`insert into subscriptions (user_id, plan_id, starts_at, ends_at, country, source, slots, slots_used)
    select uuidv7(), plans.id, now(), now() + interval '30 days', 'NZ', 'grant', 5, 3 from generate_series(1, 21),
      (select id from plans limit 1) as plans`);
  const { wrong, faults } = await book('slots');
  expect([wrong, faults.length]).toEqual([before + 21, 20]);
});

test('reports a payment unchecked for a day, and a refund that does not arrive', async () => {
  const user = await given.user();
  await as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
  const rows = await corrupt(
    sql<{ id: string }>`update payments set created_at = now() - interval '26 hours' where user_id = ${user._id} returning id`,
  );
  expect((await book('open payments')).faults.map(({ id }) => id)).toEqual([rows[0]?.id]);
  const { paymentId } = await sold();
  const [unsent, atBank] = await corrupt(
    sql<{ id: string }>`insert into refunds (payment_id, amount_minor, source, reason, provider_id, created_at) values
      (${paymentId}, 1, 'nothing_to_buy', 'Late.', null, now() - interval '25 hours'),
      (${paymentId}, 1, 'nothing_to_buy', 'Late.', 're_old', now() - interval '31 days'),
      (${paymentId}, 1, 'nothing_to_buy', 'Late.', null, now() - interval '23 hours'),
      (${paymentId}, 1, 'nothing_to_buy', 'Late.', 're_new', now() - interval '29 days') returning id`,
  );
  const owing = await sold();
  await corrupt(sql`update payments set owed_minor = 500 where id = ${owing.paymentId}`);
  const { faults } = await book('refunds');
  expect(new Map(faults.map(({ id, fault }) => [id, fault]))).toEqual(
    new Map([
      [unsent?.id, expect.stringContaining('was not sent since')],
      [atBank?.id, expect.stringContaining('waits for the bank since')],
      [owing.paymentId, 'of the payment 500 NZD are owed to its payer: a refund failed'],
    ]),
  );
});

test('reports an adjustment note that is missing, too high or with wrong GST, and a gap in the numbers', async () => {
  const [fine, missing, tooMuch, wrongTax] = [await sold(), await sold(), await sold(), await sold()];
  const goBack = async (paymentId: string, noted: number | null, gst = 130) => {
    await corrupt(sql`with back as (
        insert into refunds (payment_id, amount_minor, source, reason, provider_id, status, refunded_at)
        values (${paymentId}, 1000, 'provider', 'So.', ${`re_${paymentId}`}, 'succeeded', now()) returning id)
      insert into adjustment_notes (number, user_id, receipt_id, refund_id, details)
      select (select count(*) + 1 from adjustment_notes), receipts.user_id, receipts.id, back.id,
        jsonb_build_object('totalMinor', ${noted}::int, 'gstMinor', ${gst}::int) from back, receipts where payment_id = ${paymentId} and ${noted}::int is not null`);
    await corrupt(sql`update payments set bought_minor = bought_minor - 1000 where id = ${paymentId}`);
  };
  await goBack(fine.paymentId, 1000);
  await goBack(missing.paymentId, null);
  await goBack(tooMuch.paymentId, 1001, 131);
  await goBack(wrongTax.paymentId, 1000, 129);
  await corrupt(sql`update adjustment_numbers set last = (select count(*) from adjustment_notes)`);
  const named = async () => (await book('adjustment notes')).faults.map(({ id }) => id).toSorted();
  expect(await named()).toEqual([missing.paymentId, tooMuch.paymentId, wrongTax.paymentId].toSorted());
  await corrupt(sql`update adjustment_notes set number = number + 1 where number = (select max(number) from adjustment_notes)`);
  expect((await book('adjustment notes')).faults.map(({ fault }) => fault)).toContainEqual('3 notes, but the last number is 3');
});

test('counts all errors and shows the first', () => {
  const faults = Array.from({ length: 20 }, (_, index) => ({ id: `id-${index}`, fault: 'the payment has no receipt' }));
  const lines = formatAudit([
    { name: 'payments', counts: '', wrong: 0, faults: [] },
    { name: 'receipts', counts: '', wrong: 1234, faults },
  ]);
  expect(lines.slice(0, 3)).toEqual(['The ledger does not balance.', '  receipts: 1234 rows', '    id-0  the payment has no receipt']);
  expect(lines.at(-1)).toBe('    and 1214 more');
});
