import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test, vi } from 'vitest';
import { openMetrics } from '@handwise/server/composition/app-metrics';
import { openDatabase } from '@handwise/server/kit/database';
import { getClusterPlace } from '../postgres-cluster.ts';
import { startPostgres } from '../postgres.ts';
import { archiveSettings, openSpool } from './wal-shipping.ts';

const root = mkdtempSync(join(tmpdir(), 'handwise-archiving-'));
// If this process is root, the database runs as another user.
chmodSync(root, 0o755);
const dataDir = join(root, 'site');
const { cluster, owner } = getClusterPlace(dataDir);
const spool = openSpool(cluster, owner);
const held = join(root, 'held');
const archive = archiveSettings(spool, owner, 0);
const postgres = await startPostgres({
  dataDir,
  settings: {
    shared_buffers: '16MB',
    max_connections: '10',
    fsync: 'off',
    ...archive,
    // Simulates a disk that hangs.
    archive_command: `while [ -e ${held} ]; do sleep 0.02; done; ${archive['archive_command']}`,
  },
});
const database = openDatabase({ url: postgres.url, connections: 2, onIdleError: () => {} });
const { db } = database;
afterAll(async () => {
  rmSync(held, { force: true });
  await database.close();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

/** The current metrics, without their cache of ten seconds. */
async function waited(): Promise<number | undefined> {
  const text = await openMetrics({}, { db, clock: { now: () => new Date() } }).text();
  const line = text.split('\n').find((one) => one.startsWith('handwise_wal_unarchived_seconds '));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}
/** Ends the current segment, so that it is archived; returns its name. */
async function endSegment(): Promise<string> {
  const { rows } = await sql<{ wal: string }>`select pg_walfile_name(pg_current_wal_insert_lsn()) as wal`.execute(db);
  await sql`select pg_logical_emit_message(false, 'test', 'something'), pg_switch_wal()`.execute(db);
  return rows[0]?.wal ?? '';
}
const archived = async () =>
  (
    await sql<{ at: Date | null; failures: number }>`
      select last_archived_time as at, failed_count::int as failures from pg_stat_archiver`.execute(db)
  ).rows[0];
const untilHandedOver = (wal: string) => vi.waitFor(() => expect(readdirSync(spool)).toContain(wal), { timeout: 90_000, interval: 20 });
const untilNothingWaits = () => vi.waitFor(async () => expect(await waited()).toBe(0), { timeout: 90_000, interval: 50 });
const age = (wal: string, minutes: number) => {
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(join(spool, wal), then, then);
};

test('reports no pending segment after everything was archived, however long ago', async () => {
  expect(await waited()).toBe(0);
  await untilHandedOver(await endSegment());
  await untilNothingWaits();
  // The segment being written does not count.
  await sql`select pg_logical_emit_message(false, 'test', 'something')`.execute(db);
  expect(await waited()).toBe(0);
});

test('archives no further segment while an earlier one is not shipped for minutes, and reports the time since the last archived one', async () => {
  const [first = ''] = readdirSync(spool);
  age(first, 4);
  await untilHandedOver(await endSegment());
  age(first, 7);
  const { at: last, failures = 0 } = (await archived()) ?? {};
  // The time counts from the last archived segment.
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan((last?.getTime() ?? 0) + 1_500), { timeout: 90_000, interval: 20 });
  const next = await endSegment();
  await vi.waitFor(async () => expect((await archived())?.failures).toBeGreaterThan(failures), { timeout: 90_000, interval: 20 });
  const atLeast = (Date.now() - ((await archived())?.at?.getTime() ?? 0)) / 1_000 - 0.1;
  const seconds = await waited();
  const atMost = (Date.now() - ((await archived())?.at?.getTime() ?? 0)) / 1_000 + 0.1;
  expect([seconds, (seconds ?? 0) >= atLeast, (seconds ?? 0) <= atMost]).toEqual([expect.any(Number), true, true]);
  expect(readdirSync(spool)).not.toContain(next);
  // Other files do not block the archive.
  writeFileSync(join(spool, '00000002.history'), '');
  age('00000002.history', 60);
  rmSync(join(spool, first));
  await untilHandedOver(await endSegment());
  await untilHandedOver(next);
  await untilNothingWaits();
});

test('reports the pending segments of a hanging disk, without a failure', async () => {
  writeFileSync(held, '');
  const failures = (await archived())?.failures;
  const waiting = await endSegment();
  expect(await waited()).toBeGreaterThan(0);
  expect([(await archived())?.failures, existsSync(join(spool, waiting))]).toEqual([failures, false]);
  rmSync(held);
  await untilHandedOver(waiting);
  await untilNothingWaits();
});

test('reports nothing for a database without a backup', async () => {
  const { url } = postgres;
  await database.close();
  await postgres.stop();
  const plain = await startPostgres({ dataDir, port: Number(new URL(url).port), settings: { shared_buffers: '16MB', fsync: 'off' } });
  const without = openDatabase({ url: plain.url, connections: 1, onIdleError: () => {} });
  const text = await openMetrics({}, { db: without.db, clock: { now: () => new Date() } }).text();
  await without.close();
  await plain.stop();
  expect(text).toContain('# TYPE handwise_wal_unarchived_seconds gauge');
  expect(text).not.toMatch(/^handwise_wal_unarchived_seconds /m);
});
