import { readFileSync } from 'node:fs';
import { changeListings } from './changes.ts';
import { load, printBars, printTable } from './load.ts';
import { mixOf } from './mixed-addresses.ts';
import type { Stage } from './stage.ts';

const everySeconds = 10;
const bar = 250;

/** The product's memory under a mixed load while listings change: each ten seconds what it has in all, and where that is. */
export async function benchMemory(stage: Stage, minutes: number) {
  const mix = await mixOf(stage.client);
  const changes = changeListings(stage.databaseUrl, 10);
  const rows: number[][] = [[0, 0, ...(await memoryOf(stage))]];
  let requests = 0;
  for (let round = 1; round * everySeconds <= minutes * 60; round += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one stretch after the other
    const { perSecond } = await load({ address: stage.product, paths: mix.all, connections: 20, seconds: everySeconds });
    requests += perSecond * everySeconds;
    // oxlint-disable-next-line no-await-in-loop
    rows.push([round * everySeconds, requests, ...(await memoryOf(stage))]);
  }
  await changes.stop();
  printTable(
    `Memory of the product in MB at ${stage.listings} listings: resident, of it private; JavaScript's heap and what of it is used; outside of it; what is kept`,
    ['seconds', 'requests', 'resident', 'private', 'heap', 'used', 'outside', 'kept'],
    rows,
  );
  const after = rows.find(([, done = 0]) => done >= 100_000) ?? rows.at(-1) ?? [];
  const most = Math.max(...rows.map(([, , resident = 0]) => resident));
  printBars([
    { what: `MB after ${(after[1] ?? 0).toFixed(0)} requests`, measured: after[2] ?? 0, atMost: bar },
    { what: 'MB at most', measured: most, atMost: bar },
  ]);
}

const megabyte = 1_048_576;

async function memoryOf({ product, productPid }: Stage): Promise<number[]> {
  const rollup = readFileSync(`/proc/${productPid}/smaps_rollup`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1_024;
  const figures = await (await fetch(`${product}/metrics`)).text();
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(figures)?.[1] ?? 0) / megabyte;
  return [
    kilobytes('Rss'),
    kilobytes('Private_Dirty') + kilobytes('Private_Clean'),
    bytes('nodejs_heap_size_total_bytes'),
    bytes('nodejs_heap_size_used_bytes'),
    bytes('nodejs_external_memory_bytes'),
    bytes('handwise_kept_answers_bytes'),
  ];
}
