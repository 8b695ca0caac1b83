import { randomInt } from 'node:crypto';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';
import { openDatabase } from '../database/database.ts';
import { deleteOldChanges, publishChange } from './changes.ts';
import { Events, type Message } from './events.ts';

declare module './events.ts' {
  interface Channels {
    'test.one': number;
    'test.other': { text: string };
  }
}

const { url } = await testDatabase();
const { db, pool, close } = openDatabase({ url, connections: 12, onIdleError: () => {} });
const started: Events[] = [];
afterAll(async () => {
  for (const events of started) await events.stop();
  await close();
});
beforeEach(async () => {
  await pool.query('delete from changes');
  await pool.query('delete from change_marks');
});

/** A server, with what it has received on `test.one` since it started. */
async function startServer(onError: (error: Error) => void = () => {}) {
  const events = new Events(url, onError);
  const received: Message<'test.one'>[] = [];
  started.push(events);
  events.on('test.one', (message) => void received.push(message));
  await events.start();
  received.length = 0;
  return { events, received };
}

/** Runs this many transactions, each of which publishes its number. */
const publishInManyTransactions = (count: number) =>
  pool.query(`do $$ begin for n in 1..${count} loop perform publish_change('test.one', to_jsonb(n)); commit; end loop; end $$`);

/** A transaction with a number that stays open until the test ends it. */
async function openTransaction() {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return {
    write: (n: number) => client.query(`select publish_change('test.one', $1::text::jsonb)`, [n]),
    async end(how: 'commit' | 'rollback') {
      await client.query(how);
      client.release();
    },
  };
}

test('a published message reaches every server, on its channel only', async () => {
  const servers = [await startServer(), await startServer()];
  const others: unknown[] = [];
  servers[0]?.events.on('test.other', (message) => void others.push(message));
  await db.transaction().execute(async (tx) => {
    await publishChange(tx, 'test.one', 1);
    await publishChange(tx, 'test.other', { text: 'a' });
    await publishChange(tx, 'test.one', 2);
  });
  for (const { received } of servers) await expect.poll(() => received).toEqual([1, 2]);
  await publishChange(db, 'test.one', 3);
  for (const { received } of servers) await expect.poll(() => received).toEqual([1, 2, 3]);
  expect(others).toEqual([{ text: 'a' }]);
});

test('other work runs between the messages of two transactions, but not within one', async () => {
  const { events, received } = await startServer();
  const order: string[] = [];
  events.on('test.one', (message) => {
    order.push(`told ${message}`);
    setImmediate(() => order.push(`others after ${message}`));
    for (const until = performance.now() + 10; performance.now() < until;);
  });
  for (const some of [[1, 2], [3]]) {
    await db.transaction().execute(async (tx) => {
      for (const n of some) await publishChange(tx, 'test.one', n);
    });
  }
  await events.catchUp();
  // Waiting for everything delivers everything.
  expect(received).toEqual([1, 2, 3]);
  expect(order.slice(0, 5)).toEqual(['told 1', 'told 2', 'others after 1', 'others after 2', 'told 3']);
});

test('a server that is stopped gets no more messages of a large read', async () => {
  const { events, received } = await startServer();
  events.on('test.one', () => {
    void events.stop();
    for (const until = performance.now() + 10; performance.now() < until;);
  });
  await publishInManyTransactions(3);
  await events.catchUp();
  expect(received).toEqual([1]);
});

test('a server that loses its connection during a large read does not count as current afterwards', async () => {
  let isLost = false;
  const { events, received } = await startServer(() => (isLost = true));
  // It would break the connections of later tests as well.
  onTestFinished(() => events.stop());
  events.on('test.one', (message) => {
    if (message === 1)
      void pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'handwise events' and datname = current_database()`,
      );
    for (const until = performance.now() + (isLost ? 0 : 10); performance.now() < until;);
  });
  await publishInManyTransactions(300);
  await events.catchUp();
  expect([isLost, received.includes('many'), events.isCurrentWithin(60_000)]).toEqual([true, true, false]);
});

test('a rolled back transaction publishes nothing', async () => {
  const { events, received } = await startServer();
  const transaction = await openTransaction();
  await transaction.write(1);
  await events.catchUp();
  await transaction.end('rollback');
  await publishChange(db, 'test.one', 2);
  await events.catchUp();
  expect(received).toEqual([2]);
});

test('a transaction that commits after younger ones is read too, and no message arrives twice', async () => {
  const { events, received } = await startServer();
  const [oldest, older] = [await openTransaction(), await openTransaction()];
  await oldest.write(1);
  await publishChange(db, 'test.one', 3);
  await events.catchUp();
  expect(received).toEqual([3]);
  // Written last, with the number of an early transaction.
  await older.write(2);
  await publishChange(db, 'test.one', 4);
  await events.catchUp();
  await older.end('commit');
  await events.catchUp();
  await events.catchUp();
  await oldest.end('commit');
  await events.catchUp();
  await events.catchUp();
  expect(received).toEqual([3, 4, 2, 1]);
});

test('each of 400 transactions on 10 connections, committed in any order, is read once', async () => {
  const { events, received } = await startServer();
  const writers = Array.from({ length: 10 }, async (_, writer) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const transaction = await openTransaction();
      await transaction.write(writer * 100 + turn);
      for (let wait = randomInt(4); wait > 0; wait -= 1) await events.catchUp();
      await transaction.end('commit');
    }
  });
  await Promise.all(writers);
  await events.catchUp();
  const published = Array.from({ length: 10 }, (_, writer) => Array.from({ length: 40 }, (_, turn) => writer * 100 + turn)).flat();
  expect(received.toSorted((a, b) => Number(a) - Number(b))).toEqual(published);
});

test('a broken connection publishes "many" when it breaks and when it is back, and reading goes on', async () => {
  const errors: Error[] = [];
  const { received } = await startServer((error) => void errors.push(error));
  // Twice, because a second loss is published like the first.
  for (const message of [5, 6]) {
    received.length = 0;
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'handwise events'`,
    );
    await expect.poll(() => received.length).toBeGreaterThanOrEqual(2);
    expect(received).toEqual(['many', 'many']);
    await publishChange(db, 'test.one', message);
    await expect.poll(() => received.at(-1)).toBe(message);
  }
  expect(errors.length).toBeGreaterThanOrEqual(2);
});

