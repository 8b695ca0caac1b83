import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import pg from 'pg';
import { createElement, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { findLocalityBySlug } from '../src/domains/places/places.service.ts';

// The real pages, except two: one has an injected script, one shows the parameters it was given.
const site = await testSite();
const { routes } = await site.loadBuild();
const exchange = (id: string, default_: () => ReactNode) => {
  const route = routes[id];
  if (!route) throw new Error(`there is no ${id}`);
  routes[id] = { ...route, module: { ...route.module, default: default_ } };
};
exchange('pages/site/terms', () => createElement('script', { dangerouslySetInnerHTML: { __html: 'alert(1)' } }));
exchange('pages/site/contact', () => createElement('p', null, `Given: ${useLocation().search}.`));
const { app, db, given, callers, parts } = await testApp({ SANDBOX: '0' }, site);
const { as } = callers;
const { context } = parts;
const { events } = context;

const get = (url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => app.inject({ url, headers, remoteAddress });
const nz = { host: 'handwise.co.nz' };
const au = { host: 'handwise.com' };

/** Requests a page until it comes from the cache. */
async function keep(url: string, headers: Record<string, string> = {}) {
  await get(url, headers);
  expect([url, (await get(url, headers)).headers['x-cache']]).toEqual([url, 'hit']);
}
const stateOf = async (url: string, headers: Record<string, string> = {}) => {
  const answer = await get(url, headers);
  return [answer.statusCode, answer.headers['x-cache']];
};
const missed = [200, 'miss'];
const hit = [200, 'hit'];

test('renders a page once and serves it to all, in each encoding', async () => {
  const first = await get('/privacy');
  expect([first.statusCode, first.headers['x-cache'], first.headers['content-encoding']]).toEqual([200, 'miss', undefined]);
  expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(first.headers['cache-control']).toBe('public, max-age=0, must-revalidate');
  expect(first.body).toContain('</html>');
  const encodings: [string, string | undefined, (bytes: Buffer) => Buffer][] = [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['identity', undefined, (bytes) => bytes],
  ];
  for (const [accepted, encoding, unpack] of encodings) {
    const again = await get('/privacy', { 'accept-encoding': accepted });
    expect([accepted, again.headers['x-cache'], again.headers['content-encoding']]).toEqual([accepted, 'hit', encoding]);
    expect(again.headers['vary']).toContain('accept-encoding');
    expect(unpack(again.rawPayload).toString()).toBe(first.body);
  }
});

test('answers 304 to a client that has the page', async () => {
  const { etag = '' } = (await get('/pros')).headers;
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await get('/pros', { 'if-none-match': tags });
    expect([tags, again.statusCode, again.body]).toEqual([tags, 304, '']);
    expect(again.headers['etag']).toBe(etag);
  }
  expect((await get('/pros', { 'if-none-match': '"other"' })).statusCode).toBe(200);
});

test('caches pages per country host', async () => {
  await given.listing({ district: 306, category: 6 });
  await given.listing({ district: 2301, category: 6 });
  await keep('/services/plumbing', nz);
  const first = await get('/services/plumbing', au);
  expect(first.headers['x-cache']).toBe('miss');
  expect((await get('/services/plumbing')).headers['x-cache']).toBe('miss');
  expect((await get('/services/plumbing', nz)).body).toContain('Waikato');
  expect((await get('/services/plumbing', nz)).body).not.toContain('Queensland');
  expect(first.body).not.toContain('Waikato');
  expect(first.body).toContain('lang="en-AU"');
});

test('a page’s own calls use the visitor’s country', async () => {
  const place = { district: 1402, category: 9 };
  const { id } = await given.listing(place);
  const neighbour = await given.listing(place);
  expect((await get(`/listing/${id}`, nz)).body).toContain(neighbour.id);
  expect((await get(`/listing/${id}`, au)).body).not.toContain(neighbour.id);
});

test('a town page lists sellers based nearby or travelling there', async () => {
  const base = findLocalityBySlug(3, 'leamington')?.code ?? null;
  const own = await given.listing({ title: 'Fences of Leamington', district: 309, category: 11, base });
  const other = await given.listing({ title: 'Fences of Pirongia', district: 309, category: 11 });
  const town = (await get('/services/landscape-lawn-maintenance/waikato/leamington')).body;
  expect(town).toContain(own.id);
  // This one has a district only, whose main town is nearby.
  expect(town).toContain(other.id);
  const around = 'listings for landscape &amp; lawn maintenance based within 25 km of';
  expect(town).toContain(`2 ${around} Leamington, Waikato or travelling there.`);
  expect(town).toMatch(/<link rel="canonical" href="[^"]*\/services\/landscape-lawn-maintenance\/waikato\/leamington"/);
  expect(town).not.toContain('noindex');
  const near = (await get('/services/landscape-lawn-maintenance/waikato/cambridge')).body;
  expect(near).toContain(`2 ${around} Cambridge, Waikato or travelling there.`);
  expect(near).toContain('href="/services/landscape-lawn-maintenance/waikato/leamington"');
  const district = (await get('/services/landscape-lawn-maintenance/waikato/waipa')).body;
  expect([district.includes(own.id), district.includes(other.id), district.includes('noindex')]).toEqual([true, true, false]);
  // The page of its region links to it.
  expect((await get('/services/landscape-lawn-maintenance/waikato')).body).toContain(
    'href="/services/landscape-lawn-maintenance/waikato/waipa"',
  );
  expect(await stateOf('/services/landscape-lawn-maintenance/waikato/leamington')).toEqual(hit);
});

test('does not cache 404 and 410 pages', async () => {
  const { id } = await given.listing({ status: 'inactive' });
  for (const [url, status] of [
    ['/nothing-here', 404],
    ['/services/astrology', 404],
    ['/services/plumbing?page=900000', 404],
    ['/services/plumbing/waikato/narnia', 404],
    ['/services/plumbing/auckland/auckland', 404],
    ['/services/plumbing/otago/cambridge', 404],
    ['/services/plumbing/waikato/Cambridge', 404],
    [`/listing/${id}`, 410],
  ] as const) {
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await get(url);
      expect([url, answer.statusCode, answer.headers['x-cache']]).toEqual([url, status, 'miss']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  }
});

test('only parameters that a page reads are part of its cache key', async () => {
  await given.listing();
  await keep('/services');
  await keep('/services/plumbing');
  for (const url of [
    '/services?utm_source=mail',
    '/services?page=2',
    '/services/plumbing?ref=REF-AAA-1000',
    '/services/plumbing?a=1&b=2',
    '/services?',
  ]) {
    expect([url, await stateOf(url)]).toEqual([url, hit]);
  }
  expect((await get('/services/plumbing?page=2')).statusCode).toBe(404);
  expect(await stateOf('/services/plumbing?page=1')).toEqual(missed);
  expect(await stateOf('/services/plumbing?x=1&page=1&page=7')).toEqual(hit);
});

test('a page does not get parameters it does not read, so that they are not cached for all', async () => {
  const answer = await get('/contact?name=Mere');
  expect([answer.headers['x-cache'], answer.body.includes('Given: .')]).toEqual(['miss', true]);
  expect(answer.body).not.toContain('Mere');
});

test('does not cache pages with free text, so that made-up parameters evict nothing', async () => {
  const url = '/auth/login?redirect=%2Fmylistings%2Fmylistings';
  expect(await stateOf(url)).toEqual(missed);
  expect(await stateOf(url)).toEqual(missed);
  expect((await get(url)).body).toContain('redirect=/mylistings/mylistings');
  await keep('/auth/login');
  expect((await get('/auth/login')).body).not.toContain('redirect=/mylistings');
});

test.each([
  ['/referral-dashboard', '/referral'],
  ['/referral-dashboard?tab=share', '/referral?tab=share'],
  ['/Services/plumbing', '/services/plumbing'],
  ['/services/', '/services'],
  ['/services/plumbin%67', '/services/plumbing'],
  ['/LISTING/%30/', '/listing/0'],
  ['/services/?page=2&x=a%20b', '/services?page=2&x=a%20b'],
])('redirects %s to its canonical URL', async (url, location) => {
  const answer = await get(url);
  expect([answer.statusCode, answer.headers.location]).toEqual([301, location]);
});

test('does not redirect a canonical URL', async () => {
  for (const url of ['/listing/a%20b', '/listing/%C4%81', '/listing/a%2Fb', '/', '/services']) {
    const answer = await get(url);
    expect([url, answer.headers.location]).toEqual([url, undefined]);
  }
});

test('does not redirect a double slash to another host', async () => {
  for (const url of ['//evil.example', '//evil.example/services', '/%2Fevil.example']) {
    const answer = await get(url);
    expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 404, undefined]);
  }
});

