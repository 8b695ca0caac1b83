import { load, getMemory, printBars, printTable } from './load.ts';
import { changeListings, zipfMix } from './mixed-load.ts';
import type { Stage } from './stage.ts';

const intervalSeconds = 10;
const atMost = 250;

/** The server's memory under a mixed load while listings change, every ten seconds. */
export async function benchMemory(stage: Stage, minutes: number): Promise<void> {
  const mix = await zipfMix(stage.client);
  const changes = await changeListings(stage.databaseUrl, 10);
  const rows: number[][] = [[0, 0, ...(await readMemory(stage))]];
  let requests = 0;
  for (let second = intervalSeconds; second <= minutes * 60; second += intervalSeconds) {
    requests += (await load({ address: stage.product, paths: mix.all, connections: 20, seconds: intervalSeconds })).requests;
    rows.push([second, requests, ...(await readMemory(stage))]);
  }
  await changes.stop();
  printTable(
    `Memory of the server at ${stage.listings} listings, MB`,
    ['seconds', 'requests', 'resident', 'heap', 'heap used', 'outside of it', 'response cache'],
    rows,
  );
  const [, after = 0, measured = 0] = rows.find(([, done = 0]) => done >= 100_000) ?? rows.at(-1) ?? [];
  const most = Math.max(...rows.map(([, , resident = 0]) => resident));
  printBars([
    { what: `MB after ${after} requests`, measured, atMost },
    { what: 'MB at most', measured: most, atMost },
  ]);
}

async function readMemory({ product, productPid }: Stage): Promise<number[]> {
  const metrics = await (await fetch(`${product}/metrics`)).text();
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0) / 1_048_576;
  return [
    getMemory(productPid).now,
    megabytes('nodejs_heap_size_total_bytes'),
    megabytes('nodejs_heap_size_used_bytes'),
    megabytes('nodejs_external_memory_bytes'),
    megabytes('handwise_kept_answers_bytes'),
  ];
}
