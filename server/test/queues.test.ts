import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { sql } from 'kysely';
import type { LoaderFunctionArgs } from 'react-router';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testApp, testEnv } from '@handwise/sandbox/testing/app';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { testSite } from '@handwise/sandbox/testing/site';
import { openMetrics } from '../src/composition/app-metrics.ts';
import { type Limits, defaultLimits } from '../src/kit/limits/limits.ts';

// The real pages, except one whose loader each test sets.
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

/** A server with limits so low that a test can reach them. */
async function narrow(limits: Partial<Limits>, cacheBytes = 1024 * 1024) {
  const app = await besides({
    env: { ...testEnv({ SANDBOX: '0' }), htmlCacheBytes: cacheBytes },
    // Nothing is cached without the events of changes.
    context,
    metrics: openMetrics({}, context),
    site,
    limits: { ...defaultLimits, ...limits },
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

/** Holds all searches until the function that it returns is called. */
async function blockSearches() {
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

/** Holds the page of terms, once it is asked for, until `release`. */
function holdTerms() {
  const gate = Promise.withResolvers<null>();
  let rendering = 0;
  loader = async () => {
    rendering += 1;
    return gate.promise;
  };
  return { begun: () => expect.poll(() => rendering).toBe(1), release: () => gate.resolve(null) };
}

const nothingCached = 0;
const network = (index: number) => `198.51.100.${index}`;
const statuses = (answers: { statusCode: number }[]) => answers.map(({ statusCode }) => statusCode);

test('limits the calls of one network, but not those of others, its pages and its forms with files', async () => {
  const { app, get, metric } = await narrow({ calls: { running: 9, waiting: 9, perClient: { running: 2, waiting: 1 } } }, nothingCached);
  loader = async ({ context: given_ }) => given_.get(build.entry.module.serverContext).call('GET /listing/all', { query: {} });
  const release = await blockSearches();
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
  // Every response ends its task, errors included.
  for (const url of ['/api/plan/all', '/api/search?page=none', '/api/user/me', '/api/nothing', '/api/plan/all']) {
    expect([url, (await get(url, network(1))).statusCode]).not.toEqual([url, 429]);
  }
  expect(await metric('handwise_work_running{work="calls"}')).toBe(0);
});

test('closes a connection that sends many requests before the first is answered, and counts it', async () => {
  const { app, metric } = await narrow({ clients: { ...defaultLimits.clients, pipelined: 2 } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET /api/plan/all HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(50));
  await once(socket, 'close');
  expect(await metric('handwise_connections_cut_total{because="pipelined"}')).toBe(1);
  expect(await metric('handwise_connections_cut_total{because="stalled"}')).toBe(0);
});

test('an open event stream takes no place in the queue', async () => {
  const { app, metric } = await narrow({ calls: { running: 9, waiting: 9, perClient: { running: 1, waiting: 0 } } });
  const { token } = await given.user();
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const open = () => openEventStream(address, token);
  const streams = [await open(), await open(), await open()];
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await metric('handwise_work_running{work="calls"}')).toBe(0);
  for (const stream of streams) stream.close();
});

test('answers 503 with a page when too many pages wait, and serves cached pages all the same', async () => {
  const { get, metric } = await narrow({ pages: { running: 1, waiting: 1 } });
  expect((await get('/privacy', network(1))).statusCode).toBe(200);
  const held = holdTerms();
  const requests = [get('/terms', network(1))];
  await held.begun();
  requests.push(get('/services', network(2)));
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
  // Regardless of parameters that the page does not read.
  const cached = await get('/privacy?utm_source=x&page=7', network(3));
  expect([cached.statusCode, cached.headers['x-cache']]).toEqual([200, 'hit']);
  expect(await metric('handwise_work_running{work="pages"}')).toBe(1);
  expect(await metric('handwise_work_refused_total{work="pages",because="all"}')).toBe(2);
  held.release();
  expect(statuses(await Promise.all(requests))).toEqual([200, 200]);
  expect((await get('/contact', network(3))).statusCode).toBe(200);
});

test('refuses over a connection what its queue would, before any other work, and nothing else', async () => {
  const none = { running: 1, waiting: 0 };
  const { app, get, metric } = await narrow({ pages: none, searches: none });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (path: string, accept = 'text/html', method = 'GET') => {
    const answer = await fetch(address + path, { method, headers: { accept, 'accept-encoding': 'br' } });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  for (const path of ['/privacy', '/api/search?q=plumber', '/contact.data']) expect((await ask(path)).status).toBe(200);
  const held = holdTerms();
  const page = get('/terms', network(1));
  await held.begun();
  const release = await blockSearches();
  const search = get('/api/search?q=roofer', network(2));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(1);

  const refused = await ask('/contact');
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('cache-control')]).toEqual([503, '2', 'no-store']);
  expect([refused.headers.get('content-type'), refused.headers.get('content-encoding')]).toEqual(['text/html; charset=utf-8', 'br']);
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(refused.body).toContain('<h1>');
  for (const path of ['/api/search?q=painter', '/terms.data?page=3']) {
    const { status, headers, body } = await ask(path, '*/*');
    expect([path, status, headers.get('retry-after'), JSON.parse(body).code]).toEqual([path, 503, '2', 'overloaded']);
    expect(JSON.parse(body).requestId).toBe(headers.get('x-request-id'));
  }
  // Fastify, whose plugin would have set this header, has not seen them; the metrics have.
  expect(refused.headers.has('x-dns-prefetch-control')).toBe(false);
  const requests = (route: string) => metric(`handwise_http_request_duration_seconds_count{method="GET",route="${route}",status="5xx"}`);
  expect([await requests('/*'), await requests('/api/search')]).toEqual([2, 1]);
  expect(await metric('handwise_work_refused_total{work="pages",because="all"}')).toBe(2);
  expect(await metric('handwise_work_refused_total{work="searches",because="all"}')).toBe(1);

  const answered = ['/privacy?utm_source=x', '/api/search?q=plumber', '/contact.data', '/api/plan/all', '/robots.txt', '/api/health'];
  for (const path of answered) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  expect((await ask('/files/none.webp')).status).toBe(404);
  expect((await ask('/contact', '*/*', 'POST')).status).toBe(404);
  held.release();
  await release();
  expect(statuses([await page, await search])).toEqual([200, 200]);
  expect((await ask('/contact')).status).toBe(200);
});

test('a request whose body does not come is left to the limits of bodies, and closed', async () => {
  const { app, get, metric } = await narrow({
    pages: { running: 1, waiting: 0 },
    bodies: { ...defaultLimits.bodies, completeMs: 300 },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const held = holdTerms();
  const page = get('/terms', network(1));
  await held.begun();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET /contact HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\n\r\n');
  await once(socket, 'close');
  expect(await metric('handwise_connections_cut_total{because="unfinished"}')).toBe(1);
  held.release();
  expect((await page).statusCode).toBe(200);
});

test('a request that was sent before the last answer was read is left to the limits of slow clients', async () => {
  const { app, get, metric } = await narrow({ pages: { running: 1, waiting: 0 }, clients: { ...defaultLimits.clients, pipelined: 2 } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const held = holdTerms();
  const page = get('/terms', network(1));
  await held.begun();
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write('GET /contact HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(50));
  await once(socket, 'close');
  expect(await metric('handwise_connections_cut_total{because="pipelined"}')).toBe(1);
  held.release();
  expect((await page).statusCode).toBe(200);
});

test('answers 429 to a network with too many pages of its own', async () => {
  const { get } = await narrow({ pages: { running: 2, waiting: 9, perClient: { running: 1, waiting: 0 } } });
  const held = holdTerms();
  const page = get('/terms', network(1));
  await held.begun();
  const refused = await get('/services', network(1));
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  held.release();
  expect((await page).statusCode).toBe(200);
});

test('searches of one network wait for each other, those of another network start at once', async () => {
  const { get, metric } = await narrow({ searches: { running: 3, waiting: 9, perClient: { running: 2, waiting: 1 } } });
  const release = await blockSearches();
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

test('queues every kind of search: lists, searches, places and suggestions', async () => {
  const { get, metric } = await narrow({ searches: { running: 4, waiting: 0 } }, nothingCached);
  const release = await blockSearches();
  const ways = ['/api/listing/all', '/api/search', '/api/search/places', '/api/search/suggest?q=plumb'];
  const light = ways.map((way, index) => get(way, network(index + 1)));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBeGreaterThanOrEqual(3);
  await release();
  expect(statuses(await Promise.all(light))).toEqual([200, 200, 200, 200]);
  const again = await blockSearches();
  const full = [1, 2, 3, 4].map((page) => get(`/api/search?page=${page}`, network(1)));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(4);
  for (const way of ways) {
    const refused = await get(way, network(2));
    expect([way, refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([way, 503, '2', 'overloaded']);
  }
  await again();
  expect(statuses(await Promise.all(full))).toEqual([200, 200, 200, 200]);
});

test('a page that is rendered is not refused half-way: its searches wait for no others', async () => {
  const { get, metric } = await narrow({ searches: { running: 1, waiting: 0 } }, nothingCached);
  loader = async ({ context: given_ }) => given_.get(build.entry.module.serverContext).call('GET /listing/all', { query: {} });
  const release = await blockSearches();
  const search = get('/api/search', network(1));
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(1);
  const pages = [get('/terms?page=2', network(1)), get('/terms?page=3', network(2))];
  await expect.poll(() => metric('handwise_work_running{work="pages"}')).toBe(2);
  expect((await get('/api/search?page=2', network(2))).statusCode).toBe(503);
  await release();
  expect(statuses(await Promise.all([search, ...pages]))).toEqual([200, 200, 200]);
});

test('queues the searches of MCP clients with the others', async () => {
  const { app, metric } = await narrow({ searches: { running: 1, waiting: 0 } });
  const release = await blockSearches();
  const search = (q: string) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      remoteAddress: network(1),
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
      payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: { q } } }),
    });
  const first = search('roofer');
  await expect.poll(() => metric('handwise_work_running{work="searches"}')).toBe(1);
  expect((await search('plumber')).statusCode).toBe(503);
  await release();
  expect((await first).statusCode).toBe(200);
});

test('delays repeated rejections of a network, but nothing of other networks', async () => {
  const ends: (() => void)[] = [];
  const rejections = { ...defaultLimits.rejections, free: 1, wait: () => new Promise<void>((end) => void ends.push(end)) };
  const calls = { running: 9, waiting: 9, perClient: { running: 1, waiting: 0 } };
  const { get, metric } = await narrow({ rejections, calls }, nothingCached);
  const release = await blockSearches();
  const running = get('/api/search', network(1));
  await expect.poll(() => metric('handwise_work_running{work="calls"}')).toBe(1);
  await expect.poll(async () => (await get('/api/plan/all', network(1))).statusCode).toBe(429);
  const delayed = get('/api/plan/all', network(1));
  await expect.poll(() => ends.length).toBe(1);
  expect((await get('/api/plan/all', network(2))).statusCode).toBe(200);
  ends[0]?.();
  expect((await delayed).statusCode).toBe(429);
  await release();
  expect((await running).statusCode).toBe(200);
  expect((await get('/api/plan/all', network(1))).statusCode).toBe(200);
});

test('a body that has not arrived takes no place in the queue', async () => {
  const { app, get, metric } = await narrow({ calls: { running: 1, waiting: 0, perClient: { running: 1, waiting: 0 } } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  for (let index = 2; index < 10; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${index}` });
    socket.on('error', () => {}).resume();
    onTestFinished(() => void socket.destroy());
    socket.write('POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":');
    await once(app.server, 'request');
  }
  expect((await get('/api/plan/all', '127.0.0.2')).statusCode).toBe(200);
  expect(await metric('handwise_work_running{work="calls"}')).toBe(0);
});

test('health and liveness wait for no queue, limit or database connection', async () => {
  const { get, metric } = await narrow({ calls: { running: 1, waiting: 0 } }, nothingCached);
  const release = await blockSearches();
  const search = get('/api/search', network(1));
  await expect.poll(() => metric('handwise_work_running{work="calls"}')).toBe(1);
  expect(statuses([await get('/api/plan/all', network(2))])).toEqual([503]);
  expect(statuses([await get('/api/health', network(2)), await get('/api/live', network(2))])).toEqual([200, 200]);
  const answers = new Set<number>();
  for (let times = 0; times < 1_210; times += 1) answers.add((await get('/api/live', network(3))).statusCode);
  expect([...answers]).toEqual([200]);
  await release();
  await search;
});

test('a person uploads in three places at a time, until one of them ends', async () => {
  const { app } = await narrow({});
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const [person, other] = [await given.user(), await given.user()];
  const head = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a.jpg"\r\n\r\n`;
  const sockets = [1, 2, 3].map(() => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {}).resume();
    onTestFinished(() => void socket.destroy());
    socket.write(
      `PUT /api/auth/avatar HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${person.token}\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n${head('avatar')}aaa`,
    );
    return socket;
  });
  await expect.poll(() => app.uploadsOf.get(person._id)).toBe(3);
  const upload = async ({ token }: { token: string }) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' };
    const payload = `${head('avatar')}aaa\r\n--x--\r\n`;
    return (await app.inject({ method: 'PUT', url: '/api/auth/avatar', remoteAddress: network(1), headers, payload })).json().code;
  };
  expect([await upload(person), await upload(other)]).toEqual(['too_many_uploads', 'unsupported_picture']);
  sockets[0]?.destroy();
  await expect.poll(() => app.uploadsOf.get(person._id)).toBe(2);
  expect(await upload(person)).toBe('unsupported_picture');
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => app.uploadsOf.size).toBe(0);
});
