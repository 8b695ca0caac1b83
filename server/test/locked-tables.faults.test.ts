import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { matchRoutes } from 'react-router';
import { afterAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import type { listWorkCall } from '@handwise/contract/admin/work';
import type { Call } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';
import { createSample, listFields } from '@handwise/sandbox/testing/call-samples';
import { contractCalls } from '@handwise/sandbox/testing/calls';
import { testSite } from '@handwise/sandbox/testing/site';
import { times } from '@handwise/sandbox/testing/times';
import { computeCosts } from '../src/domains/costs/costs.service.ts';
import { closeDueDraws, completeDueDraws } from '../src/domains/draws/draws.service.ts';
import { issueTickets } from '../src/domains/tickets/tickets.service.ts';
import { Events } from '../src/kit/events/events.ts';
import { tools } from '../src/mcp/mcp.tools.ts';

// Each table in turn is locked, and everything that reads it is requested: all GET calls, the tools of MCP, the documents for search engines and a page of
// each kind. New ones are found by themselves. An answer is the same as without the lock, or it is a 503: what is unknown is never shown as nothing.

const site = await testSite();
const { besides, db, given, callers, parts } = await testApp({ SANDBOX: '0' }, site, { lockMs: 100, alwaysLatest: false });
const { as } = callers;
const { context, clock, databaseUrl, searchDb } = parts;

const locker = new pg.Client({ connectionString: databaseUrl });
await locker.connect();
afterAll(() => locker.end());

const hamilton = 306;
const member = await given.administrator();
const other = await given.member();

/** A row in as many tables as the calls read. */
async function fill() {
  const now = new Date();
  clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 10)));
  const entered = await given.member();
  const month = clock.now().toISOString().slice(0, 7);
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId: entered._id, tickets: 5, source: 'other' }));
  const { id: entry } = await db.selectFrom('draw_entries').select('id').where('user_id', '=', entered._id).executeTakeFirstOrThrow();
  clock.set(now);
  await closeDueDraws(context);
  await completeDueDraws(context);
  await db.transaction().execute((tx) => issueTickets(tx, context, { userId: member._id, tickets: 3, source: 'other' }));

  const paymentId = await given.payment(member, 'basic');
  await as(member).postForm('/listing/create', given.listingForm('basic', { paymentId }));
  const { id: payment } = await db.selectFrom('payments').select('id').where('user_id', '=', member._id).executeTakeFirstOrThrow();
  const [receipt] = (await as(member).get('/receipt/all')).body.data;
  const own = await given.listing({ sellerId: member._id, district: hamilton, category: 6, subCategory: 605, plan: 'featured' });
  const priced = await times(8, () => given.listing({ district: hamilton, category: 6, subCategory: 605, sellerId: other._id }));
  for (const [index, { id }] of priced.entries())
    await db
      .updateTable('listings')
      .set({ price_from_minor: 8_000 + 500 * index, price_unit: 'hour' })
      .where('id', '=', id)
      .execute();
  await computeCosts(context);
  const target = priced[0] ?? own;
  for (const rating of [5, 4, 3]) await given.review(target.id, rating, 'They came on time, worked tidily and asked a fair price.');
  await as(member).post('/review/create', { comment: 'Tidy work.', rating: 5, listingId: target.id });
  await as(member).post(`/listing/saved/${target.id}`);
  await as(member).post('/alerts', { category: 'plumbing', frequency: 'daily' });
  const { body: sent } = await as(member).postForm('/email/send', { sellerId: other._id, listingId: target.id, message: 'Kia ora' }, [
    { field: 'pdf', name: 'plan.pdf', bytes: Buffer.from('%PDF-1.7') },
  ]);
  const visitOn = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const { body: visit } = await as(other).post('/visits', {
    conversationId: sent.conversationId,
    clientId: randomUUID(),
    times: [{ start: `${visitOn}T10:00`, minutes: 60 }],
  });
  await as(member).post(`/visits/${visit._id}/take`, { start: visit.times[0].start });
  const { body: feed } = await as(member).post('/visits/feed', {});
  const lines = [{ description: 'Labour', quantityMilli: 1_000, unitMinor: 9_500 }];
  const validUntil = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const { body: quote } = await as(other).post('/quotes', {
    kind: 'quote',
    gstIncluded: true,
    validUntil,
    lines,
    conversationId: sent.conversationId,
    clientId: randomUUID(),
  });
  await as(member).post('/quote-requests', {
    job: 'A tap drips.',
    category: 'Plumbing',
    place: 'Taupō',
    when: 'asap',
    listingId: target.id,
    clientId: randomUUID(),
  });
  await given.card(member);
  return {
    month,
    own: own.id,
    listing: target.id,
    conversation: sent.conversationId,
    quote: quote._id,
    visit: visit._id,
    feed: new URL(feed.url).searchParams.get('token'),
    receipt: receipt._id,
    payment,
    entry,
  };
}
const filled = await fill();
await context.events.catchUp();
await parts.buildDocuments();
// Answers that name a time or a sum for the rest of a plan are the same each time.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
afterAll(() => vi.useRealTimers());

