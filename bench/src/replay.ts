import { AsyncLocalStorage } from 'node:async_hooks';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { findQuery } from '@handwise/contract/search/calls';
import { ListingCounts } from '@handwise/server/domains/listings/listings.service';
import { createSearch, searchByText } from '@handwise/server/domains/search/search.service';
import { openDatabase } from '@handwise/server/kit/database';

// The floor of searches: bare HTTP that runs the statements of the product and answers the same bytes, without working out either. `POST /` with paths learns
// them; a path is then answered from its own statements each time.

type Statement = { text: string; values: unknown[] };
const statements = new AsyncLocalStorage<Statement[]>();

const { db, pool } = openDatabase({
  url: process.env['DATABASE_URL'] ?? '',
  connections: 10,
  isForSearches: true,
  onIdleError: () => {},
});
pool.on('connect', (client) => {
  const query = client.query.bind(client) as (text: unknown, values?: unknown, callback?: unknown) => never;
  client.query = (text: unknown, values?: unknown, callback?: unknown) => {
    if (typeof text === 'string') statements.getStore()?.push({ text, values: (values as unknown[] | undefined) ?? [] });
    return query(text, values, callback);
  };
});
const search = createSearch(db, new ListingCounts(db), 60_000);
const learned = new Map<string, { statements: Statement[]; body: string }>();

async function learn(path: string) {
  const own: Statement[] = [];
  const query = findQuery.parse(Object.fromEntries(new URL(path, 'http://floor').searchParams));
  const page = await statements.run(own, () => searchByText(search, query, null));
  learned.set(path, { statements: own, body: JSON.stringify(page) });
}

async function answer(path: string) {
  const { statements, body } = learned.get(path) ?? { statements: [], body: '{}' };
  for (const { text, values } of statements) await pool.query(text, values);
  return body;
}

createServer((request, response) => {
  const path = request.url ?? '/';
  const answering = async () => {
    if (request.method !== 'POST') return answer(path);
    for (const one of (await json(request)) as string[]) await learn(one);
    return '{}';
  };
  answering().then(
    (body) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(process.env['PORT']), '127.0.0.1');
