import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startPostgres } from '@handwise/sandbox/postgres';
import { type Db, openDatabase } from '../database/database.ts';
import { isReplicasFault, parsePosition } from './replica.ts';
import { Replicas } from './replicas.ts';

const folder = mkdtempSync(join(tmpdir(), 'handwise-replicas-'));
const settings = { fsync: 'off', shared_buffers: '32MB', wal_keep_size: '64MB' };
const primaryDir = join(folder, 'primary');
let primary = await startPostgres({ dataDir: primaryDir, settings });
const standbyDir = join(folder, 'standby');
let standby = await startPostgres({ dataDir: standbyDir, standbyOf: primary, settings });
const ports = { primary: Number(new URL(primary.url).port), standby: Number(new URL(standby.url).port) };
const open = (url: string) => openDatabase({ url, connections: 4, onIdleError: () => {} });
const atPrimary = open(primary.url);
const atStandby = open(standby.url);
const opened: Replicas[] = [];
afterAll(async () => {
  for (const replicas of opened) await replicas.close();
  for (const database of [atPrimary, atStandby]) await database.close();
  for (const one of [standby, primary]) await one.remove();
  rmSync(folder, { recursive: true, force: true });
});
await sql`create table notes (number int primary key)`.execute(atPrimary.db);

type Calls = { away: string[]; doubts: number };

/** A server's connections to both. The test triggers the checks. */
async function openServer(): Promise<{ replicas: Replicas; db: Db; calls: Calls; read: () => Promise<Seen> }> {
  const calls: Calls = { away: [], doubts: 0 };
  const replicas = new Replicas({
    primaryUrl: primary.url,
    replicas: [{ url: standby.url, database: open(standby.url) }],
    onAway: (_url, error) => void calls.away.push((error as Error).message),
    onDoubtEnds: () => (calls.doubts += 1),
    checkMs: 3_600_000,
  });
  opened.push(replicas);
  await replicas.start();
  const db = replicas.readingFrom(atPrimary.db);
  const read = () => replicas.inRequest(() => readNotes(db));
  return { replicas, db, calls, read };
}

type Seen = { from: 'replica' | 'primary'; notes: number };
async function readNotes(db: Db): Promise<Seen> {
  const { rows } = await sql<Seen>`
    select case when pg_is_in_recovery() then 'replica' else 'primary' end as from, (select count(*)::int from notes) as notes`.execute(db);
  return rows[0] ?? { from: 'primary', notes: -1 };
}

let written = 0;
const write = async () => {
  written += 1;
  await sql`insert into notes values (${written})`.execute(atPrimary.db);
};
const pauseReplay = () => sql`select pg_wal_replay_pause()`.execute(atStandby.db);
const resumeReplay = () => sql`select pg_wal_replay_resume()`.execute(atStandby.db);
const untilReplayed = () => expect.poll(async () => (await readNotes(atStandby.db)).notes).toBe(written);
const untilRead = (read: () => Promise<Seen>, from: Seen['from']) => expect.poll(async () => (await read()).from).toBe(from);

beforeEach(async () => {
  await resumeReplay();
  await untilReplayed();
});

test('reads within a request come from a replica, others from the primary', async () => {
  const { read, db, replicas } = await openServer();
  await write();
  await untilReplayed();
  await replicas.check();
  await untilRead(read, 'replica');
  expect(await read()).toEqual({ from: 'replica', notes: written });
  expect(await readNotes(db)).toEqual({ from: 'primary', notes: written });
  expect(replicas.metrics()).toEqual([{ replica: new URL(standby.url).host, reads: expect.any(Number), behind: expect.any(Number) }]);
  expect(replicas.metrics()[0]?.reads).toBeGreaterThan(1);
});

