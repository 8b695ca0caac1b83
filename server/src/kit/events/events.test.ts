import { randomInt } from 'node:crypto';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { deleteOldChanges, tell } from './changes.ts';
import { openDatabase } from '../database/database.ts';
import { Events, type Told } from './events.ts';

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

/** A server, with what it has heard on `test.one` since it started. */
async function startServer(onError: (error: Error) => void = () => {}) {
  const events = new Events(url, onError);
  const heard: Told<'test.one'>[] = [];
  started.push(events);
  events.on('test.one', (told) => void heard.push(told));
  await events.start();
  heard.length = 0;
  return { events, heard };
}

/** So many transactions in a moment, each of which tells its number. */
const tellOneAfterTheOther = (count: number) =>
  pool.query(`do $$ begin for n in 1..${count} loop perform tell('test.one', to_jsonb(n)); commit; end loop; end $$`);

/** A transaction that stays open until it is told to commit, and already has its number. */
async function openTransaction() {
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select pg_current_xact_id()');
  return {
    write: (n: number) => client.query(`select tell('test.one', $1::text::jsonb)`, [n]),
    async end(how: 'commit' | 'rollback') {
      await client.query(how);
      client.release();
    },
  };
}

test('what a transaction tells is heard by every server by itself, and by those who listen on that channel alone', async () => {
  const servers = [await startServer(), await startServer()];
  const others: unknown[] = [];
  servers[0]?.events.on('test.other', (told) => void others.push(told));
  await db.transaction().execute(async (tx) => {
    await tell(tx, 'test.one', 1);
    await tell(tx, 'test.other', { text: 'a' });
    await tell(tx, 'test.one', 2);
  });
  for (const { heard } of servers) await expect.poll(() => heard).toEqual([1, 2]);
  await tell(db, 'test.one', 3);
  for (const { heard } of servers) await expect.poll(() => heard).toEqual([1, 2, 3]);
  expect(others).toEqual([{ text: 'a' }]);
});

test('while much is told at once others are heard between two transactions, but not within one', async () => {
  const { events, heard } = await startServer();
  const order: string[] = [];
  events.on('test.one', (told) => {
    order.push(`told ${told}`);
    setImmediate(() => order.push(`others after ${told}`));
    for (const until = performance.now() + 10; performance.now() < until;);
  });
  for (const some of [[1, 2], [3]]) {
    await db.transaction().execute(async (tx) => {
      for (const n of some) await tell(tx, 'test.one', n);
    });
  }
  await events.catchUp();
  // Whoever waits for all of it has all of it.
  expect(heard).toEqual([1, 2, 3]);
  expect(order.slice(0, 5)).toEqual(['told 1', 'told 2', 'others after 1', 'others after 2', 'told 3']);
});

test('a server that is stopped while much is told hears nothing more of it', async () => {
  const { events, heard } = await startServer();
  events.on('test.one', () => {
    void events.stop();
    for (const until = performance.now() + 10; performance.now() < until;);
  });
  await tellOneAfterTheOther(3);
  await events.catchUp();
  expect(heard).toEqual([1]);
});

test('a server that loses its connection while much is told does not say afterwards that it has heard', async () => {
  let isLost = false;
  const { events, heard } = await startServer(() => (isLost = true));
  // It would break the connections of later tests as well.
  onTestFinished(() => events.stop());
  events.on('test.one', (told) => {
    if (told === 1)
      void pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'handwise events' and datname = current_database()`,
      );
    for (const until = performance.now() + (isLost ? 0 : 10); performance.now() < until;);
  });
  await tellOneAfterTheOther(300);
  await events.catchUp();
  expect([isLost, heard.includes('many'), events.hasHeardWithin(60_000)]).toEqual([true, true, false]);
});

test('what a transaction tells that is rolled back is heard by nobody', async () => {
  const { events, heard } = await startServer();
  const transaction = await openTransaction();
  await transaction.write(1);
  await events.catchUp();
  await transaction.end('rollback');
  await tell(db, 'test.one', 2);
  await events.catchUp();
  expect(heard).toEqual([2]);
});

test('a transaction that commits after younger ones is heard all the same, and nothing is heard twice', async () => {
  const { events, heard } = await startServer();
  const [oldest, older] = [await openTransaction(), await openTransaction()];
  await oldest.write(1);
  await tell(db, 'test.one', 3);
  await events.catchUp();
  expect(heard).toEqual([3]);
  // Written last, with the number of an early transaction.
  await older.write(2);
  await tell(db, 'test.one', 4);
  await events.catchUp();
  await older.end('commit');
  await events.catchUp();
  await events.catchUp();
  await oldest.end('commit');
  await events.catchUp();
  await events.catchUp();
  expect(heard).toEqual([3, 4, 2, 1]);
});

test('of 400 transactions on 10 connections, committed in any order, each is heard once', async () => {
  const { events, heard } = await startServer();
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
  const told = Array.from({ length: 10 }, (_, writer) => Array.from({ length: 40 }, (_, turn) => writer * 100 + turn)).flat();
  expect(heard.toSorted((a, b) => Number(a) - Number(b))).toEqual(told);
});

test('a server whose connection breaks takes it that everything has changed, when it breaks and when it is back, and hears on', async () => {
  const errors: Error[] = [];
  const { heard } = await startServer((error) => void errors.push(error));
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'handwise events'`,
  );
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2);
  expect(new Set(heard)).toEqual(new Set(['many']));
  expect(errors.length).toBeGreaterThan(0);
  await tell(db, 'test.one', 5);
  await expect.poll(() => heard.at(-1)).toBe(5);
});