test('a withdrawn listing is gone at once under every spelling of its URL', async () => {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id });
  const spellings = [id.toUpperCase(), `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`, `${id}/`];
  for (const spelling of spellings) {
    const answer = await get(`/listing/${spelling}`);
    expect([spelling, answer.statusCode, answer.headers.location]).toEqual([spelling, 301, `/listing/${id}`]);
  }
  await keep(`/listing/${id}`);
  expect(await stateOf(`/listing/${id}?utm_source=mail`)).toEqual(hit);
  expect((await as(seller).put(`/listing/${id}/deactivate`)).status).toBe(200);
  for (const url of [`/listing/${id}`, `/listing/${id}?utm_source=mail`]) expect((await get(url)).statusCode).toBe(410);
  for (const spelling of spellings) expect((await get(`/listing/${spelling}`)).statusCode).toBe(301);
});

test('a change on another server invalidates the pages that show the listing only', async () => {
  const changed = await given.listing({ category: 7, district: 1503 });
  const neighbour = await given.listing({ category: 7, district: 1503 });
  const elsewhere = await given.listing({ category: 6, district: 2301 });
  const pages = [`/listing/${changed.id}`, `/listing/${neighbour.id}`, '/', '/services/roofing'];
  const others = [`/listing/${elsewhere.id}`, '/services/plumbing', '/services/roofing/waikato', '/privacy'];
  for (const url of [...pages, ...others]) await keep(url);
  await db.updateTable('listings').set({ service_title: 'Changed elsewhere' }).where('id', '=', changed.id).execute();
  await events.catchUp();
  for (const url of pages) expect([url, await stateOf(url)]).toEqual([url, missed]);
  for (const url of others) expect([url, await stateOf(url)]).toEqual([url, hit]);
  expect((await get(`/listing/${changed.id}`)).body).toContain('Changed elsewhere');
  expect((await get(`/listing/${neighbour.id}`)).body).toContain('Changed elsewhere');
});

