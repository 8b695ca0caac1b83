import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { startProvider } from '@handwise/sandbox/testing/provider';

const { url } = await testDatabase();
const script = fileURLToPath(new URL('audit.ts', import.meta.url));

const audit = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: number; output: string }>((done) => {
    execFile(process.execPath, [script, ...args], { env: { ...process.env, ...environment } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });

test('exits with 0 if the ledger balances, else with 1 and the rows', async () => {
  expect(await audit({ DATABASE_URL: url })).toEqual({ code: 0, output: expect.stringMatching(/^The ledger balances\.\n/) });

  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set session_replication_role = replica`);
  const { rows } = await client.query(
    `insert into subscriptions (user_id, plan_id, starts_at, ends_at, country, source, slots, slots_used)
     select uuidv7(), id, now(), now() + interval '30 days', 'NZ', 'grant', 5, 3 from plans limit 1 returning id`,
  );
  const { code, output } = await audit({ DATABASE_URL: url });
  expect(code).toBe(1);
  expect(output).toContain('The ledger does not balance.\n  slots: 1 row\n');
  expect(output).toContain(rows[0].id);
  // The other tests need a ledger that balances, or each exit code would be this one's.
  await client.query('delete from subscriptions where id = $1', [rows[0].id]);
  await client.end();
});

test('with a stored head, also checks that the audit log still contains it', async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`update plans set price_minor = price_minor + 1 where plan_type = 'basic'`);
  const { rows } = await client.query<{ number: string; hash: string }>(
    `select number, encode(hash, 'hex') as hash from audit_log order by number desc limit 1`,
  );
  await client.end();
  const { number, hash } = rows[0] ?? { number: '', hash: '' };
  const same = await audit({ DATABASE_URL: url }, '--head', `${number}:${hash.toUpperCase()}`);
  expect([same.code, same.output]).toEqual([0, expect.stringContaining(`The audit log still has entry ${number} with this hash.`)]);
  const other = await audit({ DATABASE_URL: url }, '--head', `${number}:${'0'.repeat(64)}`);
  expect([other.code, other.output]).toEqual([1, expect.stringContaining(`The audit log does not have entry ${number} with this hash.`)]);
  const unclear = await audit({ DATABASE_URL: url }, '--head', hash);
  expect([unclear.code, unclear.output]).toEqual([1, expect.stringContaining('--head takes <number>:<hash>')]);
});

test('with a period, also compares the ledger with the provider and lists differences', async () => {
  const { sandbox } = await startProvider();
  onTestFinished(async () => void (await sandbox.closeProvider()));
  const environment = { DATABASE_URL: url, STAND_INS: JSON.stringify({ stripe: sandbox.stripe.url }) };
  const period = ['--from', '2026-01-01', '--to', '2099-12-31'];
  expect(await audit(environment, '--provider', ...period)).toEqual({ code: 0, output: expect.stringContaining('at the provider: ') });
  const metadata = { paymentId: '019c0000-0000-7000-8000-000000000001' };
  const intent = await sandbox.provider.paymentIntents.create({ amount: 1500, currency: 'nzd', metadata });
  const found = await audit(environment, '--provider', ...period);
  expect([found.code, found.output]).toEqual([1, expect.stringContaining(`payments at the provider: 1 row\n    ${intent.id}`)]);
  const earlier = await audit(environment, '--provider', '--from', '2020-01-01', '--to', '2020-01-31');
  expect([earlier.code, earlier.output]).toEqual([0, expect.not.stringContaining(intent.id)]);
});

test.each([
  [['--provider', '--from', 'yesterday'], '--from takes a day such as 2026-11-22'],
  [['--from', '2026-11-01'], '--from and --to are for --provider'],
  [['--provider'], '--provider needs STRIPE_SECRET_KEY'],
])('rejects %j before reading anything', async (args, message) => {
  const { code, output } = await audit({ DATABASE_URL: url, STRIPE_SECRET_KEY: '', STAND_INS: '' }, ...args);
  expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  expect(output).not.toContain('balance');
});

test('reports a missing database and creates nothing', async () => {
  const { code, output } = await audit({ DATABASE_URL: '', DATA_DIR: '/nowhere/handwise' });
  expect(code).toBe(1);
  expect(output).toContain('The ledger could not be read: there is no database in /nowhere/handwise yet');
});
