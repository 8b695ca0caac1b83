import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp, testEnv } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { openDatabase } from '@handwise/server/kit/database';
import type { Tx } from '../../kit/database/database.ts';

const { given, besides, callers, db, parts } = await testApp();

/** Which statements take ten seconds longer, as with many millions of listings. */
let slow: 'all matches' | 'facets' | 'pages of many' | 'none' = 'none';
const asSlow = (text: string) => {
  if (slow === 'pages of many')
    return text.replace('select array(select listing_number from (', 'select pg_sleep(10) as asleep, array(select listing_number from (');
  return slow === 'all matches' || (slow === 'facets' && text.includes('filter (where'))
    ? text
        .replace(/(matched as materialized \(\s*select) \* from/, '$1 found.* from pg_sleep(10) as asleep,')
        .replace('as counts from listings', 'as counts from pg_sleep(10) as asleep, listings')
    : text;
};

const database = openDatabase({ url: parts.databaseUrl, connections: 8, isForSearches: true, statementMs: 2_000, onIdleError: () => {} });
database.pool.on('connect', (client) => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((text: unknown, ...more: unknown[]) =>
    query(typeof text === 'string' ? asSlow(text) : text, ...more)) as typeof client.query;
});
const app = await besides({
  context: parts.context,
  searchDb: database.db,
  env: { ...testEnv(), searchLimitMs: 2_000 },
  site: await testSite(),
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const headers = { host: 'localhost', accept: 'text/html' };
const get = (path: string) => app.inject({ url: encodeURI(path), headers });
const find = async (path: string) => {
  const answer = await get(`/api${path}`);
  const body = answer.json();
  return { status: answer.statusCode, headers: answer.headers, body, titles: titlesOf(body) };
};
const titlesOf = ({ listings = [] }: { listings?: { serviceTitle: string }[] }) => listings.map(({ serviceTitle }) => serviceTitle);

async function useTool(name: string, args: Record<string, unknown>) {
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { host: 'localhost', accept: 'application/json, text/event-stream' },
    payload,
  });
  return answer.json().result as { isError?: boolean; content: { text: string }[]; structuredContent?: any };
}

const roofing = 6;
const seller = await given.user();
const made = new Map<string, string>();
for (const [title, plan] of [
  ['Zigzags cleaned', 'basic'],
  ['Zigzags mended', 'featured'],
  ['Zigzags painted', 'premium'],
  ['Zigzags replaced', 'basic'],
  ['Roofs mended', 'featured'],
] as const)
  made.set(title, (await given.listing({ sellerId: seller._id, title, plan, district: 201, category: roofing })).id);
// The classifier and the places are loaded once.
await callers.asVisitor.get('/search?q=somebody to mend a dripping tap&where=Auckland');

beforeEach(() => {
  slow = 'none';
});

const byPlan = ['Zigzags mended', 'Zigzags painted', 'Zigzags replaced', 'Zigzags cleaned'];

