import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { load, printTable } from '../load.ts';
import type { Cluster } from './cluster.ts';
import { askOnce } from './nodes.ts';
import { until } from './client.ts';

const secondsOf = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /s, '').split(' ').map(Number);
    return ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100;
  } catch {
    return 0;
  }
};

/** Seconds of a core that each part of the cluster has used until now, and what makes the load. */
function usedBy(cluster: Cluster) {
  const sum = (pids: readonly number[]) => pids.reduce((total, pid) => total + secondsOf(pid), 0);
  const { servers, primary, replicas, balancers } = cluster.pids();
  return {
    servers: sum(servers),
    primary: sum(primary),
    replicas: sum(replicas),
    balancers: sum(balancers),
    client: secondsOf(process.pid),
  };
}

/** One, two and three servers, without and with a replica: requests a second at the one address, and who spent the cores' time on them. */
export async function measureThroughput(cluster: Cluster, seconds: number): Promise<void> {
  const { servers, siteUrl, watcher } = cluster;
  const { ids } = await askOnce<{ ids: string[] }>(
    watcher.primary.url,
    `select array_agg(id::text) as ids from (select id from listings where status = 'active' limit 500) as shown`,
  );
  const mixes = {
    'pages of lists': Array.from({ length: 400 }, (_, index) => `/api/listing/all?limit=12&page=${index + 1}`),
    'single listings': ids.map((id) => `/api/listing/${id}`),
  };
  const rows: (string | number)[][] = [];
  for (const replicas of [0, 1]) {
    for (const one of servers) await cluster.stop(one);
    cluster.readFrom(replicas);
    for (let count = 1; count <= servers.length; count += 1) {
      const next = servers[count - 1];
      if (!next) break;
      await cluster.startServer(next);
      await until(async () => (await fetch(`${siteUrl}/api/health`)).ok, 30);
      for (const [name, paths] of Object.entries(mixes)) {
        const options = { address: siteUrl, paths, connections: 30 };
        await load({ ...options, seconds: 2 });
        const before = usedBy(cluster);
        const { perSecond, p50, p99, failed } = await load({ ...options, seconds });
        const after = usedBy(cluster);
        const total = perSecond * seconds;
        const each = (part: keyof typeof before) => ((after[part] - before[part]) / total) * 1_000;
        rows.push([
          `${name}, ${count} ${count === 1 ? 'server' : 'servers'}, ${replicas === 0 ? 'no replica' : 'one replica'}`,
          perSecond,
          p50,
          p99,
          failed,
          ...(['servers', 'primary', 'replicas', 'balancers', 'client'] as const).map(each),
        ]);
      }
    }
  }
  cluster.readFrom(2);
  for (const one of servers) {
    await cluster.stop(one);
    await cluster.startServer(one);
  }
  printTable(
    `Throughput by 30 connections on ${availableParallelism()} cores that all parts share; then ms of a core for each request`,
    ['what', 'requests/s', 'p50 ms', 'p99 ms', 'failed', 'servers', 'primary', 'replicas', 'balancers', 'load tool'],
    rows,
  );
}
