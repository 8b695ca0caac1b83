import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { findListings, listListings } from '@handwise/contract/search/calls';
import { sql } from 'kysely';
import type { LoaderFunctionArgs } from 'react-router';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openMetrics } from '../src/measures.ts';
import { readEnv } from '../src/env.ts';
import { type Bounds, usualBounds } from '../src/kit/bounds/bounds.ts';

// The real pages, but for one whose loader each test gives.
const site = await testSite();
const build = await site.loadBuild();
type Loader = (args: LoaderFunctionArgs) => Promise<unknown>;
let loader: Loader = async () => null;
const terms = build.routes['pages/site/terms'];
if (!terms) throw new Error('there is no page of terms');
build.routes['pages/site/terms'] = { ...terms, module: { ...terms.module, loader: (args: LoaderFunctionArgs) => loader(args) } };

const { besides, db, given, parts } = await testApp();
const { context } = parts;
await given.listing({ title: 'Plumber' });
const apps: { close(): Promise<unknown> }[] = [];
afterAll(async () => void (await Promise.all(apps.map((app) => app.close()))));

/** A server for people, with bounds so narrow that they are seen. */
async function narrow(bounds: Partial<Bounds>, environment: Record<string, string> = {}) {
  const app = await besides({
    env: readEnv({ NODE_ENV: 'test', SANDBOX: '0', HTML_CACHE_MB: '1', ...environment }),
    // A server that hears of no changes keeps nothing.
    context,
    metrics: openMetrics({}, context),
    site,
    longestDelayMs: 0,
    bounds: { ...usualBounds, ...bounds },
  });
  apps.push(app);
  const get = (url: string, remoteAddress: string, accept = 'text/html') => app.inject({ url, remoteAddress, headers: { accept } });
  const metric = async (line: string) => {
    const text = (await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body;
    return Number(
      text
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.slice(line.length),
    );
  };
  return { app, get, metric };
}

/** No list of listings is answered until what it returns is called. */
async function holdSearches() {
  const gate = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const transaction = db.transaction().execute(async (tx) => {
    await sql`lock table listings in access exclusive mode`.execute(tx);
    held.resolve();
    await gate.promise;
  });
  await held.promise;
  const release = async () => {
    gate.resolve();
    await transaction;
  };
  onTestFinished(release);
  return release;
}

const nothingKept = { HTML_CACHE_MB: '0' };
const network = (index: number) => `198.51.100.${index}`;
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);

test('of one network so many calls are worked on, others go on, and pages and forms with files are not held up by them', async () => {
  const { app, get, metric } = await narrow({ calls: { running: 9, waiting: 9, ofOne: { running: 2, waiting: 1 } } }, nothingKept);
  loader = async ({ context: given_ }) => given_.get(build.entry.module.serverContext).call(listListings, { query: {} });
  const release = await holdSearches();
  const own = Array.from({ length: 5 }, () => get('/api/search', network(1)));
  await expect.poll(() => metric('handwise_work_refused_total{work="calls",because="one"}')).toBe(2);
  expect([await metric('handwise_work_running{work="calls"}'), await metric('handwise_work_waiting{work="calls"}')]).toEqual([2, 1]);
  expect((await get('/api/plan/all', network(1))).statusCode).toBe(429);
  expect((await get('/api/plan/all', network(2))).statusCode).toBe(200);
  const page = get('/terms?page=2', network(1));
  const form = await app.inject({
    method: 'POST',
    url: '/api/listing/create',
    remoteAddress: network(1),
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x--',
  });
  expect(form.statusCode).toBe(401);
  await release();
  const answers = await Promise.all(own);
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(3);
  expect((await page).statusCode).toBe(200);
  // Whoever was answered, well or not, has given the turn on.
  for (const url of ['/api/plan/all', '/api/search?page=none', '/api/user/me', '/api/nothing', '/api/plan/all']) {
    expect([url, (await get(url, network(1))).statusCode]).not.toEqual([url, 429]);
  }
  expect(await metric('handwise_work_running{work="calls"}')).toBe(0);
});

