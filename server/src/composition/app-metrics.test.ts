import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { openDatabase } from '../kit/database/database.ts';
import { Events } from '../kit/events/events.ts';
import { defineJob } from '../kit/jobs/jobs.ts';
import { canReadMetrics } from '../kit/metrics/metrics-routes.ts';
import { Metrics } from '../kit/metrics/metrics.ts';
import { openMetrics } from './app-metrics.ts';

const { app, besides, db, given: exported, parts } = await testApp({}, await testSite());
const { clock, context } = parts;

const textOf = async () => (await app.inject('/metrics')).body;
/** The values of a series by their labels. */
function valuesOf(text: string, name: string) {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(lines.map((line) => [/\{(.*)\}/.exec(line)?.[1] ?? '', Number(line.slice(line.lastIndexOf(' ')))]));
}
/** Bypasses the cache of the database's metrics. */
const freshText = () => openMetrics({}, context).text();

test('counts requests by route template, without internal ones of pages', async () => {
  const { id } = await exported.listing({});
  for (const url of [`/api/listing/${id}`, '/api/listing/0', '/api/nothing', `/listing/${id}`]) await app.inject(url);
  const counted = valuesOf(await textOf(), 'handwise_http_request_duration_seconds_count');
  expect(counted).toMatchObject({
    'method="GET",route="/api/listing/:id",status="2xx"': 1,
    'method="GET",route="/api/listing/:id",status="4xx"': 1,
    'method="GET",route="/api/*",status="4xx"': 1,
    'method="GET",route="/*",status="2xx"': 1,
  });
  expect(Object.keys(counted).join()).not.toContain(id);
  const seconds = valuesOf(await textOf(), 'handwise_http_request_duration_seconds_bucket');
  expect(seconds['le="+Inf",method="GET",route="/*",status="2xx"']).toBe(1);
  const sum = valuesOf(await textOf(), 'handwise_http_request_duration_seconds_sum')['method="GET",route="/*",status="2xx"'];
  expect(sum).toBeGreaterThan(0);
  // The unit is seconds.
  expect(sum).toBeLessThan(60);
});

test('counts how quickly pages appeared by kind of page and screen, and nothing that is not a measure', async () => {
  const record = (payload: object) => app.inject({ method: 'POST', url: '/api/vitals', payload });
  const ofListing = { path: '/listing/0192-abc', width: 390 };
  const vitals = [
    { name: 'LCP', value: 2_400 },
    { name: 'INP', value: 90 },
    { name: 'CLS', value: 0.2 },
  ];
  const recorded = await record({ ...ofListing, vitals });
  expect([recorded.statusCode, recorded.headers['set-cookie']]).toEqual([200, undefined]);
  expect((await record({ path: '/made/up', width: 600, vitals: [vitals[0]] })).statusCode).toBe(200);
  expect((await record({ path: '/', width: 599, vitals: [{ name: 'LCP', value: 1e12 }] })).statusCode).toBe(200);
  for (const wrong of [
    { name: 'FCP', value: 1 },
    { name: 'LCP', value: -1 },
    { name: 'LCP', value: '9' },
  ]) {
    expect((await record({ ...ofListing, vitals: [wrong] })).statusCode).toBe(400);
  }
  const text = await textOf();
  expect(valuesOf(text, 'handwise_web_lcp_seconds_count')).toEqual({
    'page="/listing",screen="phone"': 1,
    'page="other",screen="wide"': 1,
    'page="/",screen="phone"': 1,
  });
  // A made-up value moves no average far.
  expect(valuesOf(text, 'handwise_web_lcp_seconds_sum')['page="/",screen="phone"']).toBe(60);
  const lcp = valuesOf(text, 'handwise_web_lcp_seconds_bucket');
  expect([lcp['le="1.5",page="/listing",screen="phone"'], lcp['le="2.5",page="/listing",screen="phone"']]).toEqual([0, 1]);
  const inp = valuesOf(text, 'handwise_web_inp_seconds_bucket');
  expect([inp['le="0.05",page="/listing",screen="phone"'], inp['le="0.1",page="/listing",screen="phone"']]).toEqual([0, 1]);
  const cls = valuesOf(text, 'handwise_web_cls_bucket');
  expect([cls['le="0.1",page="/listing",screen="phone"'], cls['le="0.25",page="/listing",screen="phone"']]).toEqual([0, 1]);
});

