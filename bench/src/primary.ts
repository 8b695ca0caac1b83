import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { printBars, repeat } from './load.ts';
import { findMissing, query, startCluster, until } from './patroni.ts';
import { startServer, stopProcess } from './stage.ts';

const writers = 6;

type SignUp = { username: string; startedAt: number; endedAt: number };

/**
 * Kills the primary of three nodes under Patroni while people sign up, in turn its PostgreSQL and the whole node: how long nothing is written, and
 * which acknowledged sign-ups are lost.
 */
export async function benchPrimary(dir: string, losses: number): Promise<void> {
  const missing = findMissing();
  if (missing !== null) {
    console.log(`Not measured: the loss of a primary, because this is missing: ${missing}`);
    return;
  }
  const cluster = await startCluster(dir);
  const { url } = cluster;
  await prepareDatabase(url);
  const environment = { DATABASE_URL: url, DATA_DIR: dir, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' };
  const servers = [await startServer(environment), await startServer(environment)];
  const acknowledged: SignUp[] = [];
  const writing = Array.from({ length: writers }, (_, index) =>
    repeat((turn) => signUp(servers[(index + turn) % servers.length]?.address ?? '', acknowledged)),
  );
  const gaps: Record<'postgres' | 'node', number[]> = { postgres: [], node: [] };
  for (let loss = 0; loss < losses; loss += 1) {
    await until(cluster.isWhole, 300);
    const before = acknowledged.length;
    await until(() => acknowledged.length >= before + 20, 120);
    const primary = await cluster.findPrimary();
    const what = loss % 2 === 0 ? 'postgres' : 'node';
    const killedAt = performance.now();
    if (what === 'postgres') primary.killPostgres();
    else primary.killNode();
    const findFirst = () => acknowledged.find(({ startedAt }) => startedAt > killedAt);
    await until(() => findFirst() !== undefined, 120);
    const gap = ((findFirst()?.endedAt ?? Infinity) - killedAt) / 1_000;
    gaps[what].push(gap);
    console.log(`${what === 'postgres' ? 'PostgreSQL' : 'The node'} of ${primary.name} was killed: writes again after ${gap.toFixed(1)} s`);
    if (what === 'node') primary.run();
  }
  await until(cluster.isWhole, 300);
  await Promise.all(writing.map((stop) => stop()));
  const lost = await query<number>(
    url,
    'select count(*)::int as value from unnest($1::text[]) as name where not exists (select from users where username = name)',
    [acknowledged.map(({ username }) => username)],
  );
  printBars([
    {
      what: `writes again after PostgreSQL was killed, worst of ${gaps.postgres.length}, s`,
      measured: Math.max(...gaps.postgres),
      atMost: 15,
    },
    { what: `writes again after the node was killed, worst of ${gaps.node.length}, s`, measured: Math.max(...gaps.node), atMost: 30 },
    { what: `lost of ${acknowledged.length} acknowledged writes`, measured: lost, atMost: 0 },
  ]);
  for (const server of servers) await stopProcess(server);
  await cluster.stop();
}

/** Signs someone up from a network of their own, and adds the sign-up to those acknowledged if it was. */
async function signUp(address: string, acknowledged: SignUp[]): Promise<void> {
  const username = `c${randomUUID().replaceAll('-', '').slice(0, 14)}`;
  const startedAt = performance.now();
  const answer = await fetch(`${address}/api/auth/register`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
    },
    body: JSON.stringify({ fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse-7' }),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined);
  if (answer?.status === 201) acknowledged.push({ username, startedAt, endedAt: performance.now() });
  else await pause(50);
}
