import { afterAll, expect, test } from 'vitest';
import { testApp, testEnv } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { writeCookie } from '../kit/cache/write-cookie.ts';
import type { Replicas } from '../kit/replicas/replicas.ts';

// Counts the requests that replicas may answer.
let asked = 0;
const replicas = {
  readingFrom: (primary) => primary,
  inRequest: (work) => {
    asked += 1;
    return work();
  },
} as Pick<Replicas, 'readingFrom' | 'inRequest'> as Replicas;
const { besides, given } = await testApp();
// Without a cache, which would answer in place of a replica.
const env = { ...testEnv(), htmlCacheBytes: 0 };
const server = await besides({ env, replicas, site: await testSite() });
afterAll(() => server.close());

async function requestsFor(url: string, headers: Record<string, string> = {}) {
  asked = 0;
  const { statusCode } = await server.inject({ url, headers });
  return [url, statusCode, asked];
}

test('replicas may answer the searches and listings of visitors, and neither members nor whoever wrote a moment ago', async () => {
  const { id } = await given.listing({ district: 306, category: 6 });
  const { token } = await given.member();
  for (const url of ['/api/listing/all', '/api/search?q=plumber', '/api/search/places', `/api/listing/${id}`, `/api/listing/find/${id}`]) {
    expect(await requestsFor(url)).toEqual([url, 200, 1]);
    expect(await requestsFor(url, { authorization: `Bearer ${token}` })).toEqual([url, 200, 0]);
    expect(await requestsFor(url, { cookie: `signed-in=1; ${writeCookie}` })).toEqual([url, 200, 0]);
  }
  for (const url of ['/api/plan/all', '/api/config', `/api/listing/${id}/reviews`]) expect(await requestsFor(url)).toEqual([url, 200, 0]);
});

test('the calls of a page may be answered by replicas unless its reader wrote a moment ago', async () => {
  const { id } = await given.listing({ district: 306, category: 6 });
  for (const url of ['/services/plumbing', `/listing/${id}`, `/listing/${id}.data`]) {
    expect(await requestsFor(url)).toEqual([url, 200, expect.any(Number)]);
    expect(asked).toBeGreaterThan(0);
    expect(await requestsFor(url, { cookie: writeCookie })).toEqual([url, 200, 0]);
  }
});