test('reads include a change from the moment it is published', async () => {
  const { read, replicas } = await openServer();
  await untilRead(read, 'replica');
  await pauseReplay();
  for (let turn = 0; turn < 5; turn += 1) {
    await write();
    replicas.changed();
    expect(await read()).toEqual({ from: 'primary', notes: written });
    await replicas.check();
    expect(await read()).toEqual({ from: 'primary', notes: written });
  }
  await resumeReplay();
  await untilRead(read, 'replica');
  expect(await read()).toEqual({ from: 'replica', notes: written });
});

test('does not use a replica that has not replayed up to the last check', async () => {
  const { read, replicas } = await openServer();
  await untilRead(read, 'replica');
  await pauseReplay();
  await write();
  expect(await read()).toEqual({ from: 'replica', notes: written - 1 });
  await replicas.check();
  expect(await read()).toEqual({ from: 'primary', notes: written });
  expect(replicas.metrics()[0]?.behind).toBeGreaterThan(0);
});

test('takes an unavailable replica out of use, reports it once, and uses it again once it is back', async () => {
  const { read, replicas, calls } = await openServer();
  await untilRead(read, 'replica');
  await standby.stop();
  for (let turn = 0; turn < 3; turn += 1) expect((await read()).from).toBe('primary');
  expect(calls.away).toHaveLength(1);
  await replicas.check();
  expect([calls.away.length, replicas.metrics()[0]?.behind]).toEqual([1, null]);
  standby = await startPostgres({ dataDir: standbyDir, port: ports.standby, settings });
  await expect
    .poll(async () => {
      await replicas.check();
      return (await read()).from;
    })
    .toBe('replica');
});

test('replicas answer while the primary is away, and the cache is invalidated once it is back', async () => {
  const { read, replicas, calls } = await openServer();
  await untilRead(read, 'replica');
  await primary.stop();
  replicas.changed();
  await replicas.check();
  expect(await read()).toEqual({ from: 'replica', notes: written });
  expect(calls.doubts).toBe(0);
  primary = await startPostgres({ dataDir: primaryDir, port: ports.primary, settings });
  await replicas.check();
  await replicas.check();
  expect(calls.doubts).toBe(1);
  await write();
});

test('does not retry an invalid statement on the primary', async () => {
  const { replicas, db, read } = await openServer();
  await untilRead(read, 'replica');
  const refusal: unknown = await replicas.inRequest(() => sql`select nothing`.execute(db)).catch((error: unknown) => error);
  expect((refusal as Error).message).toBe('column "nothing" does not exist');
  expect(await read()).toEqual({ from: 'replica', notes: written });
});

test('retries on the primary if the replica is at fault, and not if the statement took too long', () => {
  const withCode = (code: string) => Object.assign(new Error('refused'), { code });
  for (const code of ['40001', '40P01', '25006', 'ECONNREFUSED', '57P01'])
    expect([code, isReplicasFault(withCode(code))]).toEqual([code, true]);
  for (const code of ['57014', '42703', '23505']) expect([code, isReplicasFault(withCode(code))]).toEqual([code, false]);
});

test('rejects transactions, which could be split between two databases', async () => {
  const { db } = await openServer();
  let hasBegun = false;
  const transaction = db.transaction().execute(async () => void (hasBegun = true));
  await expect(transaction).rejects.toThrow('single statement');
  expect(hasBegun).toBe(false);
});

test('parses positions of PostgreSQL', () => {
  expect([parsePosition('0/0'), parsePosition('0/FF'), parsePosition('1/0'), parsePosition('16/B374D848')]).toEqual([
    0n,
    255n,
    4_294_967_296n,
    97_500_059_720n,
  ]);
});

test('does not read from a promoted replica', async () => {
  const { read, replicas, calls } = await openServer();
  await untilRead(read, 'replica');
  await sql`select pg_promote()`.execute(atStandby.db);
  await replicas.check();
  await sql`insert into notes values (-1)`.execute(atStandby.db);
  expect(await read()).toEqual({ from: 'primary', notes: written });
  expect(calls.away).toEqual(['it is not a replica']);
});
