import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type CachePolicy, EncodedResponse, ResponseCache, type Schedule } from './response-cache.ts';
import { TagVersions } from './tag-versions.ts';

const responseOf = (text: string) => new EncodedResponse(Buffer.from(text), { 'content-type': 'text/html' });
const latest = { latest: true };

function open(maxBytes = 1_000_000) {
  const tagVersions = new TagVersions();
  const cache = new ResponseCache(maxBytes, tagVersions);
  const store = (key: string, policy: Partial<CachePolicy> = {}) =>
    cache.startStoring(key)(responseOf(key), { tags: [], maxAgeSeconds: 30, ...policy });
  const has = (key: string, options = latest) => 'response' in cache.find(key, options);
  return { tagVersions, cache, store, has };
}

const decoders = { identity: (body: Buffer) => body, br: brotliDecompressSync, gzip: gunzipSync };
const encodings = ['identity', 'br', 'gzip'] as const;

test.for(encodings)('a response is the same in every encoding after it was sent as %s', async (first) => {
  const response = responseOf('<p>one</p>');
  await response.as(first);
  for (const encoding of encodings) expect(decoders[encoding](await response.as(encoding)).toString()).toBe('<p>one</p>');
});

test('a different body has a different ETag', () => {
  expect(responseOf('<p>one</p>').etag).toBe(responseOf('<p>one</p>').etag);
  expect(responseOf('<p>two</p>').etag).not.toBe(responseOf('<p>one</p>').etag);
});

test('an invalidated tag removes the responses that have it; an unknown change removes all', () => {
  const { tagVersions, store, has } = open();
  const tagsOf = { none: [], one: ['a'], both: ['a', 'b'], other: ['b'] };
  for (const [key, tags] of Object.entries(tagsOf)) store(key, { tags });
  const left = () => Object.keys(tagsOf).filter((key) => has(key));
  expect(left()).toEqual(['none', 'one', 'both', 'other']);
  tagVersions.invalidate(['a', 'c']);
  expect(left()).toEqual(['none', 'other']);
  tagVersions.invalidateAll();
  expect(left()).toEqual([]);
  store('one', { tags: ['a'] });
  expect(left()).toEqual(['one']);
});

test('does not store a response that was invalidated while it was computed', () => {
  const { tagVersions, cache } = open();
  for (const invalidate of [() => tagVersions.invalidate(['a']), () => tagVersions.invalidateAll()]) {
    const store = cache.startStoring('/');
    invalidate();
    store(responseOf('old'), { tags: ['a'], maxAgeSeconds: 30 });
    expect(cache.find('/', latest)).toEqual({ missed: 'unknown' });
  }
});

test('serves an invalidated response within its grace period, but not to a client that needs the latest', () => {
  const { tagVersions, store, has } = open();
  store('grace', { tags: ['a'], graceSeconds: 30 });
  store('none', { tags: ['a'], graceSeconds: 0 });
  expect([has('grace'), has('none')]).toEqual([true, true]);
  tagVersions.invalidate(['a']);
  const found = (key: string, needsLatest: boolean) => has(key, { latest: needsLatest });
  expect([found('grace', false), found('grace', true), found('none', false)]).toEqual([true, false, false]);
  // If changes may have been missed, the grace period could be exceeded.
  tagVersions.invalidateAll();
  expect(found('grace', false)).toBe(false);
});

test('serves no response past its maximum age, grace period or not', () => {
  const { cache, store } = open();
  store('short', { maxAgeSeconds: 0 });
  store('short with grace', { maxAgeSeconds: 0, graceSeconds: 30 });
  const missed = { missed: 'unknown' };
  expect([cache.find('short', latest), cache.find('short with grace', { latest: false })]).toEqual([missed, missed]);
});

test('says why a cached response is not fresh, and still returns it on request', () => {
  const { tagVersions, cache, store } = open();
  expect([cache.find('/', latest), cache.peek('/')]).toEqual([{ missed: 'unknown' }, undefined]);
  store('/', { tags: ['a'] });
  const { response } = cache.find('/', latest) as { response: EncodedResponse };
  tagVersions.invalidate(['a']);
  expect([cache.find('/', latest), cache.peek('/')]).toEqual([{ missed: 'changed' }, response]);
  tagVersions.invalidateAll();
  expect([cache.find('/', latest), cache.peek('/')]).toEqual([{ missed: 'incomplete' }, response]);
  const { now } = performance;
  onTestFinished(() => void (performance.now = now));
  performance.now = () => now.call(performance) + 31_000;
  expect([cache.find('/', latest), cache.peek('/')]).toEqual([{ missed: 'aged' }, response]);
});

test('serves a stale response for a minute, unless a known change has invalidated it', () => {
  const { tagVersions, cache, store } = open();
  store('/', { tags: ['a'] });
  store('/changed', { tags: ['b'] });
  tagVersions.invalidateAll();
  tagVersions.invalidate(['b']);
  expect([cache.findStale('/') !== undefined, cache.findStale('/changed')]).toEqual([true, undefined]);
  const { now } = performance;
  onTestFinished(() => void (performance.now = now));
  performance.now = () => now.call(performance) + 61_000;
  expect(cache.findStale('/')).toBeUndefined();
});

const atOnce: Schedule = (work) => work();

