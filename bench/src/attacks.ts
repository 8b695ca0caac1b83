import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { receipt } from '@handwise/sandbox/testing/receipt';
import type { Attack } from './attacker.ts';
import { watchHealth } from './health.ts';
import { type Load, load, loadHead, percentile, printBars, printTable } from './load.ts';
import { type Stage, createPerson, startWorker, stopProcess } from './stage.ts';

const others = 20;
/** Requests per second of all others together. */
const rate = 40;
const words = ['plumber', 'painting', 'fence', 'lawn', 'electrical', 'cleaning', 'roof', 'kitchen', 'tiling', 'builder'];

const numbered = (start: string) => Array.from({ length: 2_000 }, (_, index) => start + String(index));

/** Attacks by name; others may wait `bar` times as long as in a quiet moment, or five times. */
async function createAttacks({ client }: Stage): Promise<Record<string, Attack & { bar?: number }>> {
  const people = [];
  for (let at = 0; at < 100; at += 1) people.push(await createPerson(client));
  const tokens = people.map(({ token }) => token);
  const pairs = words.flatMap((word) => words.map((other) => `/search?q=${word}+${other}`));
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((letter) => [1, 2, 3].map((page) => `/api/search?q=${letter}&page=${page}`));
  // Payments that have not succeeded, so that the ledger still balances.
  const { rows: invoices } = await client.query<{ path: string }>(
    `with created as (
       insert into payments (user_id, purpose, plan_id, country, amount_minor, currency, status)
       select $1, 'listing', (select id from plans limit 1), 'NZ', 2500, 'NZD', 'canceled' from generate_series(1, 150) returning id
     )
     insert into receipts (user_id, payment_id, details) select $1, id, $2 from created returning '/api/receipt/' || id || '/pdf' as path`,
    [people[0]?.id, JSON.stringify(receipt)],
  );
  return {
    '150 parallel invoices': { connections: 150, paths: invoices.map(({ path }) => path), tokens: tokens.slice(0, 1) },
    '50 connections on uncached pages': { connections: 50, paths: pairs },
    '1,000 connections that read nothing': { connections: 1_000, paths: letters, readsNothing: true },
    '50 searches for one letter': { connections: 50, paths: letters },
    '1,000 event streams': { connections: 1_000, paths: tokens.map(() => '/api/events'), tokens },
    '52 networks with 8 unfinished bodies': { connections: 416, paths: ['/api/auth/login'], networks: 52, bar: 2 },
    '16 connections on page data': { connections: 16, paths: numbered('/services/plumbing.data?x='), bar: 2 },
    '16 connections on unknown addresses': {
      connections: 16,
      paths: [numbered('/search.data?q=word'), numbered('/nothing/'), numbered('/Listing/'), numbered('/search?q=word')].flat(),
      bar: 2,
    },
    '10 connections on costly documents': { connections: 10, paths: ['/api/openapi.json', '/sitemaps/pages.xml'], bar: 2 },
  };
}

/** Lets a worker build the sitemaps, which servers only read. */
async function buildDocuments({ client, databaseUrl, dataDir }: Stage): Promise<void> {
  const worker = await startWorker({ DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  while ((await client.query("select from site_documents where path = '/sitemap.xml'")).rowCount === 0) await pause(100);
  await stopProcess(worker);
}

/** One client attacks in each way while others use the site: their p99 against a quiet moment of the same run. */
export async function benchAttacks(stage: Stage, seconds: number): Promise<void> {
  // Clients come through a proxy on 127.0.0.1, so that each has a network of its own.
  await buildDocuments(stage);
  const server = await stage.startServer({ TRUST_PROXY: '127.0.0.1' });
  const { rows } = await stage.client.query<{ path: string }>(
    "select '/listing/' || id as path from listings where status = 'active' order by sort_key desc limit 20000",
  );
  const listings = rows.map(({ path }) => path);
  const duration = Math.max(seconds, 10);
  await useSite(server.address, listings, 3);
  const quiet = await useSite(server.address, listings, duration);
  const table = [['quiet', ...Object.values(quiet)]];
  const bars = [];
  for (const [name, { bar = 5, ...attack }] of Object.entries(await createAttacks(stage))) {
    const attacker = new Worker(new URL('./attacker.ts', import.meta.url), { workerData: { address: server.address, ...attack } });
    await pause(1_000);
    const stopWatching = watchHealth(server.address);
    const meanwhile = await useSite(server.address, listings, duration);
    const health = await stopWatching();
    await attacker.terminate();
    table.push([name, ...Object.values(meanwhile)]);
    bars.push({ what: `p99 against quiet: ${name}`, measured: meanwhile.p99 / quiet.p99, atMost: bar });
    bars.push({ what: 'p99 of health and liveness, ms', measured: percentile(health, 0.99), atMost: 100 });
    bars.push({ what: 'failed', measured: meanwhile.failed, atMost: 0 });
    // The server works off what the attack has left.
    await pause(3_000);
  }
  printTable(`What ${others} others wait for at ${rate} requests a second`, ['while', ...loadHead], table);
  printBars(bars);
  await stopProcess(server);
}

/** What people do on the site, each from a network of their own; takes what is not cached from `listings`. */
function useSite(address: string, listings: string[], seconds: number): Promise<Load> {
  const paths = Array.from({ length: (rate * seconds) / 6 }, (_, at) => {
    const word = words[at % words.length] ?? '';
    const [uncached = '/', other = '/plan/all'] = listings.splice(0, 2);
    return ['/', uncached, `/api/search?q=${word}`, '/services/plumbing', `/api${other}`, `/api/search/suggest?q=${word.slice(0, 3)}`];
  });
  const headersOf = (index: number) => ({ 'x-forwarded-for': `203.0.113.${(index % others) + 1}` });
  return load({ address, paths: paths.flat(), connections: others, rate, seconds, headersOf });
}
