import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ErrorCode, errors } from '@handwise/contract/errors';
import { testApp, testEnv } from '@handwise/sandbox/testing/app';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';
import { faultsOfHtml } from '@handwise/sandbox/testing/valid-html';
import { findLocalityBySlug } from '../domains/places/places.service.ts';
import { readEnv } from '../env.ts';
import { requestTimeouts } from '../kit/database/connections.ts';
import { openDatabaseProbe } from '../kit/database/database-health.ts';
import { openDatabase } from '../kit/database/database.ts';
import { Events } from '../kit/events/events.ts';

const { app, besides, db, given, callers, parts } = await testApp();
const { asVisitor, from } = callers;
const { context } = parts;

const post = (payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/auth/login', payload, headers: { 'content-type': 'application/json', ...headers } });

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('health answers ok once the database is available', async () => {
  const { status, body } = await asVisitor.get('/health');
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'ok' });
});

test('answers 503 with Retry-After if the database does not answer', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/nothing';
  const database = openDatabase({ url: nowhere, connections: 1, onIdleError: () => {} });
  const events = new Events(nowhere, () => {});
  const dead = await besides({ context: { ...context, events, db: database.db } });
  for (const url of ['/api/health', '/api/listing/all', '/api/plan/all']) {
    const answer = await dead.inject(url);
    expect([url, answer.statusCode, answer.json().code]).toEqual([url, 503, 'unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  await dead.close();
  await database.close();
});

test('rejects requests while the event loop is delayed, except for assets', async () => {
  const starved = await besides({
    // Any delay exceeds this.
    env: { ...testEnv(), eventLoopDelayMs: Number.MIN_VALUE },
  });
  onTestFinished(() => starved.close());
  const statusOf = async (url: string) => (await starved.inject(url)).statusCode;
  const refused = async () => expect((await starved.inject('/api/nothing')).json()).toMatchObject({ code: 'overloaded' });
  await vi.waitFor(refused, { timeout: 90_000, interval: 100 });
  // This app has no site, so they are unknown URLs.
  expect([await statusOf('/assets/one-1a2b.js'), await statusOf('/api/live')]).toEqual([404, 200]);
});

test('serves again at once after a pause of a second, as when a virtual machine is moved', async () => {
  const paused = await besides({ env: { ...testEnv(), eventLoopDelayMs: 600_000 } });
  onTestFinished(() => paused.close());
  await paused.ready();
  // So that a whole interval of the measurement passes within a pause.
  for (let pauses = 0; pauses < 3; pauses += 1) {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
    await new Promise(setImmediate);
  }
  expect((await paused.inject('/api/plan/all')).statusCode).toBe(200);
});

test('answers 503 to everything before it is ready', async () => {
  const early = await besides({ isReady: () => false });
  const requests = [
    ...['/', '/api/health', '/api/listing/all', '/api/docs', '/api/nothing', '/robots.txt', '/files/pictures/a-400.webp', '/nothing'].map(
      (url) => ({ url }),
    ),
    { url: '/api/auth/login', method: 'POST', payload: {} },
    { url: '/api/stripe/webhook', method: 'POST', payload: {} },
    { url: '/api/listing/1', method: 'PUT' },
    { url: '/nothing', method: 'DELETE' },
  ] as const;
  for (const request of requests) expect([request, (await early.inject(request)).statusCode]).toEqual([request, 503]);

  // Live, so that a supervisor does not restart it again and again.
  expect((await early.inject('/api/live')).json()).toEqual({ status: 'ok' });

  // A browser's navigation gets a self-contained page, other requests the common error format.
  const accept = 'text/html,application/xhtml+xml,image/webp,*/*;q=0.8';
  for (const [url, method] of [
    ['/', 'GET'],
    ['/services/plumbing?page=2', 'HEAD'],
  ] as const) {
    const page = await early.inject({ url, method, headers: { accept } });
    expect([url, page.statusCode, page.headers['content-type'], page.headers['retry-after'], page.headers['cache-control']]).toEqual([
      url,
      503,
      'text/html; charset=utf-8',
      '2',
      'no-store',
    ]);
  }
  const { body, headers } = await early.inject({ url: '/', headers: { accept } });
  expect(body).toContain("<h1>We'll be right back</h1>");
  expect(await faultsOfHtml(body)).toEqual([]);
  expect(headers['content-security-policy']).toContain("style-src 'self' 'unsafe-inline'");
  for (const request of [
    { url: '/api/plan/all', headers: { accept } },
    { url: '/', headers: { accept: '*/*' } },
    { url: '/', method: 'POST', headers: { accept } },
  ] as const)
    expect([request, (await early.inject(request)).json().code]).toEqual([request, 'unavailable']);
  await early.close();
});

test('a stopping server fails its health call first, answers everything else and closes its connections', async () => {
  let stopping = false;
  const ending = await besides({ isStopping: () => stopping });
  let statusWhileClosing = 0;
  ending.addHook('preClose', async () => {
    const bound = ending.server.address();
    const port = typeof bound === 'object' ? bound?.port : 0;
    statusWhileClosing = (await fetch(`http://127.0.0.1:${port}/api/plan/all`)).status;
  });
  const states = async () =>
    Promise.all(
      ['/api/health', '/api/plan/all', '/api/nothing'].map(async (url) => {
        const { statusCode, headers } = await ending.inject(url);
        return [statusCode, headers['connection']];
      }),
    );
  expect(await states()).toEqual([
    [200, 'keep-alive'],
    [200, 'keep-alive'],
    [404, 'keep-alive'],
  ]);
  stopping = true;
  expect(await states()).toEqual([
    [503, 'close'],
    [200, 'close'],
    [404, 'close'],
  ]);
  await ending.listen({ port: 0, host: '127.0.0.1' });
  await ending.close();
  // Requests that arrived during the stop were answered too.
  expect(statusWhileClosing).toBe(200);
});

test('health answers 503 within seconds if the database is silent', async () => {
  const network = await startFreezingProxy(parts.databaseUrl);
  network.freeze('all');
  const silent = openDatabase({ url: network.url, connections: 1, onIdleError: () => {}, timeouts: { connectMs: 600_000 } });
  const waiting = await besides({ context: { ...context, events: new Events('', () => {}), db: silent.db } });
  expect((await waiting.inject('/api/health')).statusCode).toBe(503);
  await waiting.close();
  await network.close();
});

test('the health check repeats a success for a second while the next check runs, and never a failure', async () => {
  const network = await startFreezingProxy(parts.databaseUrl);
  const probe = openDatabaseProbe(network.url);
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  expect(await probe.isReachable()).toBe(true);
  network.freeze('all');
  now += 999;
  expect(await probe.isReachable()).toBe(true);
  now += 1;
  expect(await probe.isReachable()).toBe(false);
  expect(await probe.isReachable()).toBe(false);
  clock.mockRestore();
  await probe.close();
  await network.close();
});

test('health does not wait for the pool, and other calls fail after a second', async () => {
  const narrow = openDatabase({ url: parts.databaseUrl, connections: 1, onIdleError: () => {}, timeouts: requestTimeouts });
  const probe = openDatabaseProbe(parts.databaseUrl);
  const crowded = await besides({
    context: { ...context, events: new Events('', () => {}), db: narrow.db },
    isDatabaseReachable: () => probe.isReachable(),
  });
  const held = await narrow.pool.connect();
  const plans = await crowded.inject('/api/plan/all');
  expect([plans.statusCode, plans.json().code, Number(plans.headers['retry-after']) > 0]).toEqual([503, 'unavailable', true]);
  const healthy = await Promise.all(['/api/health', '/api/health', '/api/live'].map((url) => crowded.inject(url)));
  expect(healthy.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  held.release();
  expect((await crowded.inject('/api/plan/all')).statusCode).toBe(200);
  await crowded.close();
  await Promise.all([narrow.close(), probe.close()]);
});

test('answers writes with 507 and Retry-After, and logs an error, if the database’s disk is full', async () => {
  await sql`create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(
    db,
  );
  await sql`create trigger no_room before insert on contact_messages for each row execute function no_room()`.execute(db);
  const message = { fullName: 'Mere', email: 'mere@example.org', website: '', message: 'Kia ora from the full disk' };
  const answer = await app.inject({ method: 'POST', url: '/api/contact', payload: message });
  expect([answer.statusCode, answer.json().code, answer.headers['retry-after']]).toEqual([507, 'database_full', '60']);
  await sql`drop trigger no_room on contact_messages`.execute(db);
  expect((await app.inject({ method: 'POST', url: '/api/contact', payload: message })).statusCode).toBe(200);
});

test.each([
  ['broken JSON', () => post('{"email":'), 400],
  ['a list instead of an object', () => post('[]'), 400],
  ['null', () => post('null'), 400],
  ['__proto__ in JSON', () => post('{"__proto__":{"role":"admin"},"email":"a@b.co","password":"x"}'), 400],
  ['JSON of 65 kB', () => post(JSON.stringify({ email: 'a@b.co', password: 'x'.repeat(65 * 1024) })), 413],
  ['JSON of 21 levels', () => post(`{"email":"a@b.co","password":"x","more":${nested(20)}}`), 400],
  ['JSON of 20 levels, with brackets in a text,', () => post(`{"email":"a@b.co","password":"\\"[[[[","more":${nested(19)}}`), 401],
  ['a megabyte of JSON', () => post(JSON.stringify({ email: 'a@b.co', password: 'x'.repeat(1_000_000) })), 413],
  ['plain text', () => post('email=a', { 'content-type': 'text/plain' }), 415],
  ['a form', () => post('email=a', { 'content-type': 'application/x-www-form-urlencoded' }), 415],
  ['a request of another site', () => post('{"email":"a@b.co","password":"x"}', { origin: 'https://evil.example' }), 403],
  ['a request that the browser calls cross-site', () => post('{"email":"a@b.co","password":"x"}', { 'sec-fetch-site': 'cross-site' }), 403],
  ['an origin that is none', () => post('{"email":"a@b.co","password":"x"}', { origin: 'null' }), 403],
  ['an unknown address', () => app.inject('/api/nothing/here'), 404],
  ['a doubled slash', () => app.inject({ method: 'POST', url: '//api/auth/login', payload: {} }), 404],
  ['another method', () => app.inject({ method: 'DELETE', url: '/api/listing/all' }), 404],
])('rejects %s in the common error format', async (_, send, status) => {
  const answer = await send();
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({
    message: expect.any(String),
    code: expect.any(String),
    errors: expect.any(Array),
    requestId: expect.any(String),
  });
});

test('responses have security headers, and pages can’t be framed', async () => {
  const { headers } = await asVisitor.get('/config');
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  expect(String(headers['content-security-policy']).match(/script-src[^;]*/)?.[0]).not.toContain('unsafe');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'geolocation=(self), payment=()',
    'cross-origin-opener-policy': 'same-origin',
    'x-request-id': expect.any(String),
  });
});

test('the policy allows connections to this installation’s payment provider only', async () => {
  const { headers, body } = await asVisitor.get('/config');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain(`connect-src 'self' ${new URL(body.payments.apiBase).origin};`);
  expect(policy).not.toContain('stripe.com');

  const real = await besides();
  const answer = await real.inject('/api/config');
  expect(answer.json().payments).toMatchObject({ mode: 'stripe', apiBase: '' });
  expect(answer.headers['content-security-policy']).not.toContain('stripe.com');
  expect(answer.headers['content-security-policy']).toContain("connect-src 'self';");
  await real.close();
});

test('serves no files outside of the store', async () => {
  for (const url of [
    '/files/../package.json',
    '/files/..%2f..%2fpackage.json',
    '/files/%2e%2e/%2e%2e/etc/passwd',
    '/files//etc/passwd',
    '/files/.env',
  ]) {
    const answer = await app.inject(url);
    expect([400, 403, 404]).toContain(answer.statusCode);
  }
});

test('a referral code is valid only if it exists, and guessing is limited per address', async () => {
  const { referralCode } = await given.user();
  const check = async (code: string) => (await asVisitor.get(`/referral/check/${encodeURIComponent(code)}`)).body;
  expect(await check(referralCode)).toEqual({ valid: true });
  expect(await check(referralCode.toLowerCase())).toEqual({ valid: true });
  expect(await check('REF-XXX-000000')).toEqual({ valid: false });
  expect(await check('REF')).toEqual({ valid: false });
  // One after another: of many at once, a busy server refuses some before it counts them.
  const guess = async (index: number) => (await from('198.51.100.9').get(`/referral/check/REF-AAA-${1000 + index}`)).status;
  for (let count = 0; count < 60; count += 1) expect(await guess(count)).toBe(200);
  expect([await guess(60), await guess(61)]).toEqual([429, 429]);
  expect((await from('198.51.100.10').get(`/referral/check/${referralCode}`)).body).toEqual({ valid: true });
});

test('lists plans by price, with the caps and prices of the contract', async () => {
  const { body } = await asVisitor.get('/plan/all');
  expect(
    body.map((plan: { planType: string; planPrice: number; photos: number; slots: number }) => [
      plan.planType,
      plan.planPrice,
      plan.photos,
      plan.slots,
    ]),
  ).toEqual([
    ['basic', 15, 5, 1],
    ['premium', 25, 10, 5],
    ['featured', 35, 15, 10],
  ]);
});

test('counts the site’s rows, optionally of one country', async () => {
  const nz = await given.listing({ district: 1601, category: 12 });
  await given.listing({ district: 2301, category: 12 });
  for (const stars of [4, 4, 5]) await given.review(nz.id, stars);
  const all = (await asVisitor.get('/facts')).body;
  const here = (await asVisitor.get('/facts?country=NZ')).body;
  expect([all.listings, here.listings]).toEqual([2, 1]);
  expect(here.categories.find((one: { slug: string }) => one.slug === 'handyman')).toMatchObject({
    listings: 1,
    reviewCount: 3,
    averageRating: 4.3,
  });
  expect(here.regions).toHaveLength(16);
  expect((await asVisitor.get('/facts?country=FJ')).status).toBe(400);
});

test('the API page lists general errors and file responses', async () => {
  const { paths } = (await asVisitor.get('/openapi.json')).body;
  expect(Object.keys(paths['/api/auth/login'].post.responses)).toEqual(expect.arrayContaining(['400', '403', '413', '415', '503']));
  expect(Object.keys(paths['/api/listing/all'].get.responses)).not.toContain('413');
  expect(Object.keys(paths['/api/listing/{id}'].get.responses)).toContain('401');
  const { responses } = paths['/api/receipt/{id}/pdf'].get;
  expect(Object.keys(responses['200'].content)).toEqual(['application/pdf']);
  expect(Object.keys(responses['404'].content)).toEqual(['application/json']);
});

test('the API page loads and describes every call of the contract with its errors', async () => {
  const { body } = await asVisitor.get('/openapi.json');
  expect(body.openapi).toMatch(/^3\.1/);
  const described = Object.entries<Record<string, { responses: object }>>(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => [`${method.toUpperCase()} ${path}`, Object.keys(responses)] as const),
  );
  const calls = await contractCalls();
  const all = calls.map((call) => `${call.method} /api${call.url.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(all.length).toBeGreaterThan(25);
  expect(described.map(([name]) => name).toSorted()).toEqual(all.toSorted());
  const statuses = new Map<string, readonly string[]>(described);
  for (const [at, call] of calls.entries()) {
    const expected = [
      call.status ?? 200,
      ...[...call.errors, 'too_many_requests', 'internal'].map((code) => errors[code as ErrorCode].status),
    ];
    expect([all[at], statuses.get(all[at] ?? '')]).toEqual([all[at], expect.arrayContaining(expected.map(String))]);
  }
  expect((await app.inject('/api/docs/')).statusCode).toBe(200);
});

test('a forged Host header changes no URL in responses', async () => {
  await parts.buildDocuments();
  for (const url of ['/robots.txt', '/sitemap.xml', '/sitemaps/pages.xml']) {
    const { body } = await app.inject({ url, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    expect(body).toContain('http://localhost:3000/');
    expect(body).not.toContain('evil.example');
  }
});

test('robots.txt names the site map, which lists exactly the active listings and each month’s draw', async () => {
  const active = await given.listing({ title: 'On the map' });
  const sleeping = await given.listing({ title: 'Off the map', status: 'inactive' });
  const { draws } = (await app.inject('/api/draws')).json<{ draws: { period: string }[] }>();
  await parts.buildDocuments();
  expect((await app.inject('/robots.txt')).body).toContain('Sitemap: http://localhost:3000/sitemap.xml');
  const index = (await app.inject('/sitemap.xml')).body;
  const files = [...index.matchAll(/<loc>http:\/\/localhost:3000([^<]*)<\/loc>/g)].map((match) => match[1] ?? '');
  const maps = (await Promise.all(files.map((file) => app.inject(file)))).map((answer) => answer.body).join('');
  expect(maps).toContain(`/listing/${active.id}<`);
  expect(maps).not.toContain(sleeping.id);
  expect(maps).toContain('/services/plumbing/waikato<');
  const months = (await app.inject('/sitemaps/pages.xml')).body;
  for (const path of ['/draws', '/draw-rules', ...draws.map(({ period }) => `/draws/${period}`)]) expect(months).toContain(`${path}<`);
  for (const part of ['0', '-1', 'x', '10000']) expect((await app.inject(`/sitemaps/listings-${part}.xml`)).statusCode).toBe(404);
});

test('the site map has pages of districts with listings and of towns with a base', async () => {
  const ofRoofing = async () => {
    await parts.buildDocuments();
    const { body } = await app.inject('/sitemaps/towns-roofing.xml');
    return [...body.matchAll(/<loc>[^<]*?(\/services[^<]*)/g)].map((match) => match[1]);
  };
  expect(await ofRoofing()).toEqual([]);
  const leamington = findLocalityBySlug(3, 'leamington')?.code ?? null;
  const hamilton = findLocalityBySlug(3, 'hamilton')?.code ?? null;
  await given.listing({ category: 7, district: 309, base: leamington });
  // Auckland is listed as a region and Hamilton as a district.
  await given.listing({ category: 7, district: 201 });
  await given.listing({ category: 7, district: 301, base: hamilton });
  expect(await ofRoofing()).toEqual([
    '/services/roofing/waikato/hamilton',
    '/services/roofing/waikato/waipa',
    '/services/roofing/waikato/leamington',
  ]);
  expect((await app.inject('/sitemap.xml')).body).toContain('/sitemaps/towns-roofing.xml<');
  expect((await app.inject('/sitemaps/towns-magic.xml')).statusCode).toBe(404);
});

test.each([
  [{ PORT: 'abc' }, /PORT/],
  [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL/],
  [{ MARKET_HOSTS: '{bad' }, /MARKET_HOSTS: is not JSON/],
  [{ NODE_ENV: 'production' }, /DATABASE_URL is not set/],
  [{ STRIPE_SECRET_KEY: 'sk_live_x' }, /STRIPE_PUBLISHABLE_KEY/],
])('rejects the environment %j with the name of the variable', (environment, message) => {
  expect(() => readEnv(environment)).toThrow(message);
});