test('shares a response that is being computed if it is fresh once it is ready', async () => {
  // An unrelated tag is invalidated meanwhile; its own tag is; the computation fails.
  for (const [tag, outcome] of [
    ['b', 'shared'],
    ['a', 'own'],
    [null, 'own'],
  ] as const) {
    const { tagVersions, cache } = open();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const work = async () => {
      runs += 1;
      const store = cache.startStoring('/');
      await gate.promise;
      if (tag === null && runs === 1) throw new Error('failed');
      store(responseOf('computed'), { tags: ['a'], maxAgeSeconds: 30 });
    };
    const share = () => cache.share('/', { latest: true, schedule: atOnce, work });
    const requests = [share(), share(), share()];
    await Promise.resolve();
    expect(runs).toBe(1);
    if (tag) tagVersions.invalidate([tag]);
    gate.resolve();
    const [first, ...others] = await Promise.allSettled(requests);
    expect(first?.status).toBe(tag === null ? 'rejected' : 'fulfilled');
    // If the first computation can't be shared, one of the others computes for both.
    expect([tag, others.map((one) => one.status === 'fulfilled' && Object.keys(one.value))]).toEqual([tag, [[outcome], ['shared']]]);
    expect(runs).toBe(outcome === 'shared' ? 1 : 2);
    expect(Object.keys(await share())).toEqual(['shared']);
    tagVersions.invalidateAll();
    expect(Object.keys(await share())).toEqual(['own']);
  }
});

test('a queued request is not waited for, and takes what others computed meanwhile', async () => {
  const { cache, store } = open();
  const turn = Promise.withResolvers<void>();
  const queued: Schedule = async (work) => {
    await turn.promise;
    return work();
  };
  const late = cache.share('/', { latest: true, schedule: queued, work: async () => 'late' });
  const computed = cache.share('/', { latest: true, schedule: atOnce, work: async () => store('/') });
  expect(Object.keys(await computed)).toEqual(['own']);
  turn.resolve();
  expect(Object.keys(await late)).toEqual(['shared']);
});

test('requests do not wait for each other if the cache is off', async () => {
  const { cache } = open(0);
  const gate = Promise.withResolvers<void>();
  const one = cache.share('/', { latest: true, schedule: atOnce, work: () => gate.promise });
  expect(await cache.share('/', { latest: true, schedule: atOnce, work: async () => 'mine' })).toEqual({ own: 'mine' });
  gate.resolve();
  await one;
});

test('a body holds no more memory than its bytes, in any encoding', async () => {
  const response = responseOf('<p>small</p>'.repeat(50));
  for (const encoding of [...encodings, 'identity'] as const) {
    const body = await response.as(encoding);
    expect([encoding, body.buffer.byteLength]).toEqual([encoding, body.length]);
  }
  const large = responseOf('<p>large</p>'.repeat(100_000));
  expect(brotliDecompressSync(await large.as('br')).length).toBe(1_200_000);
});

test('compressing a response evicts its plain body until a client asks for it', async () => {
  const { cache } = open();
  const response = responseOf('<p>page</p>'.repeat(1_000));
  cache.startStoring('/')(response, { tags: [], maxAgeSeconds: 30 });
  const overhead = 1_000;
  expect(cache.bytes).toBe(11_000 + overhead);
  const [br, same] = await Promise.all([cache.bodyOf('/', response, 'br'), cache.bodyOf('/', response, 'br')]);
  expect(same).toBe(br);
  expect([br.length < 200, cache.bytes]).toEqual([true, br.length + overhead]);
  const plain = await cache.bodyOf('/', response, 'identity');
  expect([plain.length, cache.bytes]).toEqual([11_000, 11_000 + br.length + overhead]);
  expect(await cache.bodyOf('/', response, 'identity')).toBe(plain);
  const gzip = await cache.bodyOf('/', response, 'gzip');
  expect(cache.bytes).toBe(br.length + gzip.length + overhead);
});

test('computes each encoding once, however a client alternates between them', async () => {
  const response = responseOf('<p>page</p>'.repeat(1_000));
  const all = () => Promise.all([response.as('br'), response.as('gzip'), response.as('identity')]);
  await all();
  const held = await all();
  const bytes = response.bytes;
  for (const [at, body] of (await all()).entries()) expect(body).toBe(held[at]);
  expect([bytes, response.bytes]).toEqual([bytes, held.reduce((sum, body) => sum + body.length, 1_000)]);
});

test('two compressions at once count the plain body once', async () => {
  const response = responseOf('<p>page</p>'.repeat(1_000));
  const [br, gzip] = await Promise.all([response.as('br'), response.as('gzip')]);
  expect(response.bytes).toBe(br.length + gzip.length + 1_000);
});

test('stays within its bytes, counting each encoding', async () => {
  const { cache } = open(30_000);
  const keys = Array.from({ length: 20 }, (_, index) => `/services/${index}`);
  const responses = keys.map((key) => {
    const response = new EncodedResponse(randomBytes(3_000), {});
    cache.startStoring(key)(response, { tags: [], maxAgeSeconds: 30 });
    return response;
  });
  expect(cache.bytes).toBeLessThanOrEqual(30_000);
  const plain = cache.count;
  expect(plain).toBe(7);
  for (const [index, key] of keys.entries())
    for (const encoding of ['br', 'gzip'] as const) await cache.bodyOf(key, responses[index] as EncodedResponse, encoding);
  expect(cache.count).toBeLessThan(plain);
  expect(cache.bytes).toBeLessThanOrEqual(30_000);
});

test('evicts the older half of too many tags, and counts older responses as stale', () => {
  const tagVersions = new TagVersions(10);
  const old = tagVersions.version;
  for (let at = 0; at < 8; at += 1) tagVersions.invalidate([`tag ${at}`]);
  const late = tagVersions.version;
  expect(tagVersions.isFresh(old, ['untouched'])).toBe(true);
  for (let at = 8; at < 11; at += 1) tagVersions.invalidate([`tag ${at}`]);
  expect([tagVersions.isFresh(old, ['untouched']), tagVersions.isFresh(late, ['untouched']), tagVersions.isFresh(late, ['tag 9'])]).toEqual(
    [false, true, false],
  );
});
