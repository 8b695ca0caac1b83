import { setTimeout as pause } from 'node:timers/promises';
import { getMemory, load, median, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { changeListings, createZipfMix, browserHeaders } from './zipf-mix.ts';

const seconds = 10;
const restSeconds = 60;

/** The server's memory under a mixed load while listings change, every ten seconds, and at rest afterwards. */
export async function benchMemory(stage: Stage, minutes: number): Promise<void> {
  const { all: paths } = await createZipfMix(stage.client);
  const stopChanges = await changeListings(stage.databaseUrl);
  const options = { address: stage.product, paths, connections: 20, seconds, headersOf: browserHeaders };
  const rows = [[0, 0, getMemory(stage.productPid)]];
  let requests = 0;
  for (let second = seconds; second <= minutes * 60; second += seconds) {
    requests += (await load(options)).requests;
    rows.push([second, requests, getMemory(stage.productPid)]);
  }
  await stopChanges();
  await pause(restSeconds * 1_000);
  const atRest = getMemory(stage.productPid);
  printTable(`Memory of the server at ${stage.listings} listings, MB`, ['seconds', 'requests', 'resident'], rows);
  const after = rows.filter(([, done = 0]) => done >= 100_000).map(([, , resident = 0]) => resident);
  printBars([
    { what: 'MB under load, after 100,000 requests, median', measured: after.length > 0 ? median(after) : Infinity, atMost: 400 },
    { what: `MB at rest, ${restSeconds} s later`, measured: atRest, atMost: 250 },
  ]);
}
