import { emptyDatabase } from '@handwise/sandbox/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditBooks } from '../../../audit.ts';
import { openDatabase } from '../../../kit/database/database.ts';
import { migrate, readMigrations } from '../../../kit/database/migrations.ts';
import { prepareDatabase } from '../../../prepare-database.ts';

// A database as it was when a payment had one subscription or one refund, brought to what a payment's books are now.

const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
const database = openDatabase({ url, connections: 2, onIdleError: () => {} });
const id = (number: number) => `019c0000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const user = id(1);

type Old = { name: string; payment: string; refund?: { status: string; provider: string | null } };
/** Each shape that money had. */
const old: Old[] = [
  { name: 'a plan', payment: 'succeeded' },
  { name: 'a refund that was not sent', payment: 'succeeded', refund: { status: 'pending', provider: null } },
  { name: 'a refund that was sent', payment: 'succeeded', refund: { status: 'succeeded', provider: 're_sent' } },
  { name: 'a refund that failed', payment: 'succeeded', refund: { status: 'failed', provider: 're_failed' } },
  { name: 'open', payment: 'open' },
  { name: 'failed', payment: 'failed' },
  { name: 'given up', payment: 'canceled' },
];
const paymentOf = (name: string) => id(100 + old.findIndex((one) => one.name === name));

beforeAll(async () => {
  await client.connect();
  const migrations = await readMigrations();
  await migrate(
    client,
    migrations.filter(({ name }) => name < '044'),
  );
  await client.query("insert into plans (plan_type, rank, price_minor, slots, photos) values ('basic', 1, 1500, 1, 5)");
  await client.query(
    `insert into users (id, full_name, username, email, password_hash, referral_code) values ($1, 'Mere Kingi', 'mere', 'mere@example.org', '-', 'REF-MER-0001')`,
    [user],
  );
  await client.query('begin');
  for (const [index, { payment, refund }] of old.entries()) {
    const paymentId = id(100 + index);
    await client.query(
      `insert into payments (id, user_id, purpose, plan_id, country, amount_minor, currency, status, intent_id, succeeded_at)
       select $1, $2, 'listing', id, 'NZ', 1500, 'NZD', $3, $4, case when $3 = 'succeeded' then now() end from plans`,
      [paymentId, user, payment, `pi_${index}`],
    );
    if (payment !== 'succeeded') continue;
    if (refund) {
      await client.query(
        `insert into refunds (payment_id, reason, status, provider_id, refunded_at)
         values ($1, 'The account is suspended.', $2, $3, case when $2 = 'succeeded' then now() end)`,
        [paymentId, refund.status, refund.provider],
      );
      continue;
    }
    await client.query(
      `insert into subscriptions (user_id, plan_id, starts_at, ends_at, country, source, payment_id, slots)
       select $2, id, now(), now() + interval '30 days', 'NZ', 'payment', $1, 1 from plans`,
      [paymentId, user],
    );
    await client.query(`insert into receipts (user_id, payment_id, details) values ($1, $2, $3)`, [
      user,
      paymentId,
      JSON.stringify({ totalMinor: 1500, gstMinor: 196, currency: 'NZD', country: 'NZ' }),
    ]);
  }
  await client.query('commit');
  await prepareDatabase(url);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

test('money of old payments is where it was: with the plan, on its way back, back, or owed', async () => {
  const { rows } = await client.query(
    'select id, captured_minor as captured, bought_minor as bought, owed_minor as owed from payments order by id',
  );
  expect(rows).toEqual([
    { id: paymentOf('a plan'), captured: 1500, bought: 1500, owed: 0 },
    { id: paymentOf('a refund that was not sent'), captured: 1500, bought: 0, owed: 0 },
    { id: paymentOf('a refund that was sent'), captured: 1500, bought: 0, owed: 0 },
    { id: paymentOf('a refund that failed'), captured: 1500, bought: 0, owed: 1500 },
    ...['open', 'failed', 'given up'].map((name) => ({ id: paymentOf(name), captured: 0, bought: 0, owed: 0 })),
  ]);
});

test('old refunds have the whole amount and say why they failed, and the provider is asked once more about those that it was told of', async () => {
  const { rows } = await client.query(
    `select payment_id as payment, amount_minor as amount, source, status, failure_reason as failure, check_at is not null as asked from refunds order by payment_id`,
  );
  const known = { amount: 1500, source: 'nothing_to_buy', failure: null };
  expect(rows).toEqual([
    { ...known, payment: paymentOf('a refund that was not sent'), status: 'pending', asked: false },
    { ...known, payment: paymentOf('a refund that was sent'), status: 'succeeded', asked: true },
    { ...known, payment: paymentOf('a refund that failed'), status: 'failed', failure: 'unknown', asked: true },
  ]);
});

test('the books balance, but for what is owed', async () => {
  const reports = await auditBooks(database.db);
  expect(reports.flatMap(({ name, faults }) => faults.map((fault) => [name, fault.id, fault.fault]))).toEqual([
    ['refunds', paymentOf('a refund that failed'), 'of the payment 1500 NZD are owed to its payer: a refund failed'],
  ]);
  expect(reports.find(({ name }) => name === 'payments')?.counts).toBe(
    '6000 captured = 1500 bought + 3000 refunded + 1500 owed, in cents of 4 payments',
  );
});

test('an old payment takes no cent out of the books from then on', async () => {
  const change = (statement: string) => expect(client.query(statement)).rejects.toMatchObject({ code: '23514' });
  await change(`update payments set bought_minor = 1400 where id = '${paymentOf('a plan')}'`);
  await change(`update payments set owed_minor = 0 where id = '${paymentOf('a refund that failed')}'`);
  await change(`delete from refunds where payment_id = '${paymentOf('a refund that was sent')}'`);
  await change(`update subscriptions set returned_at = now() where payment_id = '${paymentOf('a plan')}'`);
});