describe('a search that finds some matches in time', () => {
  test.each([
    ['/search?q=zigzags&raw=1', 'add a place or a trade to narrow it down'],
    ['/search?q=zigzags&sort=rating&category=plumbing&raw=1', 'add a place to narrow it down'],
    ['/search?q=zigzags&where=Auckland', 'add a trade to narrow it down'],
    ['/search?q=zigzags&where=Auckland&category=plumbing&raw=1', 'search again to see them all'],
    ['/listing/all?title=zigzags', 'add a place or a trade to narrow it down'],
  ])('%s is partial, says so, and is whole as soon as the database is fast again', async (path, advice) => {
    slow = 'all matches';
    const partial = await find(path);
    expect([partial.status, partial.titles]).toEqual([200, byPlan]);
    expect(partial.body).toMatchObject({
      currentPage: 1,
      totalPages: null,
      totalListings: null,
      totalIsExact: false,
      notice: `Showing the first matches; ${advice}`,
    });
    expect(partial.headers['cache-control']).toBe('no-store');
    slow = 'none';
    const whole = await find(path);
    expect(whole.body).toMatchObject({ totalPages: 1, totalListings: 4, totalIsExact: true });
    expect(whole.headers['cache-control']).toBe('no-cache');
  });

  test('a page of it shows no number, is not stored, and is whole afterwards', async () => {
    for (const [path, count] of [
      ['/search?region=auckland&category=plumbing', '5 of 5 Active Listings'],
      ['/services/plumbing', '5 listings for plumbing'],
    ] as const) {
      slow = 'all matches';
      const partial = await get(path);
      const data = await get(path.replace(/(\?|$)/, '.data$1'));
      expect([path, partial.statusCode, partial.headers['cache-control'], data.headers['cache-control']]).toEqual([
        path,
        200,
        'no-store',
        'no-store',
      ]);
      expect(partial.body).toContain('Showing the first matches');
      expect(partial.body).toContain('Zigzags mended');
      expect(partial.body).not.toMatch(/\d+ of \d+ Active|\d+\+? listings? for|No listings found/);
      slow = 'none';
      const whole = await get(path);
      expect([whole.statusCode, whole.headers['cache-control']]).toEqual([200, expect.not.stringContaining('no-store')]);
      expect(whole.body).toContain(count);
    }
  });

  test('an answer that lacks only the numbers beside filters has its total, says what is missing, and is not stored', async () => {
    slow = 'facets';
    const { body, headers } = await find('/search?q=zigzags&category=plumbing&raw=1');
    expect(body).toMatchObject({ totalListings: 4, totalIsExact: true, totalPages: 1, facets: null });
    expect(body.notice).toMatch(/^Some numbers are missing/);
    expect(headers['cache-control']).toBe('no-store');
    slow = 'none';
    expect((await find('/search?q=zigzags&category=plumbing&raw=1')).body).toMatchObject({ notice: null, facets: { photos: 0 } });
  });

  test('a later page of few matches does not wait for the page of many that is looked for beside it', async () => {
    slow = 'pages of many';
    const { titles, body } = await find('/search?q=zigzags&raw=1&limit=2&page=2');
    expect([titles, body.totalListings, body.notice]).toEqual([byPlan.slice(2), 4, null]);
    // Nobody hears of its failure.
    await expect.poll(() => database.pool.idleCount === database.pool.totalCount, { timeout: 5_000 }).toBe(true);
  });

  test('an assistant is told that it is partial, and no position', async () => {
    slow = 'all matches';
    const search = { q: 'zigzags', raw: '1' };
    const { structuredContent, isError } = await useTool('search', search);
    expect([isError, structuredContent.totalListings, structuredContent.notice]).toEqual([
      undefined,
      null,
      expect.stringMatching(/^Showing the first matches/),
    ]);
    const found = await useTool('why', { ...search, listing: made.get('Zigzags mended') });
    expect(found.structuredContent).toMatchObject({ position: null, totalListings: null });
    const missing = await useTool('why', { ...search, listing: made.get('Roofs mended') });
    expect([missing.isError, missing.content[0]?.text]).toEqual([true, expect.stringMatching(/^search_timed_out \(503\)/)]);
  });
});

test('searches within the time limit have totals and no notice', async () => {
  const found = await callers.asVisitor.get('/search?q=zigzags');
  expect([found.body.totalListings, found.body.notice]).toEqual([4, null]);
  const listed = await callers.asVisitor.get('/listing/all?title=zigzags');
  expect(listed.body).toEqual({ listings: listed.body.listings, currentPage: 1, totalPages: 1, totalListings: 4, totalIsExact: true });
});

test('a search that finds nothing in time, and the places of one that finds some, are not answered', async () => {
  slow = 'all matches';
  for (const path of ['/search?q=zigzags&photos=1&raw=1', '/search?q=zigzags&raw=1&page=2', '/search/places?q=zigzags&raw=1']) {
    const { status, body } = await find(path);
    expect([path, status, body.code]).toEqual([path, 503, 'search_timed_out']);
  }
});

/** Runs `work` while nobody can read the table. */
const whileLocked = <Result>(table: string, work: () => Promise<Result>) =>
  db.transaction().execute(async (tx: Tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    return work();
  });

// None of these addresses is in the cache yet, and so below.
const calls = [
  '/search',
  '/search?q=zigzags&where=Ponsonby',
  '/search?category=plumbing&region=auckland&page=2&limit=2',
  '/search?q=zigzags mended tonight',
  '/listing/all?title=zigzags&page=2&limit=2',
  '/search/suggest?q=zigz',
  '/search/places?category=plumbing',
  '/search/town?region=auckland&town=ponsonby',
];

