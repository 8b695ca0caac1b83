import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { webhookSender } from '@handwise/sandbox/testing/provider';
import { auditAtProvider } from '../../composition/audit.ts';

const { app, db, given, callers, sandbox, outbox, parts } = await testApp();
const { confirmAtProvider, provider, stripe } = sandbox;
const send = webhookSender({ app, sandbox, parts });
const sendEvent = async (type: string, id: string) => {
  await send(type, { id });
  await outbox.runJobs();
};
const settings = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox', apiBase: stripe.url };

const day = 86_400_000;
const around = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
const audit = (period = around) => auditAtProvider(db, settings, period);
const faults = async (period = around) => {
  const found = (await audit(period)).flatMap((report) => report.faults.map(({ id, fault }) => [id, fault] as const));
  // Each difference is reported once.
  expect(found).toHaveLength(new Map(found).size);
  return new Map(found);
};

async function paid() {
  const payer = await given.user();
  const intentId = await given.payment(payer);
  await callers.confirm(payer, intentId);
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  return { id, intentId };
}
/** Past the guards of the database. */
const corrupt = (statement: ReturnType<typeof sql>) =>
  db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await statement.execute(tx);
  });

test('counts matching items and reports nothing', async () => {
  const sale = await paid();
  await provider.refunds.create({ payment_intent: sale.intentId, amount: 500 });
  const dispute = stripe.control.openDispute(sale.intentId, { amount: 200 });
  stripe.control.warn((await paid()).intentId);
  for (const one of (await provider.refunds.list({ payment_intent: sale.intentId })).data) await sendEvent('refund.created', one.id);
  await sendEvent('charge.dispute.created', dispute.id);
  for (const one of (await provider.radar.earlyFraudWarnings.list()).data) await sendEvent('radar.early_fraud_warning.created', one.id);
  // Another product with the same provider.
  const other = await provider.paymentIntents.create({ amount: 9900, currency: 'nzd' });
  await confirmAtProvider(other.client_secret ?? '');
  await provider.refunds.create({ payment_intent: other.id });
  expect((await audit()).map(({ name, counts, wrong }) => [name, counts, wrong])).toEqual([
    ['keys of the payment provider', 'those of acct_sandbox (test)', 0],
    ['payments at the provider', '3 intents, 2 of them ours', 0],
    ['refunds at the provider', '2 refunds, 1 of them in the ledger', 0],
    ['disputes at the provider', '1 disputes, 1 in the ledger', 0],
    ['warnings at the provider', '1 warnings, 1 in the ledger', 0],
  ]);
});

test('reports an intent with our metadata that no payment knows', async () => {
  const metadata = { paymentId: '019c0000-0000-7000-8000-000000000001' };
  const intent = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  await confirmAtProvider(intent.client_secret ?? '');
  expect((await faults()).get(intent.id)).toBe(
    `the ledger lacks this intent of payment ${metadata.paymentId}: it is succeeded, with 1500 nzd received`,
  );
});

test('reports a payment that differs in status or amount', async () => {
  const [unbooked, unpaid, less] = [await given.payment(await given.user()), await paid(), await paid()];
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', unbooked).executeTakeFirstOrThrow();
  const open = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd' });
  await corrupt(sql`update payments set intent_id = ${open.id} where id = ${unpaid.id}`);
  await corrupt(sql`update payments set captured_minor = 1400 where id = ${less.id}`);
  const missing = await paid();
  await corrupt(sql`update payments set intent_id = 'pi_nobodys' where id = ${missing.id}`);
  const found = await faults();
  expect(found.get(id)).toBe(`the payment is open, its intent ${unbooked} is succeeded`);
  expect(found.get(unpaid.id)).toBe(`the payment is succeeded, its intent ${open.id} is requires_payment_method`);
  expect(found.get(less.id)).toBe(`the payment says 1400 NZD, its intent ${less.intentId} 1500 NZD`);
  expect(found.get(missing.id)).toBe('the provider has no intent pi_nobodys');
});

