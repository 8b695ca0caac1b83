import { availableParallelism } from 'node:os';
import { load, printBars, printTable } from './load.ts';
import { type Stage, type Started, stopProcess } from './stage.ts';

const connections = 30;

/** One, two and three servers on one database: requests a second of all together. */
export async function benchServers(stage: Stage, seconds: number): Promise<void> {
  const { rows } = await stage.client.query<{ id: string }>(`select id from listings where status = 'active' limit 500`);
  const paths = rows.flatMap(({ id }, index) => [`/api/listing/all?limit=12&page=${(index % 50) + 1}`, `/api/listing/${id}`]);
  const servers: Started[] = [];
  const rates: number[] = [];
  for (let count = 1; count <= 3; count += 1) {
    servers.push(await stage.startServer({}));
    const loadAll = (seconds: number) =>
      Promise.all(servers.map(({ address }) => load({ address, paths, connections: connections / count, seconds })));
    await loadAll(2);
    const loads = await loadAll(seconds);
    rates.push(loads.reduce((sum, { perSecond }) => sum + perSecond, 0));
  }
  for (const server of servers) await stopProcess(server);
  const cores = availableParallelism();
  printTable(
    `Requests a second for lists and listings over ${connections} connections on ${cores} cores that servers, database and load share`,
    ['one server', 'two', 'three'],
    [rates],
  );
  // Without a core for each server, the ratios say nothing.
  const bars = cores >= 6 ? [{ atLeast: 1.7 }, { atLeast: 2.4 }] : [];
  const [one = 1, two = 0, three = 0] = rates;
  printBars([
    { what: 'two servers against one', measured: two / one, ...bars[0] },
    { what: 'three against one', measured: three / one, ...bars[1] },
  ]);
}
