import { getMemory, load, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { changeListings, createZipfMix } from './zipf-mix.ts';

const intervalSeconds = 10;

/** The server's memory under a mixed load while listings change, every ten seconds. */
export async function benchMemory(stage: Stage, minutes: number): Promise<void> {
  const { all } = await createZipfMix(stage.client);
  const stopChanges = await changeListings(stage.databaseUrl);
  const rows = [[0, 0, getMemory(stage.productPid)]];
  let requests = 0;
  for (let second = intervalSeconds; second <= minutes * 60; second += intervalSeconds) {
    requests += (await load({ address: stage.product, paths: all, connections: 20, seconds: intervalSeconds })).requests;
    rows.push([second, requests, getMemory(stage.productPid)]);
  }
  await stopChanges();
  printTable(`Memory of the server at ${stage.listings} listings, MB`, ['seconds', 'requests', 'resident'], rows);
  const [, after = 0, measured = 0] = rows.find(([, done = 0]) => done >= 100_000) ?? rows.at(-1) ?? [];
  printBars([
    { what: `MB after ${after} requests`, measured, atMost: 250 },
    { what: 'MB at most', measured: Math.max(...rows.map(([, , resident = 0]) => resident)), atMost: 250 },
  ]);
}
