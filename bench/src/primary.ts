import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Postgres, isAlive, startPostgres } from '@handwise/sandbox/postgres';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { printBars, repeat } from './load.ts';
import { startServer, stopProcess } from './stage.ts';

const settings = {
  // A commit is acknowledged once one standby has it on disk.
  synchronous_standby_names: 'ANY 1 (*)',
  hot_standby_feedback: 'on',
  wal_keep_size: '1GB',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
};
const writers = 6;

const countStandbys = `select count(*)::int as value from pg_stat_replication where state = 'streaming'`;

type SignUp = { username: string; startedAt: number; endedAt: number };

/** Kills the primary of three database nodes under sign-ups, many times: how long nothing is written, and which acknowledged sign-ups are lost. */
export async function benchPrimary(dir: string, losses: number): Promise<void> {
  let started = 0;
  const startNode = (standbyOf?: Postgres) =>
    startPostgres({ dataDir: join(dir, `node-${(started += 1)}`), settings, ...(standbyOf && { standbyOf }) });
  let primary = await startNode();
  let standbys = [await startNode(primary), await startNode(primary)];
  const proxy = await startProxy(() => Number(new URL(primary.url).port));
  const url = primary.url.replace(/:\d+\/(?=\w+$)/, `:${proxy.port}/`);
  await prepareDatabase(url);
  const environment = { DATABASE_URL: url, DATA_DIR: dir, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' };
  const servers = [await startServer(environment), await startServer(environment)];
  const acknowledged: SignUp[] = [];
  const writing = Array.from({ length: writers }, (_, index) =>
    repeat((turn) => signUp(servers[(index + turn) % servers.length]?.address ?? '', acknowledged)),
  );
  const gaps: number[] = [];
  while (gaps.length < losses) {
    await until(async () => (await query(primary, countStandbys)) === 2, 60);
    const before = acknowledged.length;
    await until(() => acknowledged.length >= before + 20, 120);
    const lost = primary;
    const killedAt = performance.now();
    kill(lost);
    // As long as a failover agent such as Patroni takes to declare a primary dead.
    await pause(2_000);
    const [promoted, other] = await promote(standbys);
    primary = promoted;
    proxy.disconnect();
    const findFirst = () => acknowledged.find(({ startedAt }) => startedAt > killedAt);
    await until(() => findFirst() !== undefined, 60);
    gaps.push(((findFirst()?.endedAt ?? Infinity) - killedAt) / 1_000);
    // It comes back as a new copy, without the writes that only it had.
    await lost.remove();
    standbys = [other, await startNode(primary)];
  }
  await Promise.all(writing.map((stop) => stop()));
  const lost = await query<number>(
    primary,
    'select count(*)::int as value from unnest($1::text[]) as name where not exists (select from users where username = name)',
    [acknowledged.map(({ username }) => username)],
  );
  printBars([
    { what: `${writers} people write again after, worst of ${losses} losses, s`, measured: Math.max(...gaps), atMost: 25 },
    { what: `lost of ${acknowledged.length} acknowledged writes`, measured: lost, atMost: 0 },
  ]);
  for (const server of servers) await stopProcess(server);
  proxy.close();
  await Promise.all([primary, ...standbys].map((node) => node.stop()));
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

/** The one address of the database: connects to the current primary. */
async function startProxy(portOfPrimary: () => number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(portOfPrimary(), '127.0.0.1');
    for (const [from, to] of [[client, target] as const, [target, client] as const]) {
      open.add(from);
      // Either end closes the other.
      pipeline(from, to, () => open.delete(from) && to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => open.forEach((socket) => socket.destroy());
  return { port: (server.address() as AddressInfo).port, disconnect, close: () => (disconnect(), server.close()) };
}

async function query<T>({ url }: Postgres, text: string, values: unknown[] = []): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ value: T }>(text, values)).rows[0]?.value as T;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Promotes the standby that has received most, which has every acknowledged write, and lets the other follow it. Returns both. */
async function promote(standbys: readonly Postgres[]): Promise<[Postgres, Postgres]> {
  const received = [];
  for (const node of standbys)
    received.push({ node, bytes: await query<number>(node, `select (pg_last_wal_receive_lsn() - '0/0')::float as value`) });
  const [next, other] = received.toSorted((a, b) => b.bytes - a.bytes).map(({ node }) => node) as [Postgres, Postgres];
  await query(next, 'select pg_promote(true) as value');
  const { port, username, password } = new URL(next.url);
  const address = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await query(other, `alter system set primary_conninfo = '${address}'`);
  await query(other, 'select pg_reload_conf() as value');
  return [next, other];
}

/** Ends all processes of a node at once, as a power cut does. */
function kill({ cluster }: Postgres): void {
  const postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number);
  for (const pid of [postmaster, ...children]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

async function until(isTrue: () => boolean | Promise<boolean>, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; !(await isTrue()); await pause(20))
    if (Date.now() > end) throw new Error(`Not true within ${seconds} s: ${isTrue.toString()}`);
}