/** Parameters of calls and pages, by name or by call. */
const parameters: Record<string, unknown> = {
  id: filled.listing,
  period: filled.month,
  code: member.referralCode,
  category: 'Plumbing',
  q: 'plumber',
  where: 'Hamilton',
  region: 'waikato',
  town: 'hamilton',
  district: '306',
  begins: 'Ham',
  page: '1',
  limit: '5',
};
const parametersOf: Record<string, Record<string, unknown>> = {
  '/search': { q: 'plumber', where: 'Hamilton' },
  '/search/places': { q: 'plumber' },
  '/search/suggest': { q: 'drain' },
  '/licences/requirement': { region: 'Waikato', category: 'Plumbing' },
  '/listing/all': { category: 'Plumbing' },
  '/listing/bases': { district: 'Hamilton', begins: 'Ham' },
  '/costs/:category/:subCategory': { category: 'plumbing', subCategory: 'drain-cleaning' },
  '/draws/:period/log/inclusion': { entry: filled.entry },
  '/draws/:period/log/consistency': { from: '1', to: '1' },
  '/messages/reply-times': { listingIds: filled.listing },
  '/admin/funnel/:table/csv': { table: 'week' },
  '/admin/payment/:id': { id: filled.payment },
  '/admin/users/:id': { id: member._id },
  '/listing/:id/figures': { id: filled.own },
  '/messages/:id': { id: filled.conversation },
  '/messages/:id/others': { id: filled.conversation },
  '/messages/:id/pdf/:number': { id: filled.conversation, number: '1' },
  '/visits': { conversationId: filled.conversation },
  '/visits/:id.ics': { id: filled.visit },
  '/visits/feed.ics': { token: filled.feed },
  '/quotes': { conversationId: filled.conversation },
  '/quotes/summaries': { conversationIds: filled.conversation },
  '/quotes/:id': { id: filled.quote },
  '/quotes/:id/pdf': { id: filled.quote },
  '/receipt/:id': { id: filled.receipt },
  '/receipt/:id/pdf': { id: filled.receipt },
  '/plan-user/quote': { planId: given.planId('featured'), listingId: filled.own },
};
const toolArguments: Record<string, Record<string, unknown>> = {
  search: { q: 'plumber', where: 'Hamilton' },
  listing: { id: filled.listing },
  places: { category: 'Plumbing' },
  why: { q: 'plumber', where: 'Hamilton', listing: filled.own },
  draw_proof: { period: filled.month },
};

type App = Awaited<ReturnType<typeof besides>>;
type Ask = { name: string; send: (app: App) => Promise<LightMyRequestResponse> };

let networks = 0;
/** A separate network for each request, so that no limit answers instead. */
function nextNetwork() {
  networks += 1;
  return `198.51.${Math.floor(networks / 250) % 250}.${networks % 250}`;
}
const get = (url: string, headers: Record<string, string> = {}): Ask => ({
  name: url,
  send: (app) => app.inject({ url, headers: { host: 'localhost:3000', ...headers }, remoteAddress: nextNetwork() }),
});
const html = { accept: 'text/html' };

const isStream = ({ url }: Call) => url === '/events';
const ofCalls = (await contractCalls())
  .filter((call) => call.method === 'GET' && !isStream(call))
  .map((call): Ask => {
    const fields = listFields(call).flatMap((field) => {
      const own = { ...parameters, ...parametersOf[call.url] };
      const isNeeded =
        field.place === 'params' || !field.schema.safeParse(undefined).success || field.name in (parametersOf[call.url] ?? {});
      if (!isNeeded) return [];
      const value = field.schema.safeParse(own[field.name]).success ? own[field.name] : createSample(field);
      return [{ ...field, value: encodeURIComponent([value].flat().join()) }];
    });
    const path = call.url.replace(/:(\w+)/g, (_, name: string) => fields.find((field) => field.name === name)?.value ?? '');
    const query = fields.flatMap(({ place, name, value }) => (place === 'query' ? `${name}=${value}` : [])).join('&');
    return get(`/api${path}${query && `?${query}`}`, { ...(call.access !== 'public' && { authorization: `Bearer ${member.token}` }) });
  });

