import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { plans } from '@handwise/contract/plans/table';
import { fillDemoPayments } from '@handwise/demo/demo-payments';
import { runAudits } from '@handwise/server/composition/audit';
import { readEnv } from '@handwise/server/env';
import { openDatabase } from '@handwise/server/kit/database';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { testDatabase } from './testing/database.ts';
import { startProvider } from './testing/provider.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'handwise-demo-payments-'));
const { settings, sandbox } = await startProvider();
afterAll(async () => {
  await sandbox.stripe.close();
  rmSync(dataDir, { recursive: true, force: true });
});
const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir });

test('pays the demo seller’s plans at the provider, and saves a card that can pay for another', async () => {
  const { url } = await testDatabase();
  await prepareDatabase(url);
  const { db, pool, close } = openDatabase({ url, connections: 2, onIdleError: () => {} });
  afterAll(() => close());
  const [seller] = (
    await pool.query(`
      insert into users (full_name, username, email, password_hash, referral_code, email_confirmed_at)
      values ('Mere Paki', 'demo_seller', 'seller@example.com', 'x', 'REF-DEM-1002', now()) returning id`)
  ).rows;
  await pool.query(
    `insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
     select $1, id, 'NZ', 'grant', slots, date, date + interval '30 days' from plans, unnest($2::timestamptz[]) as date where plan_type = 'premium'`,
    [seller.id, ['2026-09-01T00:00:00Z', '2026-11-01T00:00:00Z']],
  );
  const fill = () =>
    fillDemoPayments(env, url, settings, (secret, name, isSaved) =>
      sandbox.confirmAtProvider(secret, '4242424242424242', {
        'payment_method_data[billing_details][name]': name,
        ...(isSaved && { setup_future_usage: 'off_session' }),
      }),
    );
  await fill();
  const receipts = await db.selectFrom('receipts').select(['issued_at', 'details']).orderBy('number').execute();
  expect(receipts.map(({ issued_at, details }) => ({ issued_at: issued_at.toISOString(), details }))).toEqual([
    {
      issued_at: '2026-09-01T00:00:00.000Z',
      details: expect.objectContaining({
        totalMinor: plans.premium.priceMinor,
        currency: 'NZD',
        periodStartsAt: '2026-09-01T00:00:00.000Z',
      }),
    },
    { issued_at: '2026-11-01T00:00:00.000Z', details: expect.objectContaining({ periodEndsAt: '2026-12-01T00:00:00.000Z' }) },
  ]);
  const paid = await db.selectFrom('payments').select(['status', 'amount_minor', 'created_at', 'succeeded_at']).execute();
  expect(paid).toHaveLength(2);
  for (const one of paid) expect(one).toMatchObject({ status: 'succeeded', created_at: one.succeeded_at });
  expect((await runAudits(db)).filter(({ wrong }) => wrong > 0)).toEqual([]);

  const cards = await db.selectFrom('cards').select(['full_name', 'last4', 'payment_method_id']).execute();
  expect(cards).toMatchObject([{ full_name: 'Mere Paki', last4: '4242' }]);
  const { customer_id: customer } = await db.selectFrom('payment_customers').select('customer_id').executeTakeFirstOrThrow();
  const next = await sandbox.provider.paymentIntents.create({
    amount: plans.premium.priceMinor,
    currency: 'nzd',
    customer,
    payment_method: cards[0]?.payment_method_id ?? '',
    confirm: true,
    allowed_payment_method_types: ['card'],
  });
  expect(next.status).toBe('succeeded');

  const listRenewals = () =>
    db
      .selectFrom('renewals')
      .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
      .select(['renewals.status', 'amount_minor', 'charge_at', 'ends_at'])
      .execute();
  const renewal = {
    status: 'on',
    amount_minor: plans.premium.priceMinor,
    charge_at: new Date('2026-11-28'),
    ends_at: new Date('2026-12-01'),
  };
  expect(await listRenewals()).toEqual([renewal]);

  // What the seller changes afterwards stays at the next start.
  await db.updateTable('renewals').set({ status: 'off', charge_at: null }).execute();
  await fill();
  expect(await db.selectFrom('receipts').select('id').execute()).toHaveLength(2);
  expect(await listRenewals()).toEqual([{ ...renewal, status: 'off', charge_at: null }]);
});
