import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Postgres, startPostgres } from '@handwise/sandbox/postgres';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import { printBars, printTable, repeat } from './load.ts';
import { startServer, stopChild } from './stage.ts';

type Node = { name: string; dataDir: string; postgres: Postgres };

const settings = {
  // A commit is acknowledged once one standby has it on disk.
  synchronous_standby_names: 'ANY 1 (*)',
  hot_standby_feedback: 'on',
  wal_keep_size: '1GB',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
};
/** How long a failover agent such as Patroni takes to declare a primary dead. */
const detectionMs = 2_000;
const writers = 6;

/** Kills the primary of three database nodes under sign-ups, many times: how long nothing is written, and which acknowledged sign-ups are lost. */
export async function benchPrimary(dir: string, losses: number): Promise<void> {
  const nodes: Node[] = [];
  for (const name of ['n1', 'n2', 'n3']) {
    const dataDir = join(dir, name);
    const standbyOf = nodes[0]?.postgres;
    nodes.push({ name, dataDir, postgres: await startPostgres({ dataDir, settings, ...(standbyOf && { standbyOf }) }) });
  }
  let [primary] = nodes as [Node, ...Node[]];
  const proxy = await startProxy(() => Number(new URL(primary.postgres.url).port));
  const url = primary.postgres.url.replace(/:\d+\/(?=\w+$)/, `:${proxy.port}/`);
  await prepareDatabase(url);
  const servers = [];
  for (const name of ['s1', 's2']) {
    const dataDir = join(dir, name);
    mkdirSync(dataDir);
    servers.push(await startServer({ DATABASE_URL: url, DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'silent' }));
  }
  const rows: (string | number)[][] = [];
  const acknowledged: string[] = [];
  const gaps: number[] = [];
  try {
    for (let loss = 1; loss <= losses; loss += 1) {
      await until(async () => (await queryOnce(primary, countStandbys)) === 2, 60);
      const signUps = startSignUps(servers.map(({ address }) => address));
      await until(() => signUps.acknowledged.length >= 20, 120);
      const lost = primary;
      const killedAt = performance.now();
      await kill(lost);
      await pause(detectionMs);
      primary = await promote(nodes.filter((node) => node !== lost));
      proxy.disconnect();
      const firstAfter = () => signUps.acknowledged.find(({ startedAt }) => startedAt > killedAt);
      await until(() => firstAfter() !== undefined, 60);
      const gap = ((firstAfter()?.endedAt ?? Infinity) - killedAt) / 1_000;
      await pause(1_000);
      await signUps.stop();
      const names = signUps.acknowledged.map(({ username }) => username);
      acknowledged.push(...names);
      gaps.push(gap);
      rows.push([`${lost.name} to ${primary.name}`, gap, names.length, await countMissing(primary, names), signUps.otherAnswers()]);
      await rejoin(lost, primary);
    }
    printTable(
      `The primary is killed ${losses} times while ${writers} people sign up at a time`,
      ['loss', 'writes again after s', 'acknowledged', 'lost', 'other answers'],
      rows,
    );
    printBars([
      { what: 'writes again after, worst, s', measured: Math.max(...gaps), atMost: 25 },
      // Counted again at the end, because a later loss could have removed them.
      { what: `lost of ${acknowledged.length} acknowledged writes`, measured: await countMissing(primary, acknowledged), atMost: 0 },
    ]);
  } finally {
    for (const { child } of servers) await stopChild(child);
    proxy.close();
    await Promise.all(nodes.map(({ postgres }) => postgres.remove()));
  }
}