const ofTools = tools.map(({ name }): Ask => ({
  name: `mcp ${name}`,
  send: (app) =>
    app.inject({
      method: 'POST',
      url: '/mcp',
      payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: toolArguments[name] ?? {} } },
      headers: { accept: 'application/json, text/event-stream', host: 'localhost:3000' },
      remoteAddress: nextNetwork(),
    }),
}));

async function open() {
  const events = new Events(databaseUrl, () => {});
  await events.start();
  const app = await besides({ site, searchDb, context: { ...context, events } });
  return {
    app,
    async [Symbol.asyncDispose]() {
      await app.close();
      await events.stop();
    },
  };
}

/** The site's documents for search engines, and a page of each kind. */
async function listPages(): Promise<Ask[]> {
  await using opened = await open();
  const read = async (url: string) => (await opened.app.inject(url)).body;
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname);
  const files = addressesIn(await read('/sitemap.xml'));
  const filesOfInterest = files.filter((name) => !/towns-(?!plumbing)/.test(name));
  const addresses = (await Promise.all(filesOfInterest.map(async (name) => addressesIn(await read(name))))).flat();
  const more = ['/search?q=plumber&where=Hamilton', '/search?category=Plumbing', `/get-quotes?listing=${filled.listing}`];
  const build = await site.loadBuild();
  const toRoute = (id: string): any => ({
    ...build.routes[id],
    children: Object.values(build.routes)
      .filter((one) => one?.parentId === id)
      .map((one) => toRoute(one?.id ?? '')),
  });
  const kindOf = (url: string) => {
    const matches = matchRoutes([toRoute('root')], url.split('?')[0] ?? '') ?? [];
    return `${matches.at(-1)?.route.id} ${Object.values(matches.at(-1)?.params ?? {}).filter(Boolean).length} ${url.includes('?')}`;
  };
  const statics = Object.values(build.routes).flatMap((route) => (route?.path && !/[:*]/.test(route.path) ? [`/${route.path}`] : []));
  const ofPlumbing = (url: string) => (url.includes('plumbing') ? 0 : 1);
  const kinds = new Map(
    [...addresses, ...statics, ...more].toSorted((a, b) => ofPlumbing(b) - ofPlumbing(a)).map((url) => [kindOf(url), url]),
  );
  const hasLoader = (url: string) =>
    matchRoutes([toRoute('root')], url.split('?')[0] ?? '')
      ?.slice(1)
      .some(({ route }) => 'loader' in route.module);
  return [
    ...['/robots.txt', '/llms.txt', '/sitemap.xml', '/api/openapi.json', ...filesOfInterest].map((url) => get(url)),
    // A page without a loader reads nothing.
    ...[...new Set([...kinds.values(), ...more])]
      .filter(hasLoader)
      .flatMap((url) => [get(url, html), ...(url === '/' ? [] : [get(url.replace(/^([^?]*)/, (path) => `${path}.data`))])]),
  ];
}

/** What a client sees of a response, without what differs each time. */
const seenOf = ({ statusCode, headers, body }: LightMyRequestResponse) => ({
  status: statusCode,
  type: headers['content-type'],
  location: headers.location,
  body: /zip|pdf/.test(String(headers['content-type']))
    ? body.length > 100
    : body.replace(/nonce="[^"]*"/g, '').replace(/"(uptimeSeconds|requestId|secondsLeft)":("[^"]*"|[\d.]+)/g, ''),
});

