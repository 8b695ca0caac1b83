import { setTimeout as pause } from 'node:timers/promises';
import { load, loadHead, printBars, printTable, repeat } from './load.ts';
import type { Stage } from './stage.ts';
import { changeListings, createZipfMix, browserHeaders } from './zipf-mix.ts';

/** The response cache under a Zipf mix while listings change: against the floor, and the age of the oldest answer. */
export async function benchCached(stage: Stage, seconds: number): Promise<void> {
  const mix = await createZipfMix(stage.client);
  const stopChanges = await changeListings(stage.databaseUrl);
  const options = { connections: 10, seconds: Math.max(20, seconds), headersOf: browserHeaders };
  // Fills the cache; what is measured afterwards is what changes leave of it.
  for (const path of mix.all) await (await fetch(stage.product + path)).arrayBuffer();
  const floor = await load({ ...options, address: stage.floor, paths: mix.calls });
  const calls = await load({ ...options, address: stage.product, paths: mix.calls });
  const delays: number[] = [];
  const stopWatching = await watchAges(stage, delays);
  await load({ ...options, address: stage.product, paths: mix.all });
  await stopWatching();
  await stopChanges();
  const table = Object.entries({ floor, product: calls }).map(([name, one]) => [name, ...Object.values(one)]);
  printTable(`Calls of a Zipf mix at ${stage.listings} listings with 10 changes a second`, ['server', ...loadHead], table);
  printBars([
    { what: 'calls against the floor', measured: calls.perSecond / floor.perSecond, atLeast: 1.5 },
    // 60 × 58 pages a second and 15 × 224 details.
    { what: 'calls/s, against multiples of Vendure and Medusa', measured: calls.perSecond, atLeast: 3_480 },
    { what: `oldest answer after ${delays.length} changes, ms`, measured: Math.max(0, ...delays), atMost: 1_000 },
  ]);
}

/** Adds to `delays` how long after its commit a change of a listing is not yet visible to others, until the function that it returns is called. */
async function watchAges({ client, product }: Stage, delays: number[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 200`);
  return repeat(async (turn) => {
    const id = rows[turn % rows.length]?.id;
    const mark = `Changed ${turn} ${Date.now()}`;
    const read = async () => (await fetch(`${product}/api/listing/${id}`)).text();
    await read();
    await client.query('update listings set business_info = $2 where id = $1', [id, mark]);
    const committedAt = performance.now();
    let lastStaleAt = committedAt;
    for (let readAt = committedAt; !(await read()).includes(mark); readAt = performance.now()) lastStaleAt = readAt;
    delays.push(lastStaleAt - committedAt);
    await pause(200);
  });
}