test('a frozen connection publishes "many", and reading goes on over a new one', async () => {
  const network = await startFreezingProxy(url);
  const events = new Events(network.url, () => {}, { query_timeout: 500 });
  started.push(events);
  const received: unknown[] = [];
  events.on('test.one', (message) => void received.push(message));
  await events.start();
  received.length = 0;
  network.freeze();
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(2);
  expect(new Set(received)).toEqual(new Set(['many']));
  await publishChange(db, 'test.one', 8);
  await expect.poll(() => received.at(-1)).toBe(8);

  network.freeze();
  await events.stop();
  await network.close();
});

test('publishes "many" once while the database cannot be reached, however many requests catch up', async () => {
  const attempts: Error[] = [];
  const events = new Events('postgres://nobody@127.0.0.1:1/nothing', (error) => void attempts.push(error));
  started.push(events);
  const received: unknown[] = [];
  events.on('test.one', (message) => void received.push(message));
  await events.start();
  for (let request = 0; request < 10; request += 1) await events.catchUp();
  await expect.poll(() => attempts.length).toBeGreaterThan(2);
  expect(received).toEqual(['many']);
  expect(events.isCurrentWithin(60_000)).toBe(false);
});

test('an emitted message reaches its own server at once, and no other', async () => {
  const [here, there] = [await startServer(), await startServer()];
  here.events.emit('test.one', 7);
  expect(here.received).toEqual([7]);
  await there.events.catchUp();
  expect(there.received).toEqual([]);
});

const rows = async () => (await pool.query<{ payload: unknown }>('select payload from changes order by id')).rows.map((row) => row.payload);
const mark = (minutes: number, below: string) =>
  pool.query(`insert into change_marks values (now() - make_interval(mins => $1), ${below})`, [minutes]);

test('deletes rows ten minutes after all transactions of their time have ended, and not before', async () => {
  await publishChange(db, 'test.one', 1);
  await mark(9, 'pg_snapshot_xmax(pg_current_snapshot())');
  await publishChange(db, 'test.one', 2);
  await deleteOldChanges(db);
  expect(await rows()).toEqual([1, 2]);
  await pool.query(`update change_marks set taken_at = taken_at - interval '2 minutes' where taken_at < now() - interval '8 minutes'`);
  await deleteOldChanges(db);
  expect(await rows()).toEqual([2]);
});

test('does not delete the row of a longer transaction before it is read', async () => {
  const { events, received } = await startServer();
  const slow = await openTransaction();
  await slow.write(1);
  await (await openTransaction()).end('commit');
  await deleteOldChanges(db);
  await events.catchUp();
  await pool.query(`update change_marks set taken_at = now() - interval '1 hour'`);
  await slow.end('commit');
  await deleteOldChanges(db);
  expect(await rows()).toEqual([1]);
  await events.catchUp();
  expect(received).toEqual([1]);
});

test('deletes all marks before the last that was used', async () => {
  for (const minutes of [40, 30, 20]) await mark(minutes, `'${100 - minutes}'`);
  await deleteOldChanges(db);
  const { rows: marks } = await pool.query(`select ended_below from change_marks order by taken_at`);
  expect(marks).toHaveLength(2);
  expect(marks[0].ended_below).toBe('80');
});

test('a server that has not read for so long that rows may be deleted publishes "many"', async () => {
  const { events, received } = await startServer();
  await mark(9, `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8`);
  await events.catchUp();
  expect(received).toEqual([]);
  await mark(11, `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8`);
  await events.catchUp();
  expect(received[0]).toBe('many');
});

test('ignores a row with the number of a future transaction, from another cluster', async () => {
  const { events, received } = await startServer();
  await pool.query(`insert into changes (xid, channel, payload) values ('99999999999', 'test.one', '1')`);
  await events.catchUp();
  await publishChange(db, 'test.one', 2);
  await events.catchUp();
  expect(received).toEqual([2]);
});

test('a stopped server holds no connection and gets no messages', async () => {
  const events = new Events(`${url}?application_name=stopping`, () => {});
  const received: unknown[] = [];
  events.on('test.one', (message) => void received.push(message));
  await events.start();
  const connections = async () => (await pool.query(`select from pg_stat_activity where application_name = 'stopping'`)).rowCount;
  expect(await connections()).toBe(1);
  await events.stop();
  await expect.poll(connections).toBe(0);
  received.length = 0;
  await publishChange(db, 'test.one', 1);
  await events.catchUp();
  expect(received).toEqual([]);
});
