import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';
import { type OpenClient, endConnection, type ConnectionTimeouts } from './connections.ts';
import { type Database, isUnavailable, openDatabase } from './database.ts';

const { url } = await testDatabase();
const proxy = await startFreezingProxy(url);
const direct = openDatabase({ url, connections: 4, onIdleError: () => {} });
const opened: Database[] = [];
afterAll(async () => {
  await proxy.close();
  for (const database of opened) await database.close();
  await direct.close();
});

/** A database behind a simulated network. It answers at once, so short timeouts suffice. */
function openBehind(timeouts: Partial<ConnectionTimeouts> = {}, connections = 4) {
  const database = openDatabase({
    url: proxy.url,
    connections,
    onIdleError: () => {},
    timeouts: { connectMs: 30_000, quietMs: 200, silentMs: 600, ...timeouts },
  });
  opened.push(database);
  return database;
}
const query = async ({ db }: Pick<Database, 'db'>) => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows[0]?.one;
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
/** Runs this many statements at once, which leaves as many idle connections. */
const openMany = (database: Database, count: number) =>
  Promise.all(Array.from({ length: count }, () => sql`select pg_sleep(0.05)`.execute(database.db)));

test('fails one request for a group of frozen connections, and answers all later ones', async () => {
  const database = openBehind();
  await openMany(database, 4);
  expect(database.pool.idleCount).toBe(4);
  proxy.freeze();
  const first = await failureOf(query(database));
  expect([isUnavailable(first), (first as Error).message]).toEqual([true, 'the database did not answer on this connection']);
  for (let turn = 0; turn < 4; turn += 1) expect(await query(database)).toBe(1);
});

test('answers on a new connection while open ones are frozen', async () => {
  const database = openBehind({ quietMs: 60_000 });
  await openMany(database, 2);
  proxy.freeze();
  const frozen = [failureOf(query(database)), failureOf(query(database))];
  expect(await query(database)).toBe(1);
  database.closeSilent();
  for (const failure of await Promise.all(frozen)) expect(isUnavailable(failure)).toBe(true);
});

test('releases the locks of a frozen transaction when its connection is closed', async () => {
  const database = openBehind();
  const held = Promise.withResolvers<void>();
  const frozen = failureOf(
    database.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(48)`.execute(tx);
      held.resolve();
      await goOn.promise;
      await sql`select 1`.execute(tx);
    }),
  );
  const goOn = Promise.withResolvers<void>();
  await held.promise;
  proxy.freeze();
  goOn.resolve();
  expect(isUnavailable(await frozen)).toBe(true);
  const isFree = async () => (await sql<{ free: boolean }>`select pg_try_advisory_lock(48) as free`.execute(direct.db)).rows[0]?.free;
  await expect.poll(isFree).toBe(true);
});

test('keeps a connection with a long statement', async () => {
  const database = openBehind({ quietMs: 60, silentMs: 60 });
  const { rows } = await sql<{ done: string }>`select 'done' as done from pg_sleep(1.5)`.execute(database.db);
  expect(rows).toEqual([{ done: 'done' }]);
});

test('keeps a connection that waits for a lock', async () => {
  const database = openBehind({ quietMs: 60, silentMs: 60 });
  const waiting = await direct.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(49)`.execute(tx);
    const started = sql`select pg_advisory_xact_lock(49)`.execute(database.db);
    const isWaiting = async () =>
      (await sql`select from pg_locks where locktype = 'advisory' and objid = 49 and not granted`.execute(direct.db)).rows.length;
    await expect.poll(isWaiting).toBe(1);
    await pause(600);
    return { started };
  });
  await waiting.started;
});

test('fails statements as unavailable while the network is down, and answers again afterwards', async () => {
  const database = openBehind({ connectMs: 1_000 });
  expect(await query(database)).toBe(1);
  proxy.freeze('all');
  for (let turn = 0; turn < 2; turn += 1) expect(isUnavailable(await failureOf(query(database)))).toBe(true);
  proxy.unfreezeNew();
  await expect.poll(() => query(database).catch(() => 0)).toBe(1);
});

test('waits for a connection in use no longer than the timeout, and not at all until one is released', async () => {
  const database = openBehind({ waitMs: 1_000, quietMs: 60_000 }, 1);
  const held = await database.pool.connect();
  const exhausted = [true, 'every connection to the database is in use'];
  const describe = (failure: unknown) => [isUnavailable(failure), (failure as Error).message];
  expect(describe(await failureOf(query(database)))).toEqual(exhausted);
  const isLate = pause(900, 'late', { ref: false });
  for (let turn = 0; turn < 3; turn += 1) expect(describe(await Promise.race([failureOf(query(database)), isLate]))).toEqual(exhausted);
  held.release();
  expect(await query(database)).toBe(1);
  // The callers that gave up have returned their connections.
  expect([database.pool.idleCount, database.pool.waitingCount]).toEqual([1, 0]);
});

test('a locked table fails a single statement after the timeout, and a transaction waits longer', async () => {
  const database = openBehind({ lockMs: 50, transactionLockMs: 60_000 });
  await sql`create table locked_up (id int)`.execute(direct.db);
  const read = sql`select from locked_up`;
  const waiting = await direct.db.transaction().execute(async (tx) => {
    await sql`lock table locked_up in access exclusive mode`.execute(tx);
    const failure = await failureOf(read.execute(database.db));
    expect([isUnavailable(failure), (failure as Error).message]).toEqual([true, 'canceling statement due to lock timeout']);
    const started = database.db.transaction().execute((own) => read.execute(own));
    const isWaiting = async () =>
      (await sql`select from pg_locks where relation = 'locked_up'::regclass and not granted`.execute(direct.db)).rows.length;
    await expect.poll(isWaiting).toBe(1);
    await pause(200);
    return { started };
  });
  expect((await waiting.started).rows).toEqual([]);
});

test('cancels statements after their timeout, and idle transactions', async () => {
  const database = openBehind({ statementMs: 50, idleInTransactionMs: 50, quietMs: 60_000 });
  const long = await failureOf(sql`select pg_sleep(60)`.execute(database.db));
  expect([isUnavailable(long), (long as Error).message]).toEqual([true, 'canceling statement due to statement timeout']);
  const ended = Promise.withResolvers<void>();
  const idle = database.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    const backend = async () => (await sql`select from pg_stat_activity where pid = ${rows[0]?.pid}`.execute(direct.db)).rows.length;
    await expect.poll(backend).toBe(0);
    ended.resolve();
    await sql`select 1`.execute(tx);
  });
  await ended.promise;
  expect(isUnavailable(await failureOf(idle))).toBe(true);
});

test.skipIf(process.platform !== 'linux')('idle connections use TCP keep-alive', async () => {
  const database = openBehind();
  const client = await database.pool.connect();
  const { localPort } = (client as unknown as OpenClient).connection.stream;
  client.release();
  const port = localPort?.toString(16).toUpperCase().padStart(4, '0');
  const line = () =>
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .find((one) => one.includes(`0100007F:${port} 0100007F`) && !one.includes(` 0100007F:${port} 06`));
  // The running timer is that of keep-alive.
  await expect.poll(() => line()?.trim().split(/\s+/)[5]?.slice(0, 2)).toBe('02');
});

test('ends a connection whose other side does not respond', async () => {
  const client = new pg.Client({ connectionString: proxy.url });
  await client.connect();
  proxy.freeze();
  await endConnection(client);
  expect((client as unknown as OpenClient).connection.stream.destroyed).toBe(true);
});
