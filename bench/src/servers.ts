import { availableParallelism } from 'node:os';
import { load, printBars, printTable } from './load.ts';
import { type Stage, type Started, stopChild } from './stage.ts';

const connections = 30;

/** One, two and three servers on one database: requests a second of all together. */
export async function benchServers(stage: Stage, seconds: number): Promise<void> {
  const { rows } = await stage.client.query<{ id: string }>(`select id from listings where status = 'active' limit 500`);
  const mixes = {
    lists: Array.from({ length: 50 }, (_, index) => `/api/listing/all?limit=12&page=${index + 1}`),
    'single listings': rows.map(({ id }) => `/api/listing/${id}`),
  };
  const servers: Started[] = [];
  const table: Record<string, number[]> = {};
  try {
    for (let count = 1; count <= 3; count += 1) {
      servers.push(await stage.startServer({}));
      for (const [name, paths] of Object.entries(mixes)) {
        const loadAll = (duration: number) =>
          Promise.all(
            servers.map(({ address }) => load({ address, paths, connections: connections / count, seconds: duration, spread: true })),
          );
        await loadAll(2);
        const loads = await loadAll(seconds);
        (table[name] ??= []).push(loads.reduce((sum, { perSecond }) => sum + perSecond, 0));
      }
    }
  } finally {
    for (const { child } of servers) await stopChild(child);
  }
  printTable(
    `Requests a second over ${connections} connections on ${availableParallelism()} cores that servers, database and load share`,
    ['what', 'one server', 'two', 'three'],
    Object.entries(table).map(([name, perSecond]) => [name, ...perSecond]),
  );
  // Without a core for each server, the ratios say nothing.
  const hasCores = availableParallelism() >= 6;
  printBars(
    Object.entries(table).flatMap(([name, [one = 1, two = 0, three = 0]]) => [
      { what: `${name}: two servers against one`, measured: two / one, ...(hasCores && { atLeast: 1.7 }) },
      { what: `${name}: three against one`, measured: three / one, ...(hasCores && { atLeast: 2.4 }) },
    ]),
  );
}
