import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase } from '@handwise/server/kit/database';
import { TimeBudget } from './search.time-budget.ts';

const { url } = await testDatabase();
const { db, pool, close } = openDatabase({ url, connections: 1, onIdleError: () => {}, timeouts: { connectMs: 60_000 } });
afterAll(close);

const query = (statement = sql`select 1`) => statement.execute(db);
await query();

function blockEventLoop(ms: number) {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('the time that statements take together is limited', async () => {
  const budget = new TimeBudget(300);
  await budget.run(() => query());
  await expect(budget.run(() => query(sql`select pg_sleep(2)`))).rejects.toMatchObject({ code: 'search_timed_out', retryAfterSeconds: 2 });
  await expect(budget.run(() => query())).rejects.toMatchObject({ code: 'search_timed_out' });
});

test('does not count the wait for a connection', async () => {
  const client = await pool.connect();
  const budget = new TimeBudget(100);
  const answer = budget.run(() => query());
  await pause(500);
  expect(pool.waitingCount).toBe(1);
  client.release();
  expect((await answer).rows).toHaveLength(1);
});

test('does not count the time that the event loop is blocked', async () => {
  const budget = new TimeBudget(100);
  const answer = budget.run(() => query(sql`select pg_sleep(0.2)`));
  await pause(5);
  blockEventLoop(500);
  expect((await answer).rows).toHaveLength(1);
  await budget.run(() => query());
});

test('a statement that the connection’s own limit ends has timed out; other errors stay as they are', async () => {
  await query(sql`set statement_timeout = 50`);
  const budget = new TimeBudget(60_000);
  await expect(budget.run(() => query(sql`select pg_sleep(60)`))).rejects.toMatchObject({ code: 'search_timed_out' });
  await expect(budget.run(() => query(sql`select 1 / 0`))).rejects.toMatchObject({ code: '22012' });
});
