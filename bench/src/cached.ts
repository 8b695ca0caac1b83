import { setTimeout as pause } from 'node:timers/promises';
import { load, median, printBars, printTable, repeat } from './load.ts';
import { changeListings, zipfMix } from './mixed-load.ts';
import type { Stage } from './stage.ts';

const changesPerSecond = 10;

/** The response cache under a Zipf mix while listings change: against the floor, its share of hits, and the age of the oldest answer. */
export async function benchCached(stage: Stage, seconds: number): Promise<void> {
  const mix = await zipfMix(stage.client);
  const changes = await changeListings(stage.databaseUrl, changesPerSecond);
  const options = { connections: 10, seconds: Math.max(20, seconds), spread: true };
  // Fills the cache; what is measured afterwards is what changes leave of it.
  for (const path of mix.all) await (await fetch(stage.product + path)).arrayBuffer();
  const floor = await load({ ...options, address: stage.floor, paths: mix.calls });
  const calls = await load({ ...options, address: stage.product, paths: mix.calls });
  const ages = await watchAges(stage);
  let [answers, misses] = [0, 0];
  const all = await load({
    ...options,
    address: stage.product,
    paths: mix.all,
    onResponse: (_, { 'x-cache': state }) => {
      answers += 1;
      if (state === 'miss') misses += 1;
    },
  });
  const delays = await ages.stop();
  const changed = await changes.stop();
  printTable(
    `Zipf mix at ${stage.listings} listings, ${changed} changes, ${options.connections} connections, ${options.seconds} s each`,
    ['mix', 'requests/s', 'p50 ms', 'p99 ms', 'failed'],
    Object.entries({ 'calls, floor': floor, 'calls, product': calls, 'calls and pages, product': all }).map(([name, one]) => [
      name,
      one.perSecond,
      one.p50,
      one.p99,
      one.failed,
    ]),
  );
  printBars([
    { what: 'calls against the floor', measured: calls.perSecond / floor.perSecond, atLeast: 1.5 },
    { what: `share of ${answers} answers that was cached`, measured: 1 - misses / answers, atLeast: 0.9 },
    { what: `oldest answer after ${delays.length} changes, ms`, measured: Math.max(0, ...delays), atMost: 1_000 },
    { what: 'half of them younger than, ms', measured: median(delays) },
  ]);
}

/** Measures how long after its commit a change of a listing is not yet visible to others. */
async function watchAges({ client, product }: Stage): Promise<{ stop(): Promise<number[]> }> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 200`);
  const delays: number[] = [];
  const watching = repeat(async (turn) => {
    const id = rows[turn % rows.length]?.id;
    const mark = `Changed ${turn} ${Date.now()}`;
    const read = async () => (await fetch(`${product}/api/listing/${id}`)).text();
    await read();
    await client.query('update listings set business_info = $2 where id = $1', [id, mark]);
    const committedAt = performance.now();
    let lastStaleAt = committedAt;
    for (let askedAt = committedAt; !(await read()).includes(mark); askedAt = performance.now()) lastStaleAt = askedAt;
    delays.push(lastStaleAt - committedAt);
    await pause(200);
  });
  return {
    async stop() {
      await watching.stop();
      return delays;
    },
  };
}