/** The functions of the database by name, because a statement may read tables through them. */
const functions = (
  await sql<{ name: string; source: string }>`
    select proname as name, prosrc as source from pg_proc where pronamespace = 'public'::regnamespace and prosrc is not null`.execute(db)
).rows;
const tables = (
  await sql<{ name: string }>`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(
    db,
  )
).rows.map(({ name }) => name);
const mentions = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);
function listTables(statement: string): string[] {
  let text = statement;
  const called = functions.filter(({ name }) => mentions(statement, name));
  for (const { source } of called) text += source;
  return tables.filter((table) => mentions(text, table));
}

const asks = [...ofCalls, ...ofTools, ...(await listPages())];
/** Each ask with its answer without a lock, and the tables that it reads with cold caches. */
const truths: { ask: Ask; seen: ReturnType<typeof seenOf>; reads: Set<string> }[] = [];
const query = pg.Client.prototype.query;
for (const ask of asks) {
  await using opened = await open();
  const statements: string[] = [];
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: any[]) {
    statements.push(typeof args[0] === 'string' ? args[0] : args[0].text);
    return (query as any).apply(this, args);
  });
  const answer = await ask.send(opened.app);
  spy.mockRestore();
  // The server reads the changes all the time.
  truths.push({ ask, seen: seenOf(answer), reads: new Set(statements.filter((one) => !one.includes('change_marks')).flatMap(listTables)) });
}

const read = tables.filter((table) => truths.some(({ reads }) => reads.has(table)));

test('every public call, tool and page is asked with parameters that find something', () => {
  const failing = truths.filter(({ seen }) => seen.status >= 400 || /"isError":true/.test(String(seen.body)));
  // Some calls of administrators and sellers concern objects that do not exist here, so they answer 404 with and without a lock.
  const withObject = failing.filter(({ ask }) => !/^\/api\/(admin|adjustment-note)\//.test(ask.name));
  expect(withObject.map(({ ask, seen }) => [ask.name, seen])).toEqual([]);
  expect(read.length).toBeGreaterThan(60);
});

const isRefusal = ({ statusCode, headers, body }: LightMyRequestResponse, name: string) => {
  if (name.startsWith('mcp '))
    return statusCode === 200 && /"isError":true/.test(body) && /(unavailable|search_timed_out) \(503\)/.test(body);
  const isPage = String(headers['content-type']).startsWith('text/html');
  return (
    statusCode === 503 &&
    Number(headers['retry-after']) > 0 &&
    headers['cache-control'] === 'no-store' &&
    (!isPage || /be right back|Trying again/.test(body))
  );
};

/** The list of work names the sources that could not be read, and has everything of the others. */
function saysWhatIsMissing(ask: Ask, answer: LightMyRequestResponse, seen: ReturnType<typeof seenOf>): boolean {
  if (ask.name !== '/api/admin/work' || answer.statusCode !== 200) return false;
  const { tasks, left, unread } = answer.json<z.output<typeof listWorkCall.response>>();
  const all = JSON.parse(String(seen.body)) as z.output<typeof listWorkCall.response>;
  const ofOthers = <One extends { source: (typeof unread)[number] }>(list: One[]) => list.filter(({ source }) => !unread.includes(source));
  return unread.length > 0 && isDeepStrictEqual({ tasks, left }, { tasks: ofOthers(all.tasks), left: ofOthers(all.left) });
}

/** Undefined if the connection was cut off, as in the middle of a download: that is no answer. A server that is too busy is asked again. */
async function sendTo({ ask }: { ask: Ask }, { app }: { app: App }): Promise<LightMyRequestResponse | undefined> {
  const answer = await ask.send(app).catch(() => undefined);
  return answer?.body.includes('"overloaded"') ? sendTo({ ask }, { app }) : answer;
}

test.each(read)('while %s is locked, every answer is the same or a 503, and right afterwards', async (table) => {
  // Otherwise the limit of exports is reached.
  await db.deleteFrom('attempts').execute();
  await using opened = await open();
  const asked = truths.filter(({ reads }) => reads.has(table));
  await locker.query(`begin; lock table ${table} in access exclusive mode`);
  const locked = await Promise.all(asked.map(async (one) => ({ ...one, answer: await sendTo(one, opened) })));
  await locker.query('rollback');
  const wrong = locked.filter(
    ({ ask, answer, seen }) =>
      answer && !isRefusal(answer, ask.name) && !saysWhatIsMissing(ask, answer, seen) && !isDeepStrictEqual(seenOf(answer), seen),
  );
  const afterwards = await Promise.all(asked.map(async (one) => ({ ...one, answer: await sendTo(one, opened) })));
  const wrongAfterwards = afterwards.filter(({ answer, seen }) => !answer || !isDeepStrictEqual(seenOf(answer), seen));
  const describe = (all: typeof locked) =>
    all.map(({ ask, answer, seen }) => ({ asked: ask.name, answer: answer && seenOf(answer), headers: answer?.headers, expected: seen }));
  expect({ wrong: describe(wrong), wrongAfterwards: describe(wrongAfterwards) }).toEqual({ wrong: [], wrongAfterwards: [] });
});