test('while the listings are locked nothing that searches is answered, and everything is right at once afterwards', async () => {
  const refused = await whileLocked('listings', () => Promise.all(calls.map(find)));
  for (const [at, { status, headers, body }] of refused.entries()) {
    expect([calls[at], status, body.code]).toEqual([calls[at], 503, 'search_timed_out']);
    expect([headers['retry-after'], headers['cache-control']]).toEqual(['2', 'no-store']);
  }
  const right = await Promise.all(calls.map((path) => callers.asVisitor.get(encodeURI(path))));
  expect((await Promise.all(calls.map(find))).map(({ body }) => body)).toEqual(right.map(({ body }) => body));
});

test('a page whose search is not answered is a 503 that keeps the search, and is right afterwards', async () => {
  const pages = [
    ['/search?q=zigzags&where=Auckland&photos=1', ['value="zigzags"', 'value="Auckland"', 'name="photos" checked=""'], /0 of 0 Active/],
    ['/search?q=zigzags&raw=1&page=2', ['value="zigzags"'], /This page isn|no page “2”/],
    ['/services/plumbing?sort=best', ['value="Plumbing"'], /5 listings for plumbing/],
    ['/services/plumbing?page=2', ['value="Plumbing"'], /This page isn/],
    ['/services/plumbing/auckland', ['value="Plumbing"', 'value="Auckland"'], /5 listings for plumbing/],
    ['/services/plumbing/auckland/ponsonby', ['value="Plumbing"', 'value="Ponsonby, Auckland"'], /5 listings for plumbing/],
  ] as const;
  const refused = await whileLocked('listings', () =>
    Promise.all(pages.flatMap(([path]) => [get(path), get(path.replace(/(\?|$)/, '.data$1'))])),
  );
  for (const [at, [path, fields, whole]] of pages.entries()) {
    const [page, data] = refused.slice(2 * at);
    for (const answer of [page, data])
      expect([path, answer?.statusCode, answer?.headers['retry-after'], answer?.headers['cache-control']]).toEqual([
        path,
        503,
        '2',
        'no-store',
      ]);
    const html = page?.body ?? '';
    expect(html).toContain('That search took too long. Trying again…');
    for (const field of fields) expect([path, html]).toEqual([path, expect.stringContaining(field)]);
    expect(html).not.toMatch(/noindex|No listings|There is no listing|0 of|isn't here|narrow it down/);
    expect((await get(path)).body).toMatch(whole);
  }
});

test('tools tell an assistant that a search took too long, never that there is nothing', async () => {
  const listing = made.get('Zigzags mended');
  const tools = [
    ['search', { q: 'zigzags' }],
    ['places', { category: 'plumbing' }],
    ['why', { q: 'zigzags', listing }],
  ] as const;
  const refused = await whileLocked('listings', () => Promise.all(tools.map(([name, args]) => useTool(name, args))));
  for (const { isError, content } of refused)
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^search_timed_out \(503\): That search took too long/)]);
  for (const [name, args] of tools) expect((await useTool(name, args)).isError).toBeUndefined();
});

test('an alert is not saved while it is unknown how its search is read', async () => {
  const member = await given.member();
  const save = () =>
    app.inject({
      method: 'POST',
      url: '/api/alerts',
      headers: { ...headers, authorization: `Bearer ${member.token}` },
      payload: { q: 'zigzags mended tonight', frequency: 'daily' },
    });
  const refused = await whileLocked('listings', save);
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'search_timed_out']);
  expect((await callers.as(member).get('/alerts')).body.alerts).toEqual([]);
  expect((await save()).statusCode).toBe(200);
});

test('words are not taken for unknown ones while the vocabulary is locked', async () => {
  const refused = await whileLocked('search_vocabulary', () => find('/search?q=zigzagz&raw=1&page=2'));
  expect([refused.status, refused.body.code]).toEqual([503, 'search_timed_out']);
  expect((await find('/search?q=zigzagz&raw=1')).body.totalListings).toBe(4);
});

test('asking prices are unknown, not missing, while their table is locked', async () => {
  const paths = ['/api/costs?country=AU', '/api/costs/plumbing/drain-cleaning'];
  const page = '/costs/plumbing/drain-cleaning';
  const refused = await whileLocked('asking_prices', () => Promise.all([...paths, page].map(get)));
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
  expect((await Promise.all(paths.map(get))).map(({ statusCode }) => statusCode)).toEqual([200, 404]);
});
