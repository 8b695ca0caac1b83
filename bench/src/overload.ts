import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { load, percentile, printBars, printTable, timed } from './load.ts';
import { type Stage, stopProcess } from './stage.ts';

const connections = 400;

/** Asks for health and liveness ten times a second until the function that it returns is called, which returns how long the answers took in ms. */
export function watchHealth(address: string): () => Promise<number[]> {
  const stopping = new AbortController();
  const times: number[] = [];
  const watch = async (path: string) => {
    while (!stopping.signal.aborted) {
      const [ms, { status }] = await timed(() => fetch(address + path));
      times.push(status === 200 ? ms : Infinity);
      await pause(100);
    }
  };
  const watching = Promise.all(['/api/health', '/api/live'].map(watch));
  return async () => {
    stopping.abort();
    await watching;
    return times;
  };
}

/** What a server answers on 400 connections, each of another network, that ask for what is not cached as fast as they can. */
export async function benchOverload(stage: Stage, seconds: number): Promise<void> {
  const server = await stage.startServer({ DRAIN_SECONDS: '0', TRUST_PROXY: '127.0.0.1' });
  const { rows } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' order by sort_key desc limit 20000",
  );
  const paths = rows.flatMap(({ id }, index) => [`/search?q=plumber+${index}`, `/listing/${id}`, `/api/search?q=paint+${index}`]);
  await load({ address: server.address, paths: paths.splice(0, 300), connections: 4, seconds: 3 });
  const stopWatching = watchHealth(server.address);
  const timesOf = new Map<number, number[]>();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + Math.max(seconds, 10) * 1_000;
  const ask = async (network: string) => {
    while (performance.now() < until) {
      const path = paths.shift() ?? '/';
      paths.push(path);
      const headers = { 'x-forwarded-for': network, accept: 'text/html', 'accept-encoding': 'br' };
      const [ms, status] = await timed(() => request(server.address + path, { agent, headers }));
      timesOf
        .set(status, timesOf.get(status) ?? [])
        .get(status)
        ?.push(ms);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => ask(`198.18.${Math.floor(index / 200)}.${(index % 200) + 1}`)));
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
  agent.destroy();
  await stopProcess(server);
}

const request = (url: string, options: { agent: Agent; headers: Record<string, string> }) =>
  new Promise<number>((resolve) => {
    get(url, options, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', () => resolve(0));
  });