test('reports refunds, disputes and warnings that are unknown or differ', async () => {
  const [unsynced, other, failed, missing] = [await paid(), await paid(), await paid(), await paid()];
  const made = await provider.refunds.create({ payment_intent: unsynced.intentId, amount: 300 });
  const known = await provider.refunds.create({ payment_intent: other.intentId, amount: 300 });
  await sendEvent('refund.created', known.id);
  await corrupt(sql`update refunds set amount_minor = 200 where provider_id = ${known.id}`);
  const lapsed = await provider.refunds.create({ payment_intent: failed.intentId });
  stripe.control.moveRefund(lapsed.id, 'failed');
  const lost = await provider.refunds.create({ payment_intent: missing.intentId, amount: 100 });
  await sendEvent('refund.created', lost.id);
  await corrupt(sql`update refunds set provider_id = 're_nobodys' where provider_id = ${lost.id}`);
  const later = await paid();
  const bounced = await provider.refunds.create({ payment_intent: later.intentId, amount: 300 });
  await sendEvent('refund.created', bounced.id);
  stripe.control.moveRefund(bounced.id, 'failed');
  const [disputed, warned, changed, smaller] = [await paid(), await paid(), await paid(), await paid()];
  const dispute = stripe.control.openDispute(disputed.intentId);
  const warning = stripe.control.warn(warned.intentId);
  const moved = stripe.control.openDispute(changed.intentId);
  await sendEvent('charge.dispute.created', moved.id);
  stripe.control.endDispute(moved.id, 'won');
  const reduced = stripe.control.openDispute(smaller.intentId);
  await sendEvent('charge.dispute.created', reduced.id);
  await corrupt(sql`update disputes set amount_minor = 1400 where provider_id = ${reduced.id}`);
  await corrupt(
    sql`insert into disputes (provider_id, payment_id, amount_minor, reason, status, opened_at, changed_at) values ('dp_nobodys', ${smaller.id}, 100, 'fraudulent', 'won', now(), now())`,
  );
  const found = await faults();
  const rowOf = async (table: 'refunds' | 'disputes', providerId: string) =>
    (await db.selectFrom(table).select('id').where('provider_id', '=', providerId).executeTakeFirstOrThrow()).id;
  expect(found.get(unsynced.id)).toBe(`the ledger lacks refund ${made.id} of 300, which is succeeded`);
  expect(found.get(await rowOf('refunds', known.id))).toBe(
    `the ledger says succeeded 200, the provider’s refund ${known.id} succeeded 300`,
  );
  // Of a refund that failed nothing went back.
  expect(found.get(failed.id)).toBeUndefined();
  expect(found.get(await rowOf('refunds', bounced.id))).toBe(
    `the ledger says succeeded 300, the provider’s refund ${bounced.id} failed 300`,
  );
  expect(found.get(await rowOf('refunds', 're_nobodys'))).toBe('the provider has no refund re_nobodys');
  expect(found.get(disputed.id)).toBe(`the ledger lacks dispute ${dispute.id} of 1500, which is needs_response`);
  expect(found.get(warned.id)).toBe(`the ledger lacks fraud warning ${warning.id}`);
  expect(found.get(await rowOf('disputes', moved.id))).toBe(
    `the ledger says needs_response 1500, the provider’s dispute ${moved.id} won 1500`,
  );
  expect(found.get(await rowOf('disputes', reduced.id))).toBe(
    `the ledger says needs_response 1400, the provider’s dispute ${reduced.id} needs_response 1500`,
  );
  expect(found.get(await rowOf('disputes', 'dp_nobodys'))).toBe('the provider does not list dispute dp_nobodys');
});