test('a connection that sends much before it was answered is cut, and the figures say so', async () => {
  const { app, metric } = await narrow({ readers: { ...usualBounds.readers, pipelined: 2 } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET /api/plan/all HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(50));
  await once(socket, 'close');
  expect(await metric('handwise_connections_cut_total{because="pipelined"}')).toBe(1);
  expect(await metric('handwise_connections_cut_total{because="stalled"}')).toBe(0);
});

test('an event stream that is open holds no turn', async () => {
  const { app, metric } = await narrow({ calls: { running: 9, waiting: 9, ofOne: { running: 1, waiting: 0 } } });
  const { token } = await given.user();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const open = () => openEventStream(address, token);
  const streams = [await open(), await open(), await open()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await metric('handwise_work_running{work="calls"}')).toBe(0);
  for (const stream of streams) stream.close();
});

test('where too many pages wait to be rendered the next ones are 503, as pages, and what is kept is answered all the same', async () => {
  const { get, metric } = await narrow({ pages: { running: 1, waiting: 1 } });
  expect((await get('/privacy', network(1))).statusCode).toBe(200);
  const gate = Promise.withResolvers<null>();
  let rendering = 0;
  loader = async () => {
    rendering += 1;
    return gate.promise;
  };
  const asked = [get('/terms', network(1))];
  await expect.poll(() => rendering).toBe(1);
  asked.push(get('/services', network(2)));
  await expect.poll(() => metric('handwise_work_waiting{work="pages"}')).toBe(1);
  const refused = await get('/contact', network(3));
  expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
    503,
    '2',
    'text/html; charset=utf-8',
  ]);
  expect(refused.body).toContain('<h1>');
  expect(refused.headers['cache-control']).toBe('no-store');
  const data = await get('/contact.data', network(3), '*/*');
  expect([data.statusCode, data.headers['retry-after'], data.json().code]).toEqual([503, '2', 'overloaded']);
  // Whatever its address has besides what the page reads.
  const kept = await get('/privacy?utm_source=x&page=7', network(3));
  expect([kept.statusCode, kept.headers['x-cache']]).toEqual([200, 'hit']);
  expect(await metric('handwise_work_running{work="pages"}')).toBe(1);
  expect(await metric('handwise_work_refused_total{work="pages",because="all"}')).toBe(2);
  gate.resolve(null);
  expect(statuses(await Promise.all(asked))).toEqual([200, 200]);
  expect((await get('/contact', network(3))).statusCode).toBe(200);
});

test('searches of one network wait for each other, and those of others go on at once', async () => {
  const { get, metric } = await narrow({ searches: { running: 3, waiting: 9, ofOne: { running: 2, waiting: 1 } } });
  const release = await holdSearches();
  const search = (index: number, path = '/api/search') => get(path, network(index));
  const own = Array.from({ length: 5 }, () => search(1));
  await expect.poll(() => metric('handwise_work_refused_total{work="searches",because="one"}')).toBe(2);
  expect(await metric('handwise_work_running{work="searches"}')).toBe(2);
  const other = search(2, '/api/listing/all');
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(3);
  await release();
  const answers = await Promise.all(own);
  expect(statuses(answers).filter((status) => status === 200)).toHaveLength(3);
  for (const { statusCode, headers } of answers) expect(headers['retry-after']).toBe(statusCode === 429 ? '2' : undefined);
  expect((await other).statusCode).toBe(200);
});

test('each way to search has its turn: lists, searches, places and suggestions; a search of one letter takes the room of four', async () => {
  const { get, metric } = await narrow({ searches: { running: 4, waiting: 0 } }, nothingKept);
  const release = await holdSearches();
  const ways = ['/api/listing/all', '/api/search', '/api/search/places', '/api/search/suggest?q=plumb'];
  const light = ways.map((way, index) => get(way, network(index + 1)));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBeGreaterThanOrEqual(3);
  await release();
  expect(statuses(await Promise.all(light))).toEqual([200, 200, 200, 200]);
  const again = await holdSearches();
  const heavy = get('/api/search?q=a', network(1));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(4);
  for (const way of ways) {
    const refused = await get(way, network(2));
    expect([way, refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([way, 503, '2', 'overloaded']);
  }
  await again();
  expect((await heavy).statusCode).toBe(200);
});

test('whoever has had its work is told when to come back, from any address of its network, and gets what costs nothing', async () => {
  const { get } = await narrow({ networkWork: { milliseconds: 0.001, windowMs: 60_000 } });
  expect((await get('/privacy', network(9))).statusCode).toBe(200);
  const search = '/api/search?q=plumber';
  expect((await get(search, '2001:db8:1:1::1')).statusCode).toBe(200);
  // Not the same, which is kept.
  const refused = await get(`${search}&page=2`, '2001:db8:1:1:ffff::2');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get('/contact', '2001:db8:1:1::3')).statusCode).toBe(429);
  expect((await get('/api/plan/all', '2001:db8:1:1::1')).statusCode).toBe(200);
  expect((await get('/privacy', '2001:db8:1:1::1')).headers['x-cache']).toBe('hit');
  expect((await get(search, '2001:db8:1:2::1')).statusCode).toBe(200);
});

