import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { fillDemoDraws } from '@handwise/demo/demo-draws';
import { verifyDraw } from '@handwise/proof/verify';
import { readProof } from '@handwise/server/domains/draws/draws.service';
import { streamLogText, getPeriodByMonth } from '@handwise/server/domains/tickets/tickets.service';
import { readEnv } from '@handwise/server/env';
import { openDatabase } from '@handwise/server/kit/database';
import { testDatabase } from './testing/database.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'handwise-demo-draws-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir });
const now = new Date('2026-11-22T05:00:00Z');

/** A database with the people of a demo, and no draws. */
async function demoPeople() {
  const { url } = await testDatabase();
  const database = openDatabase({ url, connections: 2, onIdleError: () => {} });
  afterAll(() => database.close());
  await database.pool.query(`
    insert into users (id, full_name, username, email, password_hash, referral_code, role, created_at, email_confirmed_at)
    select ('00000000-0000-4000-8000-0000000000' || lpad(n::text, 2, '0'))::uuid, 'Mere Kingi', 'person_' || n,
      case n when 1 then 'admin@example.com' when 2 then 'buyer@example.com' else 'person' || n || '@example.com' end, 'x', 'REF-PER-' || (1000 + n),
      case n when 1 then 'admin' else 'user' end, '2026-01-01', '2026-01-01'
    from generate_series(1, 20) as n`);
  return { ...database, url };
}

test('the demo has last month’s verifiable draw with a paid winner and this month’s open one, identical on every machine', async () => {
  const [one, other] = [await demoPeople(), await demoPeople()];
  for (const { url } of [one, other]) await fillDemoDraws(env, url, now);
  const [proof, same] = await Promise.all([one, other].map(async ({ db }) => text(await readProof(db, '2026-10'))));
  expect(same).toBe(proof);
  const log = await text(Readable.from(streamLogText(one.db, await getPeriodByMonth(one.db, '2026-10'))));
  const verdict = verifyDraw({ proof: proof ?? '', log });
  expect(verdict.steps.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(verdict).toMatchObject({ isValid: true, isDrawn: true, chain: 'sandbox', winner: { entryId: expect.any(String) } });
  const draws = await one.db.selectFrom('draws').select(['prize', 'total_participants']).execute();
  expect(draws).toEqual([{ prize: 'paid', total_participants: 19 }]);
  expect((await getPeriodByMonth(one.db, '2026-11')).closedAt).toBeNull();
  const buyers = await one.pool.query(
    `select count(distinct period_id)::int as months from draw_entries join users on users.id = user_id where email = 'buyer@example.com'`,
  );
  expect(buyers.rows).toEqual([{ months: 2 }]);
  expect((await one.pool.query("select to_regclass('pgboss.job') as jobs")).rows).toEqual([{ jobs: 'pgboss.job' }]);
  expect((await one.pool.query("select name from pgboss.job where name = 'mail.send-email'")).rows).toEqual([]);
});

test('resumes a killed start, and changes nothing in a filled database', async () => {
  const { db, pool, url } = await demoPeople();
  await pool.query('create rule stop as on insert to prize_claims do instead select 1 / 0');
  await expect(fillDemoDraws(env, url, now)).rejects.toThrow('division by zero');
  await pool.query('drop rule stop on prize_claims');
  await fillDemoDraws(env, url, now);
  const counts = () =>
    pool.query(
      'select (select count(*) from draw_entries) as entries, (select count(*) from audit_log) as audited, (select count(*) from prize_claims) as claims',
    );
  const { rows } = await counts();
  expect(rows).toMatchObject([{ claims: '1' }]);
  await fillDemoDraws(env, url, new Date('2027-03-05T00:00:00Z'));
  expect((await counts()).rows).toEqual(rows);
  expect(await db.selectFrom('draws').select('prize').execute()).toEqual([{ prize: 'paid' }]);
});

test('creates nothing without the demo administrator', async () => {
  const { pool, url } = await demoPeople();
  await pool.query(`update users set email = 'somebody@example.com' where email = 'admin@example.com'`);
  await fillDemoDraws(env, url, now);
  expect((await pool.query('select from draw_periods')).rows).toEqual([]);
});