test('measures cached pages and their memory', async () => {
  const before = valuesOf(await textOf(), 'handwise_response_cache_reads_total');
  for (let turn = 0; turn < 3; turn += 1) await app.inject('/terms');
  const after = valuesOf(await textOf(), 'handwise_response_cache_reads_total');
  const more = (result: string) => (after[`result="${result}"`] ?? 0) - (before[`result="${result}"`] ?? 0);
  expect([more('hit'), more('miss')]).toEqual([2, 1]);
  expect(valuesOf(await textOf(), 'handwise_response_cache_bytes')['']).toBeGreaterThan(10_000);
  expect(valuesOf(await textOf(), 'handwise_response_cache_entries')['']).toBeGreaterThan(0);
});

test('measures connections by pool: open, idle and waiting', async () => {
  const narrow = openDatabase({ url: parts.databaseUrl, connections: 2, onIdleError: () => {} });
  const metrics = openMetrics({ narrow }, context);
  const values = async (name: string) => valuesOf(await metrics.text(), name)['pool="narrow"'];
  const first = await narrow.pool.connect();
  const second = await narrow.pool.connect();
  const third = narrow.pool.connect();
  expect(await values('handwise_database_connections')).toBe(2);
  expect(await values('handwise_database_connections_idle')).toBe(0);
  expect(await values('handwise_database_waiting')).toBe(1);
  for (const client of [first, second]) client.release();
  (await third).release();
  expect(await values('handwise_database_connections_idle')).toBe(2);
  expect(await values('handwise_database_connections_lost_total')).toBe(0);
  await narrow.close();
});

test('measures due, retried and failed jobs, and the oldest job and mail', async () => {
  await sql`delete from pgboss.job`.execute(db);
  const measured = defineJob<{ at: string }>('test.measured');
  const send = async (state: string, dueMinutesAgo: number, ageMinutes: number, job: typeof measured = measured) => {
    const at = randomUUID();
    await context.jobs.send(db, job, { at });
    await sql`update pgboss.job set state = ${state}::pgboss.job_state, start_after = now() - make_interval(mins => ${dueMinutesAgo}),
      created_on = now() - make_interval(mins => ${ageMinutes}) where data->>'at' = ${at}`.execute(db);
  };
  await send('created', 10, 10);
  await send('created', -30, 1);
  await send('retry', 5, 200);
  await send('completed', 100, 100);
  await send('created', -20, 40, defineJob('mail.send-email'));
  await send('created', 500, 500, defineJob('jobs.failed'));
  await send('created', 600, 600, defineJob('jobs.failed'));
  const text = await freshText();
  const value = (name: string) => valuesOf(text, name)[''];
  expect([value('handwise_jobs_due'), value('handwise_jobs_retrying'), value('handwise_jobs_failed')]).toEqual([2, 1, 2]);
  expect(Math.floor((value('handwise_jobs_oldest_due_seconds') ?? 0) / 60)).toBe(10);
  expect(Math.floor((value('handwise_mails_oldest_seconds') ?? 0) / 60)).toBe(40);
  await sql`delete from pgboss.job`.execute(db);
});

test('measures listings and sales by country, and the number and overdue checks of open payments', async () => {
  const before = valuesOf(await freshText(), 'handwise_listings_active');
  await exported.listing({ district: 306, category: 6 });
  await exported.listing({ district: 2301, category: 6 });
  await exported.listing({ district: 2301, category: 6, status: 'inactive' });
  const now = clock.now().getTime();
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000);
  for (const hours of [1, 23, 25]) {
    const { paymentId } = await exported.published('premium');
    await db
      .updateTable('payments')
      .set({ succeeded_at: hoursAgo(hours) })
      .where('intent_id', '=', paymentId)
      .execute();
  }
  const open = await exported.payment(await exported.user());
  await db
    .updateTable('payments')
    .set({ check_at: hoursAgo(2) })
    .where('intent_id', '=', open)
    .execute();
  const text = await freshText();
  const active = valuesOf(text, 'handwise_listings_active');
  const more = (country: string) => (active[`country="${country}"`] ?? 0) - (before[`country="${country}"`] ?? 0);
  // The three payments published three more.
  expect([more('NZ'), more('AU')]).toEqual([4, 1]);
  expect(valuesOf(text, 'handwise_plans_sold_24h')).toEqual({ 'plan="premium",country="NZ"': 2 });
  expect(valuesOf(text, 'handwise_payments_open')['']).toBe(1);
  expect(Math.floor((valuesOf(text, 'handwise_payments_check_overdue_seconds')[''] ?? 0) / 60)).toBe(120);
});

test('leaves out the database’s metrics while it does not answer, except `handwise_database_up`', async () => {
  const away = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing', connections: 1, onIdleError: () => {} });
  const text = await openMetrics({ away }, { db: away.db, clock }).text();
  expect(valuesOf(text, 'handwise_database_up')).toEqual({ '': 0 });
  expect(valuesOf(text, 'handwise_jobs_due')).toEqual({});
  expect(valuesOf(await freshText(), 'handwise_database_up')).toEqual({ '': 1 });
  await away.close();
});