test('a page counts for whoever asked for it, once, with all that it asks for itself', async () => {
  const { get } = await narrow({ networkWork: { milliseconds: 0.001, windowMs: 60_000 } }, nothingKept);
  loader = async ({ context: given_ }) => {
    const { call } = given_.get(build.entry.module.serverContext);
    await call(listListings, { query: {} });
    await call(findListings, { query: {} });
    return null;
  };
  expect(statuses([await get('/terms?page=2', network(1)), await get('/terms?page=3', network(2))])).toEqual([200, 200]);
  expect((await get('/terms?page=4', network(1))).statusCode).toBe(429);
});

test('what pages of several networks ask for has the share of each, and a page that gets no share says so as one, at once', async () => {
  const searches = { running: 2, waiting: 1, ofOne: { running: 1, waiting: 0 } };
  // Whatever was held back would never be told.
  const refusals = { ...usualBounds.refusals, atOnce: 0, wait: () => new Promise(() => {}) };
  const { get, metric } = await narrow({ searches, refusals }, nothingKept);
  loader = async ({ context: given_ }) => given_.get(build.entry.module.serverContext).call(listListings, { query: {} });
  const release = await holdSearches();
  const asked = [get('/terms?page=2', network(1)), get('/terms?page=3', network(2))];
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(2);
  const refused = await get('/terms?page=4', network(1));
  expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
    503,
    '2',
    'text/html; charset=utf-8',
  ]);
  await release();
  expect(statuses(await Promise.all(asked))).toEqual([200, 200]);
});

test('the machine itself is counted for nobody in the sandbox', async () => {
  const { get } = await narrow({ networkWork: { milliseconds: 0.001, windowMs: 60_000 } }, { ...nothingKept, SANDBOX: '1' });
  for (const address of ['127.0.0.1', '::1'])
    for (const page of [1, 2, 3]) expect([address, (await get(`/api/search?page=${page}`, address)).statusCode]).toEqual([address, 200]);
});

test('whoever is refused over and over is told so a moment later, holds no turn meanwhile, and holds up nobody else', async () => {
  const told: (() => void)[] = [];
  const refusals = { ...usualBounds.refusals, atOnce: 1, wait: () => new Promise<void>((tell) => void told.push(tell)) };
  const calls = { running: 9, waiting: 9, ofOne: { running: 1, waiting: 0 } };
  const { get } = await narrow({ refusals, calls, networkWork: { milliseconds: 0.001, windowMs: 60_000 } });
  const search = (page: number, of = 1) => get(`/api/search?q=plumber&page=${page}`, network(of));
  expect((await search(1)).statusCode).toBe(200);
  expect((await search(2)).statusCode).toBe(429);
  const held = search(3);
  await expect.poll(() => told.length).toBe(1);
  expect((await get('/api/plan/all', network(1))).statusCode).toBe(200);
  expect((await search(2, 2)).statusCode).toBe(200);
  expect((await search(3, 2)).statusCode).toBe(429);
  told[0]?.();
  expect([(await held).statusCode, told.length]).toEqual([429, 1]);
});

test('machines that ask have their turn among the searches', async () => {
  const { app, metric } = await narrow({ searches: { running: 4, waiting: 0 } });
  const release = await holdSearches();
  const ask = (q: string) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      remoteAddress: network(1),
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { q } } }),
    });
  const heavy = ask('a');
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(4);
  expect((await ask('plumber')).statusCode).toBe(503);
  await release();
  expect((await heavy).statusCode).toBe(200);
});