test('fails when the provider cannot be asked about a payment that it does not list', async () => {
  const missing = await paid();
  await corrupt(sql`update payments set intent_id = 'pi_unlisted' where id = ${missing.id}`);
  stripe.faults.add({ does: 'fail', method: 'GET', path: '/v1/payment_intents/pi_unlisted', times: 3 });
  await expect(audit()).rejects.toMatchObject({ code: 'payment_provider_unavailable' });
  stripe.faults.clear();
  expect((await faults()).get(missing.id)).toBe('the provider has no intent pi_unlisted');
});

test('audits the period only', async () => {
  const longAgo = { from: new Date(Date.now() - 10 * day), to: new Date(Date.now() - 9 * day) };
  expect((await faults()).size).toBeGreaterThan(0);
  expect((await audit(longAgo)).map(({ counts, wrong }) => [counts, wrong])).toEqual([
    ['those of acct_sandbox (test)', 0],
    ['0 intents, 0 of them ours', 0],
    ['0 refunds, 0 of them in the ledger', 0],
    ['0 disputes, 0 in the ledger', 0],
    ['0 warnings, 0 in the ledger', 0],
  ]);
});

test('reports rows of another account or mode as not visible, never as missing', async () => {
  const [sale, disputed, real] = [await paid(), await paid(), await paid()];
  const refund = await provider.refunds.create({ payment_intent: sale.intentId, amount: 300 });
  await sendEvent('refund.created', refund.id);
  await sendEvent('charge.dispute.created', stripe.control.openDispute(disputed.intentId).id);
  await corrupt(sql`update payments set livemode = true, account = null where id = ${real.id}`);
  const countOf = async (of: RawBuilder<{ rows: number }>) => (await of.execute(db)).rows[0]?.rows;
  const payments = await countOf(sql`select count(*)::int - 1 as rows from payments where status = 'succeeded'`);
  const refunds = await countOf(sql`select count(*)::int as rows from refunds where provider_id is not null`);
  const disputes = await countOf(sql`select count(*)::int as rows from disputes`);
  stripe.keys.add(['sk_test_other', 'rk_test_other'], 'acct_other');
  const [keys, ...reports] = await auditAtProvider(db, { ...settings, secretKey: 'sk_test_other' }, around);
  const blind =
    'were made with the keys of this account and are not compared: the keys in use belong to acct_other (test) and cannot read them. They may be in order.';
  expect(keys).toMatchObject({
    counts: 'those of acct_other (test)',
    wrong: 2,
    faults: [
      {
        id: 'acct_sandbox (test)',
        fault: `${payments} payments, ${refunds} refunds and ${disputes} disputes ${blind} Run the audit with the keys of acct_sandbox (test)`,
      },
      {
        id: 'an account that is not known (live)',
        fault: `1 payments, 0 refunds and 0 disputes ${blind} Run the audit with the keys of an account that is not known (live)`,
      },
    ],
  });
  expect(reports.map(({ wrong }) => wrong)).toEqual([0, 0, 0, 0]);
  // Whose they are restricted ones may not say: then they count as the right ones, and each thing that they do not find says whose it is.
  stripe.keys.restrict('rk_test_other', ({ path }) => path !== '/v1/account');
  const restricted = await auditAtProvider(db, { ...settings, secretKey: 'rk_test_other' }, around);
  expect(restricted.flatMap((report) => report.faults)).toContainEqual({
    id: sale.id,
    fault: `the provider has no intent ${sale.intentId}, which was made with the keys of acct_sandbox: the keys in use may not read which account they belong to`,
  });
  await corrupt(sql`update payments set livemode = false, account = 'acct_sandbox' where id = ${real.id}`);
});

test('ignores intents of another site with the same account', async () => {
  const metadata = { paymentId: '019c0000-0000-7000-8000-000000000002', site: '019c0000-0000-7000-8000-000000000003' };
  const intent = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  await confirmAtProvider(intent.client_secret ?? '');
  expect((await faults()).has(intent.id)).toBe(false);
  const { id: site } = await db.selectFrom('payment_site').select('id').executeTakeFirstOrThrow();
  const ours = await provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata: { ...metadata, site } });
  expect((await faults()).has(ours.id)).toBe(true);
});