test('shows the reply time and its formula from three answers on', async () => {
  const { id, seller_id } = await given.listing();
  const answer = async () => {
    const { _id: buyer_id } = await given.user();
    const created_at = new Date(context.clock.now().getTime() - 86_400_000);
    const answered_at = new Date(created_at.getTime() + 90 * 60_000);
    await db.insertInto('conversations').values({ listing_id: id, buyer_id, seller_id, created_at, answered_at }).execute();
  };
  await answer();
  await answer();
  expect((await get(`/listing/${id}`)).body).not.toContain('Answers within');
  await answer();
  // Another URL of the same page, which is not cached yet.
  const { body } = await get(`/listing/${id}`, nz);
  expect(body).toContain('Answers within about 2 hours');
  expect(body).toContain('The median time from a customer’s first message to the first answer');
});

const scriptsOf = (html: string) =>
  [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].map(([, attributes = '', code = '']) => ({ attributes, code }));
const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

test('the policy of a page allows the scripts that are the site’s own by their hashes, and no other inline script', async () => {
  const { id } = await given.listing();
  for (const url of ['/', `/listing/${id}`, '/services/plumbing', '/auth/login', '/nothing-here']) {
    for (const answer of [await get(url), await get(url)]) {
      const allowed = /script-src ([^;]*)/.exec(String(answer.headers['content-security-policy']))?.[1] ?? '';
      const scripts = scriptsOf(answer.body).filter(({ attributes }) => !attributes.includes('application/ld+json'));
      expect(scripts.length).toBeGreaterThan(3);
      expect(scripts.filter(({ code }) => !allowed.includes(hashOf(code)))).toEqual([]);
      expect(allowed.match(/sha256/g)?.length).toBe(new Set(scripts.map(({ code }) => code)).size);
      expect(allowed).not.toContain('unsafe');
      expect(answer.body).not.toContain('nonce=');
    }
  }
});

test('the policy blocks an injected script', async () => {
  const answer = await get('/terms');
  expect(answer.body).toContain('<script>alert(1)</script>');
  const policy = String(answer.headers['content-security-policy']);
  expect(policy).not.toContain(hashOf('alert(1)'));
  expect(policy.match(/sha256/g)?.length).toBeGreaterThan(3);
});

/** The remaining requests of the address in this minute; undefined if they are not counted. */
const left = async (url: string, headers: Record<string, string>, address: string) => {
  const answer = await get(url, headers, address);
  const counted = answer.headers['x-ratelimit-limit'] !== undefined;
  return {
    status: answer.statusCode,
    limit: answer.headers['x-ratelimit-limit'],
    left: counted ? Number(answer.headers['x-ratelimit-remaining']) : undefined,
  };
};

test('limits a network to 1,200 requests a minute', async () => {
  let last = await left('/api/plan/all', {}, '203.0.113.7');
  for (let next = last; next.status === 200; next = await left('/api/plan/all', {}, '203.0.113.7')) last = next;
  expect(last).toEqual({ status: 200, limit: '1200', left: 0 });
  const refused = await get('/api/plan/all', {}, '203.0.113.7');
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get('/api/plan/all', {}, '203.0.113.8')).statusCode).toBe(200);
});

