import { testApp } from '@handwise/sandbox/testing/app';
import { openDatabase } from '@handwise/server/kit/database';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../kit/database/database.ts';

const { given, besides, callers, db, parts } = await testApp();

// Reading all matches takes ten seconds longer, as with many millions of listings.
const database = openDatabase({ url: parts.databaseUrl, connections: 4, isForSearches: true, statementMs: 2_000, onIdleError: () => {} });
database.pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const asSlow = (text: string) => text.replace(/(matched as materialized \(\s*select) \* from/, '$1 found.* from pg_sleep(10) as asleep,');
  client.query = ((text: unknown, ...more: unknown[]) =>
    query(typeof text === 'string' ? asSlow(text) : text, ...more)) as typeof client.query;
});
const app = await besides({ searchDb: database.db, searchMs: 2_000, longestDelayMs: 0 });
afterAll(async () => {
  await app.close();
  await database.close();
});

const narrower = 'Showing the first matches; add a place or a trade to narrow it down';
const find = async (path: string) => {
  const startedAt = performance.now();
  const answer = await app.inject({ url: `/api${encodeURI(path)}`, headers: { host: 'localhost' } });
  const { listings, ...body } = answer.json();
  return {
    status: answer.statusCode,
    took: performance.now() - startedAt,
    titles: listings.map((listing: { serviceTitle: string }) => listing.serviceTitle),
    body,
  };
};

beforeAll(async () => {
  for (const [title, plan] of [
    ['Zigzags cleaned', 'basic'],
    ['Zigzags mended', 'featured'],
    ['Zigzags painted', 'premium'],
    ['Zigzags replaced', 'basic'],
    ['Roofs mended', 'featured'],
  ] as const)
    await given.listing({ title, plan, district: 201, category: 6 });
  // Warm up: the classifier and the places are loaded once.
  await callers.asVisitor.get('/search?q=somebody to mend a dripping tap&where=Auckland');
});

test.each([
  '/search?q=zigzags&raw=1',
  '/search?q=zigzags&sort=rating&raw=1',
  '/search?q=zigzags&where=Auckland',
  '/listing/all?title=zigzags',
])('%s answers with the first page by plan and no total when it takes too long', async (path) => {
  const { status, titles, body, took } = await find(path);
  expect(status).toBe(200);
  expect(titles).toEqual(['Zigzags mended', 'Zigzags painted', 'Zigzags replaced', 'Zigzags cleaned']);
  expect(body).toMatchObject({ currentPage: 1, totalPages: 1, totalListings: null, totalIsExact: false, notice: narrower });
  expect(took).toBeLessThan(8_000);
});

test('searches within the time limit have totals and no notice', async () => {
  const found = await callers.asVisitor.get('/search?q=zigzags');
  expect([found.body.totalListings, found.body.notice]).toEqual([4, null]);
  const listed = await callers.asVisitor.get('/listing/all?title=zigzags');
  expect(listed.body).toEqual({ listings: listed.body.listings, currentPage: 1, totalPages: 1, totalListings: 4, totalIsExact: true });
});

test('the fallback applies filters, and counting places ends in time', async () => {
  const { status, titles, body } = await find('/search?q=zigzags&photos=1&raw=1');
  expect([status, titles, body.totalListings]).toEqual([200, [], null]);
  const places = await app.inject({ url: '/api/search/places?q=zigzags&raw=1', headers: { host: 'localhost' } });
  expect([places.statusCode, places.json().isComplete]).toEqual([200, false]);
});

test.each(['listings', 'search_vocabulary'])('a search that waits for a lock on %s ends in time', async (table) => {
  const answer = await db.transaction().execute(async (tx: Tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    return find(`/search?q=zigzags&region=auckland&raw=1&page=${table === 'listings' ? 1 : 2}`);
  });
  expect([answer.status, answer.body.totalListings, answer.body.notice]).toEqual([200, null, narrower]);
  expect(answer.took).toBeLessThan(8_000);
});