test('a server whose connection the network has frozen takes it that everything has changed, and hears on by another one', async () => {
  const network = await startFreezingProxy(url);
  const events = new Events(network.url, () => {}, { query_timeout: 500 });
  started.push(events);
  const heard: unknown[] = [];
  events.on('test.one', (told) => void heard.push(told));
  await events.start();
  heard.length = 0;
  network.freeze();
  await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2);
  expect(new Set(heard)).toEqual(new Set(['many']));
  await tell(db, 'test.one', 8);
  await expect.poll(() => heard.at(-1)).toBe(8);

  network.freeze();
  await events.stop();
  await network.close();
});

test('while the database cannot be reached, whoever asks is told that everything may have changed', async () => {
  const events = new Events('postgres://nobody@127.0.0.1:1/nothing', () => {});
  started.push(events);
  const heard: unknown[] = [];
  events.on('test.one', (told) => void heard.push(told));
  await events.start();
  const before = heard.length;
  await events.catchUp();
  expect(heard.slice(before)).toEqual(['many']);
});

test('what a server emits is heard there at once, and nowhere else', async () => {
  const [here, there] = [await startServer(), await startServer()];
  here.events.emit('test.one', 7);
  expect(here.heard).toEqual([7]);
  await there.events.catchUp();
  expect(there.heard).toEqual([]);
});

const rows = async () => (await pool.query<{ payload: unknown }>('select payload from changes order by id')).rows.map((row) => row.payload);
const mark = (minutes: number, below: string) =>
  pool.query(`insert into change_marks values (now() - make_interval(mins => $1), ${below})`, [minutes]);

test('rows are deleted ten minutes after every transaction of their time has ended, and not before', async () => {
  await tell(db, 'test.one', 1);
  await mark(9, 'pg_snapshot_xmax(pg_current_snapshot())');
  await tell(db, 'test.one', 2);
  await deleteOldChanges(db);
  expect(await rows()).toEqual([1, 2]);
  await pool.query(`update change_marks set taken_at = taken_at - interval '2 minutes' where taken_at < now() - interval '8 minutes'`);
  await deleteOldChanges(db);
  expect(await rows()).toEqual([2]);
});

test('a row of a transaction that takes longer than that is kept until it is heard', async () => {
  const { events, heard } = await startServer();
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
  expect(heard).toEqual([1]);
});

test('of the marks stay the last that was used and those to come', async () => {
  for (const minutes of [40, 30, 20]) await mark(minutes, `'${100 - minutes}'`);
  await deleteOldChanges(db);
  const { rows: kept } = await pool.query(`select ended_below from change_marks order by taken_at`);
  expect(kept).toHaveLength(2);
  expect(kept[0].ended_below).toBe('80');
});

test('a server that has not read for so long that rows may be gone takes it that everything has changed', async () => {
  const { events, heard } = await startServer();
  await mark(9, `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8`);
  await events.catchUp();
  expect(heard).toEqual([]);
  await mark(11, `(pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 1000)::text::xid8`);
  await events.catchUp();
  expect(heard[0]).toBe('many');
});

test('a row from another cluster, with the number of a transaction to come, is not heard', async () => {
  const { events, heard } = await startServer();
  await pool.query(`insert into changes (xid, channel, payload) values ('99999999999', 'test.one', '1')`);
  await events.catchUp();
  await tell(db, 'test.one', 2);
  await events.catchUp();
  expect(heard).toEqual([2]);
});

test('once stopped, a server holds no connection and hears nothing more', async () => {
  const events = new Events(`${url}?application_name=stopping`, () => {});
  const heard: unknown[] = [];
  events.on('test.one', (told) => void heard.push(told));
  await events.start();
  const connections = async () => (await pool.query(`select from pg_stat_activity where application_name = 'stopping'`)).rowCount;
  expect(await connections()).toBe(1);
  await events.stop();
  await expect.poll(connections).toBe(0);
  heard.length = 0;
  await tell(db, 'test.one', 1);
  await events.catchUp();
  expect(heard).toEqual([]);
});
