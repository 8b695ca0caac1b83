import autocannon from 'autocannon';
import { watchHealth } from './health.ts';
import { load, percentile, printBars, printTable } from './load.ts';
import { type Stage, stopProcess } from './stage.ts';

const connections = 400;

/** What a server answers on 400 connections, each of another network, that ask for what is not cached as fast as they can. */
export async function benchOverload(stage: Stage, seconds: number): Promise<void> {
  const server = await stage.startServer({ TRUST_PROXY: '127.0.0.1' });
  const { rows } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' order by sort_key desc limit 20000",
  );
  const paths = rows.flatMap(({ id }, index) => [`/search?q=plumber+${index}`, `/listing/${id}`, `/api/search?q=paint+${index}`]);
  await load({ address: server.address, paths: paths.splice(0, 300), connections: 4, seconds: 3 });
  const stopWatching = watchHealth(server.address);
  const timesOf = await loadOverload(server.address, paths, Math.max(seconds, 10));
  const health = await stopWatching();
  const answered = timesOf.get(200) ?? [];
  const refused = timesOf.get(503) ?? [];
  const all = [...timesOf.entries()].map(
    ([status, times]) => [String(status), times.length, percentile(times, 0.5), percentile(times, 0.99)] as (string | number)[],
  );
  printTable(
    `What ${connections} connections get`,
    ['status', 'requests', 'p50 ms', 'p99 ms'],
    [...all, ['health', health.length, percentile(health, 0.5), percentile(health, 0.99)]],
  );
  printBars([
    { what: 'p99 of answered requests, ms', measured: percentile(answered, 0.99), atMost: 2_000 },
    { what: 'p99 of 503, ms', measured: percentile(refused, 0.99), atMost: 100 },
    { what: 'p99 of health and liveness, ms', measured: percentile(health, 0.99), atMost: 100 },
    { what: 'other answers', measured: all.length - Number(timesOf.has(200)) - Number(timesOf.has(503)), atMost: 0 },
  ]);
  await stopProcess(server);
}

/** Times of the answers in ms, by status; 0 for connections that failed. */
async function loadOverload(address: string, paths: readonly string[], seconds: number): Promise<Map<number, number[]>> {
  const timesOf = new Map<number, number[]>();
  const count = (status: number, ms: number) => {
    const times = timesOf.get(status) ?? [];
    timesOf.set(status, times);
    times.push(ms);
  };
  const share = Math.floor(paths.length / connections);
  let clients = 0;
  await new Promise<void>((resolve) => {
    const load = autocannon(
      {
        url: address,
        connections,
        duration: seconds,
        requests: [{ path: '/' }],
        setupClient: (client) => {
          const index = clients++;
          const network = `198.18.${Math.floor(index / 200)}.${(index % 200) + 1}`;
          const headers = { 'x-forwarded-for': network, accept: 'text/html', 'accept-encoding': 'br' };
          client.setRequests(paths.slice(index * share, (index + 1) * share).map((path) => ({ path, headers })));
        },
      },
      () => resolve(),
    );
    load.on('response', (_client, status, _bytes, ms) => count(status, ms));
    load.on('reqError', () => count(0, Infinity));
  });
  return timesOf;
}
