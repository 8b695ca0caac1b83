import { setTimeout as pause } from 'node:timers/promises';
import { printTable } from '../load.ts';
import { anyNetwork, ask, newPerson, until } from './client.ts';
import type { Cluster } from './cluster.ts';
import { askOnce, killNode, rejoin } from './nodes.ts';

type Acknowledged = { username: string; begunAt: number; endedAt: number };

/** People who sign up all the time, and others who search, at the one address of the site. Each sign-up that was answered with 201 is noted. */
function startClients(siteUrl: string, writers: number) {
  const acknowledged: Acknowledged[] = [];
  const others = new Map<string, number>();
  const reads = { answered: 0, refused: 0 };
  const closed = new AbortController();
  const write = async () => {
    while (!closed.signal.aborted) {
      const person = newPerson();
      const begunAt = performance.now();
      const answer = await ask(siteUrl, 'POST', '/auth/register', { body: person, network: anyNetwork() }).catch(() => null);
      if (answer?.status === 201) acknowledged.push({ username: person.username, begunAt, endedAt: performance.now() });
      else {
        const what = answer ? String(answer.status) : 'no answer';
        others.set(what, (others.get(what) ?? 0) + 1);
        await pause(50);
      }
    }
  };
  const read = async () => {
    for (let page = 1; !closed.signal.aborted; page = (page % 40) + 1) {
      const answer = await ask(siteUrl, 'GET', `/listing/all?limit=12&page=${page}`).catch(() => null);
      if (answer?.status === 200) reads.answered += 1;
      else reads.refused += 1;
      await pause(25);
    }
  };
  const clients = [...Array.from({ length: writers }, write), read(), read()];
  return {
    acknowledged,
    others,
    reads,
    async stop() {
      closed.abort();
      await Promise.all(clients);
    },
  };
}

/** How many of these are not in the database. */
async function countLost({ watcher }: Cluster, usernames: readonly string[]): Promise<number> {
  const list = usernames.map((name) => `'${name}'`).join();
  const { there } = await askOnce<{ there: number }>(
    watcher.primary.url,
    `select count(*)::int as there from users where username = any (array[${list}]::text[])`,
  );
  return usernames.length - there;
}

const following = async ({ watcher }: Cluster) =>
  (
    await askOnce<{ count: number }>(
      watcher.primary.url,
      `select count(*)::int as count from pg_stat_replication where state = 'streaming'`,
    )
  ).count;

/** The primary dies, so many times, under load: how long nothing is written, and what of what was acknowledged is gone. */
export async function measureLosses(cluster: Cluster, losses: number): Promise<void> {
  const { watcher, siteUrl } = cluster;
  const rows: (string | number)[][] = [];
  const all: string[] = [];
  const gaps: number[] = [];
  for (let loss = 1; loss <= losses; loss += 1) {
    if (!(await until(async () => (await following(cluster)) === 2, 60))) throw new Error('the standbys do not follow');
    const clients = startClients(siteUrl, 6);
    if (!(await until(async () => clients.acknowledged.length >= 20, 120))) throw new Error('nobody could sign up');
    const reads = { ...clients.reads };
    const lost = watcher.primary;
    const killedAt = performance.now();
    await killNode(lost);
    const firstAfter = () => clients.acknowledged.find(({ begunAt }) => begunAt > killedAt);
    await until(async () => firstAfter() !== undefined, 60, 20);
    const gap = ((firstAfter()?.endedAt ?? Infinity) - killedAt) / 1_000;
    await pause(1_000);
    await clients.stop();
    const usernames = clients.acknowledged.map(({ username }) => username);
    all.push(...usernames);
    gaps.push(gap);
    const failover = watcher.failovers.at(-1);
    const answered = clients.reads.answered - reads.answered;
    const share = answered / Math.max(1, answered + clients.reads.refused - reads.refused);
    rows.push([
      `${loss}: ${failover?.from} to ${failover?.to}`,
      gap,
      (failover?.diedAfterMs ?? 0) / 1_000,
      (failover?.tookMs ?? 0) / 1_000,
      usernames.length,
      await countLost(cluster, usernames),
      [...clients.others].map(([what, count]) => `${count} × ${what}`).join(', '),
      `${Math.floor(share * 100)} %`,
    ]);
    console.log(`  loss ${loss} of ${losses}: ${lost.name} to ${watcher.primary.name}, writes again after ${gap.toFixed(1)} s`);
    await rejoin(lost, watcher.primary);
  }
  // Once more in the end: each later loss could have taken them.
  const lostInTheEnd = await countLost(cluster, all);
  printTable(
    'The primary is killed while six people sign up at a time and two search',
    [
      'loss',
      'writes again after s',
      'taken for dead after s',
      'promoted in s',
      'acknowledged',
      'lost',
      'other answers',
      'searches answered',
    ],
    rows,
  );
  const worst = Math.max(...gaps);
  console.log(
    `${losses} losses: writes again within ${worst.toFixed(1)} s (bar 25), ${lostInTheEnd} of ${all.length} acknowledged writes lost (bar 0): ${worst <= 25 && lostInTheEnd === 0 ? 'held' : 'NOT HELD'}`,
  );
}