/** People who sign up one after the other on alternating servers, each from a network of their own. */
function startSignUps(addresses: readonly string[]) {
  const acknowledged: { username: string; startedAt: number; endedAt: number }[] = [];
  const others = new Map<string, number>();
  const signUp = async (address: string) => {
    const username = `c${randomUUID().replaceAll('-', '').slice(0, 14)}`;
    const startedAt = performance.now();
    const status = await fetch(`${address}/api/auth/register`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
      },
      body: JSON.stringify({ fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse-7' }),
      signal: AbortSignal.timeout(30_000),
    }).then(
      (answer) => String(answer.status),
      () => 'no answer',
    );
    if (status === '201') return acknowledged.push({ username, startedAt, endedAt: performance.now() });
    others.set(status, (others.get(status) ?? 0) + 1);
    return pause(50);
  };
  const writing = Array.from({ length: writers }, (_, index) =>
    repeat((turn) => signUp(addresses[(index + turn) % addresses.length] ?? '')),
  );
  return {
    acknowledged,
    otherAnswers: () => [...others].map(([status, count]) => `${count} × ${status}`).join(', '),
    async stop() {
      await Promise.all(writing.map((one) => one.stop()));
    },
  };
}

/** The one address of the database: connects to the current primary. */
async function startProxy(portOfPrimary: () => number) {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(portOfPrimary(), '127.0.0.1');
    for (const [socket, other] of [[client, target] as const, [target, client] as const]) {
      open.add(socket);
      socket.on('error', () => {}).once('close', () => open.delete(socket) && other.destroy());
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const disconnect = () => open.forEach((socket) => socket.destroy());
  return { port: (server.address() as AddressInfo).port, disconnect, close: () => (disconnect(), server.close()) };
}

const countStandbys = `select count(*)::int as value from pg_stat_replication where state = 'streaming'`;

async function queryOnce<T>({ postgres }: Node, text: string, values: unknown[] = []): Promise<T> {
  const client = new pg.Client({ connectionString: postgres.url, connectionTimeoutMillis: 1_000, query_timeout: 5_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ value: T }>(text, values)).rows[0]?.value as T;
  } finally {
    await client.end().catch(() => {});
  }
}

const countMissing = async (node: Node, usernames: readonly string[]) =>
  usernames.length - (await queryOnce<number>(node, 'select count(*)::int as value from users where username = any ($1)', [usernames]));

/** Promotes the standby that has received most, which has every acknowledged write, and lets the others follow it. */
async function promote(standbys: readonly Node[]): Promise<Node> {
  const received = await Promise.all(
    standbys.map(async (node) => ({
      node,
      at: BigInt(await queryOnce<string>(node, `select (pg_last_wal_receive_lsn() - '0/0'::pg_lsn)::text as value`)),
    })),
  );
  const { node: next } = received.reduce((one, other) => (other.at > one.at ? other : one));
  await queryOnce(next, 'select pg_promote(true) as value');
  const { port, username, password } = new URL(next.postgres.url);
  const address = `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}`;
  for (const node of standbys) {
    if (node === next) continue;
    await queryOnce(node, `alter system set primary_conninfo = '${address}'`);
    await queryOnce(node, 'select pg_reload_conf() as value');
  }
  return next;
}

/** A lost node comes back as a new copy, without the writes that only it had. */
async function rejoin(node: Node, primary: Node): Promise<void> {
  await node.postgres.remove();
  node.postgres = await startPostgres({ dataDir: node.dataDir, settings, standbyOf: primary.postgres });
}

/** Ends all processes of a node at once, as a power cut does. */
async function kill({ postgres }: Node): Promise<void> {
  const statusOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/status`, 'utf8');
    } catch {
      return '';
    }
  };
  const postmaster = Number(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const pids = [postmaster, ...all.filter((pid) => statusOf(pid).includes(`\nPPid:\t${postmaster}\n`))];
  for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
  await until(() => pids.every((pid) => !statusOf(pid) || /\nState:\t[ZX]/.test(statusOf(pid))), 10);
}

async function until(isTrue: () => boolean | Promise<boolean>, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; !(await isTrue()); await pause(20))
    if (Date.now() > end) throw new Error(`Not so within ${seconds} s: ${isTrue.toString()}`);
}
