import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { load, loadHead, median, percentile, printBars, printTable, repeat, timed } from './load.ts';
import { type Stage, createPerson, stopProcess } from './stage.ts';
import { browserHeaders, changeListings, createSearchMix, createZipfMix } from './zipf-mix.ts';

/** The response cache while listings change: against the floor, what members and a crawler get, and how soon a change and a withdrawal show. */
export async function benchCached(stage: Stage, seconds: number): Promise<void> {
  const { client, product } = stage;
  const mix = await createZipfMix(client);
  const options = { connections: 10, seconds: Math.max(20, seconds), headersOf: browserHeaders };
  const rows: (string | number)[][] = [];
  const rates: { ratio: number; perSecond: number }[] = [];
  // Fills the cache; what is measured afterwards is what changes leave of it.
  for (const path of mix.all) await (await fetch(product + path, { headers: browserHeaders() })).arrayBuffer();
  for (const perSecond of [10, 100]) {
    const stopChanges = await changeListings(stage.databaseUrl, perSecond);
    const floor = await load({ ...options, address: stage.floor, paths: mix.calls });
    const calls = await load({ ...options, address: product, paths: mix.calls });
    const all = await load({ ...options, address: product, paths: mix.all });
    rates.push({ ratio: calls.perSecond / floor.perSecond, perSecond: calls.perSecond });
    for (const [name, one] of Object.entries({ floor, calls, 'calls and pages': all }))
      rows.push([`${name}, ${perSecond}/s`, ...Object.values(one)]);
    await stopChanges();
  }
  printTable('Zipf mix by changes a second', ['what', ...loadHead], rows);

  const stopChanges = await changeListings(stage.databaseUrl);
  const ages: number[] = [];
  const stopWatching = await watchAges(stage, ages);
  const crawled: number[] = [];
  const others = load({ ...options, address: product, paths: mix.all, rate: 50 });
  const until = performance.now() + options.seconds * 1_000;
  for (const path of listDirectory()) {
    const [ms] = await timed(async () => (await fetch(product + path, { headers: browserHeaders() })).arrayBuffer());
    crawled.push(ms);
    if (performance.now() > until) break;
  }
  const beside = await others;
  const people = await Promise.all(Array.from({ length: 50 }, () => createPerson(client)));
  const headersOf = (index: number) => ({ ...browserHeaders(), authorization: `Bearer ${people[index % people.length]?.token}` });
  const searches = createSearchMix();
  const members = await load({ address: product, paths: searches, connections: 50, seconds, headersOf });
  const quiet = await load({ address: product, paths: searches, connections: 50, seconds: 10, headersOf, rate: 25 });
  await stopWatching();
  printTable(
    'Others',
    ['what', ...loadHead],
    [
      ['beside the crawler, 50/s', ...Object.values(beside)],
      ['members’ searches, 50 connections', ...Object.values(members)],
      ['the same, 25 a second', ...Object.values(quiet)],
    ],
  );
  console.log(`crawler: ${crawled.length} pages, p50 ${median(crawled).toFixed(1)} ms, p99 ${percentile(crawled, 0.99).toFixed(0)} ms`);
  const gone = await watchWithdrawals(stage);
  await stopChanges();
  const undisturbed = await load({ address: product, paths: searches, connections: 50, seconds, headersOf });
  printTable('Members’ searches without changes', ['what', ...loadHead], [['50 connections', ...Object.values(undisturbed)]]);
  printBars([
    { what: 'calls against the floor, 10 changes a second', measured: rates[0]?.ratio ?? 0, atLeast: 1.5 },
    { what: 'calls against the floor, 100 changes a second', measured: rates[1]?.ratio ?? 0, atLeast: 1.5 },
    // 60 × 58 pages a second and 15 × 224 details.
    { what: 'calls/s, against multiples of Vendure and Medusa', measured: rates[0]?.perSecond ?? 0, atLeast: 3_480 },
    { what: 'members’ searches at 50 connections, p99 ms', measured: members.p99, atMost: 200 },
    { what: `oldest answer after ${ages.length} changes, ms`, measured: Math.max(0, ...ages), atMost: 1_000 },
    { what: `slowest withdrawal of ${gone.length} on two servers, ms`, measured: Math.max(0, ...gone), atMost: 1_000 },
  ]);
}

function listDirectory(): string[] {
  return categories.flatMap(({ slug }) => [`/services/${slug}`, ...regions.map((region) => `/services/${slug}/${region.slug}`)]);
}

/** Adds to `ages` how long after its commit a change of a listing is not yet visible to others, until the function that it returns is called. */
async function watchAges({ client, databaseUrl, product }: Stage, ages: number[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 200`);
  const pool = new pg.Pool({ connectionString: databaseUrl });
  const watchers = Array.from({ length: 10 }, (_, watcher) =>
    repeat(async (turn) => {
      const id = rows[(turn * 10 + watcher) % rows.length]?.id;
      const mark = `Changed ${turn} ${watcher} ${Date.now()}`;
      const read = async () => (await fetch(`${product}/api/listing/${id}`)).text();
      await read();
      await pool.query('update listings set business_info = $2 where id = $1', [id, mark]);
      const committedAt = performance.now();
      let lastStaleAt = committedAt;
      for (let readAt = committedAt; !(await read()).includes(mark); readAt = performance.now()) {
        lastStaleAt = readAt;
        await pause(50);
      }
      ages.push(lastStaleAt - committedAt);
    }),
  );
  return async () => {
    await Promise.all(watchers.map((stop) => stop()));
    await pool.end();
  };
}

/** How long pages and calls of two servers show a listing after it was withdrawn. */
async function watchWithdrawals({ client, product, startServer }: Stage): Promise<number[]> {
  const other = await startServer({});
  const { rows } = await client.query<{ id: string }>(
    `select id from listings where status = 'active' order by md5(id::text) desc limit 20`,
  );
  const times: number[] = [];
  for (const { id } of rows) {
    const urls = [product, other.address].flatMap((server) => [`${server}/api/listing/${id}`, `${server}/listing/${id}`]);
    for (const url of urls) await (await fetch(url)).arrayBuffer();
    await client.query(`update listings set status = 'inactive' where id = $1`, [id]);
    const committedAt = performance.now();
    const goneAt = await Promise.all(
      urls.map(async (url) => {
        for (;;) {
          const { status } = await fetch(url);
          if (status === 404 || status === 410) return performance.now() - committedAt;
          await pause(10);
        }
      }),
    );
    times.push(Math.max(...goneAt));
    await client.query(`update listings set status = 'active' where id = $1`, [id]);
  }
  await stopProcess(other);
  return times;
}