test('queries the database at most once in ten seconds', async () => {
  const metrics = openMetrics({}, context);
  const active = async () => Object.values(valuesOf(await metrics.text(), 'handwise_listings_active')).reduce((sum, one) => sum + one, 0);
  const first = await active();
  await exported.listing({});
  expect(await active()).toBe(first);
});

const token = 'a-token-of-sixteen';
const alone = { token: null, isProxied: false };
const guarded = { token, isProxied: true };
const bearer = (exported: string) => ({ authorization: `Bearer ${exported}` });
test.each([
  ['the machine itself', alone, '127.0.0.1', { host: 'localhost:3000' }, true],
  ['the machine itself by its address', alone, '::ffff:127.0.0.1', { host: '127.0.0.1:3000' }, true],
  ['the machine itself in IPv6', alone, '::1', { host: '[::1]:3000' }, true],
  ['another machine', alone, '10.0.0.7', { host: 'localhost' }, false],
  ['another machine with an address that begins alike', alone, '12.7.0.1', { host: 'localhost' }, false],
  ['a visitor over a proxy here, by the name that they asked for', alone, '127.0.0.1', { host: 'handwise.co.nz' }, false],
  [
    'a visitor over a proxy here who names this machine',
    alone,
    '127.0.0.1',
    { host: 'localhost', 'x-forwarded-for': '203.0.113.9' },
    false,
  ],
  ['one whose proxy says its own name', alone, '127.0.0.1', { host: 'localhost', via: '1.1 proxy' }, false],
  ['one whose proxy names the network', alone, '127.0.0.1', { host: 'localhost', 'x-real-ip': '203.0.113.9' }, false],
  ['anybody where a proxy is known', { token: null, isProxied: true }, '127.0.0.1', { host: 'localhost' }, false],
  ['whoever has the token', guarded, '10.0.0.7', { host: 'handwise.co.nz', ...bearer(token) }, true],
  ['whoever has another token', guarded, '127.0.0.1', { host: 'localhost', ...bearer(`${token}x`) }, false],
  ['the machine itself where there is a token', { token, isProxied: false }, '127.0.0.1', { host: 'localhost' }, false],
])('access to the metrics: %s', (_, access, remoteAddress, headers, may) => {
  expect(canReadMetrics({ headers, socket: { remoteAddress } } as unknown as IncomingMessage, access)).toBe(may);
});

test('answers 404 without access to the metrics, and Prometheus’ format with it', async () => {
  const hidden = await app.inject({ url: '/metrics', remoteAddress: '10.0.0.7' });
  expect([hidden.statusCode, hidden.json().code]).toEqual([404, 'route_not_found']);
  const shown = await app.inject('/metrics');
  expect([shown.statusCode, shown.headers['content-type'], shown.headers['cache-control']]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ]);
});

test('is live while it is not ready and its database is away', async () => {
  const away = openDatabase({ url: 'postgres://127.0.0.1:1/nothing', connections: 1, onIdleError: () => {} });
  const server = await besides({ isReady: () => false, context: { ...context, db: away.db, events: new Events('', () => {}) } });
  expect((await server.inject('/api/health')).statusCode).toBe(503);
  expect((await server.inject('/api/live')).json()).toEqual({ status: 'ok' });
  await server.close();
  await away.close();
});

const ops = (name: string) => readFileSync(join(import.meta.dirname, '../../../ops', name), 'utf8');
test('the server exports exactly the metrics of the dashboard and alerts', async () => {
  const process = new Metrics();
  process.watchProcess();
  const exported = new Set(`${await textOf()}\n${await process.text()}`.match(/(?<=^# TYPE )\w+/gm));
  const dashboard = JSON.parse(ops('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const rules = ops('alerts.yml').match(/(?<=expr: ).*/g) ?? [];
  const queried = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules].flatMap(
    (expr) => expr.match(/\b(handwise|nodejs|process)_\w+/g) ?? [],
  );
  expect(queried.length).toBeGreaterThan(30);
  expect([...new Set(queried)].filter((name) => !exported.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([]);
  // No metric is unused.
  const ours = [...exported].filter((name) => name.startsWith('handwise_'));
  expect(ours.filter((name) => !queried.some((one) => one.startsWith(name)))).toEqual([]);
});

test('the operations guide covers every alert', () => {
  const operations = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const alerts = ops('alerts.yml').match(/(?<=alert: )\w+/g) ?? [];
  expect(alerts.length).toBeGreaterThan(10);
  expect(alerts.filter((alert) => !operations.includes(`| \`${alert}\` |`))).toEqual([]);
});
