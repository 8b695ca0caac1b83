import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { startPostgres } from '../postgres.ts';
import { encodeForm } from './fault-client.ts';
import { patience, type Server } from './fault-servers.ts';
import { faultWorld } from './fault-world.ts';

// Two servers on a primary and a PostgreSQL replica.
const folder = mkdtempSync(join(tmpdir(), 'handwise-replica-'));
const settings = { fsync: 'off', shared_buffers: '64MB', wal_keep_size: '256MB' };
const primary = await startPostgres({ dataDir: join(folder, 'primary'), settings });
// Created before the tables, which are then replicated.
const standby = await startPostgres({ dataDir: join(folder, 'standby'), standbyOf: primary, settings });
await prepareDatabase(primary.url);
const replica = new pg.Client({ connectionString: standby.url });
await replica.connect();
// Runs last, because hooks run in reverse order.
afterAll(async () => {
  await replica.end();
  for (const one of [standby, primary]) await one.remove();
  rmSync(folder, { recursive: true, force: true });
});
const world = await faultWorld({ databaseUrl: primary.url });
const one = await world.startServer({ replicaUrl: standby.url });
const other = await world.startServer({ replicaUrl: standby.url });
const long = 3 * patience;

/** The number of statements that the replica has executed for a server. */
async function readsOf(server: Server) {
  const text = await (await fetch(`${server.address}/metrics`)).text();
  return Number(/^handwise_replica_reads_total\{.*\} (\d+)$/m.exec(text)?.[1]);
}
/** A call, repeated on a busy machine, and the number of its statements that the replica executed. */
async function get(server: Server, path: string, headers: Record<string, string> = {}) {
  for (const until = performance.now() + patience; ;) {
    const before = await readsOf(server);
    const response = await fetch(`${server.address}/api${path}`, { headers });
    const body = (await response.json()) as { totalListings?: number };
    if (response.status !== 503 || performance.now() > until)
      return { status: response.status, body, fromReplica: (await readsOf(server)) - before };
  }
}
const untilTheReplicaAnswers = (server: Server) =>
  expect.poll(async () => (await get(server, '/listing/all?limit=1')).fromReplica, { timeout: patience }).toBeGreaterThan(0);

const seller = await world.newSeller(one);
async function publish(title: string): Promise<{ id: string; cookie: string }> {
  const send = async (path: string, body: { type: string; bytes: Buffer }) => {
    for (const until = performance.now() + patience; ;) {
      const headers = { authorization: `Bearer ${seller.token}`, 'content-type': body.type };
      const response = await fetch(`${one.address}/api${path}`, { method: 'POST', headers, body: new Uint8Array(body.bytes) });
      if (response.status !== 503 || performance.now() > until) return response;
    }
  };
  const begin = Buffer.from(JSON.stringify({ planId: world.planId('basic'), country: 'NZ' }));
  const intent = (await (await send('/plan-user/create-intent', { type: 'application/json', bytes: begin })).json()) as {
    clientSecret: string;
    paymentIntentId: string;
  };
  expect(await world.submitCard(intent.clientSecret)).toBe('succeeded');
  const form = await encodeForm({ ...seller.form, submissionId: randomUUID(), serviceTitle: title, paymentId: intent.paymentIntentId }, []);
  const response = await send('/listing/create', form);
  expect(response.status).toBe(201);
  const { _id: id } = (await response.json()) as { _id: string };
  return {
    id,
    cookie:
      response.headers
        .getSetCookie()
        .find((one) => one.startsWith('wrote='))
        ?.split(';')[0] ?? '',
  };
}

test(
  'anonymous searches and listings are read from the replica, calls with a session are not',
  async () => {
    const { id } = await publish('Plumber of the first replica');
    await untilTheReplicaAnswers(other);
    const session = { authorization: `Bearer ${seller.token}` };
    for (const path of [`/listing/${id}`, `/listing/find/${id}`, '/search?q=plumber', '/listing/all?title=plumber']) {
      await expect.poll(async () => (await get(other, path)).fromReplica, { timeout: patience }).toBeGreaterThan(0);
    }
    for (const path of [
      '/search?q=plumber',
      `/listing/${id}`,
      '/auth/session',
      '/listing/mylistings',
      '/plan-user/my-subscriptions',
      '/credit/all',
    ]) {
      const { status, fromReplica } = await get(other, path, session);
      expect([path, status, fromReplica]).toEqual([path, 200, 0]);
    }
    for (const path of ['/plan/all', '/config', '/draws']) {
      const { status, fromReplica } = await get(other, path);
      expect([path, status, fromReplica]).toEqual([path, 200, 0]);
    }
  },
  long,
);

test(
  'while the replica is frozen, the publisher sees the listing on both servers at once and others soon after',
  async () => {
    await untilTheReplicaAnswers(other);
    await replica.query('select pg_wal_replay_pause()');
    try {
      // Results are cached, including empty ones.
      expect((await get(other, '/listing/all?title=roofer')).body.totalListings).toBe(0);
      const { id, cookie } = await publish('Roofer of the held replica');
      const mine = { cookie };
      expect((await get(other, `/listing/${id}`, mine)).status).toBe(200);
      expect((await get(other, '/listing/all?title=roofer', mine)).body.totalListings).toBe(1);
      await expect.poll(async () => (await get(other, '/listing/all?title=roofer')).body.totalListings, { timeout: patience }).toBe(1);
      expect((await get(other, `/listing/${id}`)).fromReplica).toBe(0);
    } finally {
      await replica.query('select pg_wal_replay_resume()');
    }
    await untilTheReplicaAnswers(other);
  },
  long,
);

test(
  'whoever wrote a moment ago is answered by the primary',
  async () => {
    const { cookie } = await publish('Glazier of both servers');
    await untilTheReplicaAnswers(other);
    for (let turn = 0; turn < 3; turn += 1) expect((await get(other, '/listing/all?limit=1', { cookie })).fromReplica).toBe(0);
    const another = { cookie: 'another=1' };
    await expect
      .poll(async () => (await get(other, '/listing/all?limit=1', another)).fromReplica, { timeout: patience })
      .toBeGreaterThan(0);
  },
  long,
);

test(
  'a promoted replica accepts writes at once, including those that publish changes',
  async () => {
    await replica.query('select pg_promote()');
    await replica.query(`select publish_change('listings', '[]')`);
    const { rows } = await replica.query(`select channel from changes`);
    expect(rows).toEqual([{ channel: 'listings' }]);
  },
  long,
);