test('counts every external request, including forged page calls and unknown URLs', async () => {
  for (const headers of [{}, { 'x-internal': '' }, { 'x-internal': 'true' }, { 'x-internal': '0'.repeat(32) }]) {
    for (const url of ['/api/plan/all', '/privacy', '/api/nothing']) {
      expect([url, headers, (await left(url, headers, '203.0.113.9')).limit]).toEqual([url, headers, '1200']);
    }
  }
});

test('counts unknown URLs with any method and body', async () => {
  const address = '203.0.113.10';
  const nowhere = [
    { url: '/nothing', method: 'POST' },
    { url: '/nothing', method: 'POST', payload: 'a=1', headers: { 'content-type': 'text/plain' } },
    { url: '/listing/1', method: 'DELETE' },
    { url: '/', method: 'PUT', payload: {} },
    { url: '/privacy', method: 'OPTIONS' },
    { url: '/api/plan/all', method: 'POST' },
    { url: '/assets/nothing.js', method: 'GET' },
  ] as const;
  const before = (await left('/api/plan/all', {}, address)).left ?? 0;
  for (const request of nowhere) {
    const { statusCode } = await app.inject({ ...request, remoteAddress: address });
    expect([request, statusCode]).toEqual([request, 404]);
  }
  expect((await left('/api/plan/all', {}, address)).left).toBe(before - nowhere.length - 1);
});

test('does not count a page’s own calls', async () => {
  const { id } = await given.listing();
  const own = async () => (await left('/api/plan/all', {}, '127.0.0.1')).left ?? 0;
  let before = await own();
  let after = before + 1;
  // Repeated if a new minute has started.
  for (; after > before; after = await own()) {
    before = await own();
    events.emit('listings', 'many');
    // Rendered or revalidated: it makes all its calls in either case.
    const [status, state] = await stateOf(`/listing/${id}`);
    expect([status, ['miss', 'same'].includes(String(state))]).toEqual([200, true]);
  }
  // The visit itself and the measuring request.
  expect(before - after).toBe(2);
});

test('shows a user’s own change at once', async () => {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id });
  await keep(`/listing/${id}`);
  expect((await as(seller).put(`/listing/${id}/deactivate`)).status).toBe(200);
  expect((await get(`/listing/${id}`)).statusCode).toBe(410);
});

test('while the database is down, answers an uncached 503 page and still serves cached pages', async () => {
  await keep('/services/cleaning');
  const terminated = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  const query = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(() => Promise.reject(terminated) as never);
  try {
    const answer = await get('/services/roofing/otago');
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers['cache-control']]).toEqual([503, '2', 'no-store']);
    expect(answer.headers['content-type']).toMatch('text/html');
    expect(answer.body.replaceAll('&#x27;', "'")).toContain('Our servers are very busy at the moment');
    const ofLink = await get('/services/roofing/otago.data');
    expect([ofLink.statusCode, ofLink.headers['retry-after'], ofLink.headers['cache-control']]).toEqual([503, '2', 'no-store']);
    terminated.code = '53100';
    expect((await get('/services/roofing/canterbury')).statusCode).toBe(503);
    expect(await stateOf('/services/cleaning')).toEqual([200, 'old']);
  } finally {
    query.mockRestore();
  }
  expect((await get('/services/roofing/otago')).statusCode).toBe(200);
});

test('only the landing page’s sign-in explains membership and offers registration first', async () => {
  const [, href = ''] = /href="([^"]+)"[^>]*>Browse Pros near you/.exec((await get('/')).body) ?? [];
  expect(href).toMatch(/^\/auth\/login/);
  const { body } = await get(href);
  const [offer, password] = [body.indexOf('Create a free account'), body.indexOf('autoComplete="current-password"')];
  expect(offer).toBeGreaterThan(0);
  expect(password).toBeGreaterThan(offer);
  expect(body).toContain('Members browse the pros near them');
  expect(body).toMatch(/<a [^>]*href="\/auth\/register"[^>]*>Create a free account/);
  expect(body).toMatch(/<a [^>]*href="\/search"[^>]*>Search without an account/);
  for (const path of ['/auth/login', '/auth/login?redirect=/messages']) {
    expect((await get(path)).body).not.toContain('Members browse the pros near them');
  }
  expect((await get('/auth/register')).body).toContain('They’ll see your full name, username and email address.');
  expect((await get('/privacy')).body).toContain('they see your full name, username and email address');
});
