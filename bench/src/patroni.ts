import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort, isAlive } from '@handwise/sandbox/postgres';
import { type Owner, getClusterPlace } from '@handwise/sandbox/postgres-cluster';

const ops = join(import.meta.dirname, '../../ops/patroni');
const programsFolder = '/usr/lib/postgresql';
const password = 'bench';

/** What is missing for three nodes under Patroni; null if all of it is installed. */
export function findMissing(): string | null {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((name) => !isInstalled(name));
  if (!findPrograms()) missing.push(`PostgreSQL in ${programsFolder}`);
  return missing.length === 0 ? null : `${missing.join(', ')}: apt-get install patroni etcd-server haproxy postgresql`;
}

function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { env: { PATH: searchPath }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** haproxy is not in the path of every user. */
const searchPath = `${process.env['PATH']}:/usr/sbin:/sbin`;

function findPrograms(): string | undefined {
  const versions = existsSync(programsFolder) ? readdirSync(programsFolder).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(programsFolder, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

type Member = { name: string; role: string; state: string; lag?: number };

/** Three machines, each with etcd, Patroni and PostgreSQL, with the settings of ops/patroni, and HAProxy in front of them. */
export async function startCluster(root: string) {
  const programs = findPrograms() ?? '';
  const { owner } = getClusterPlace(join(root, 'owner'));
  const folder = (...names: string[]) => {
    const path = join(root, ...names);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  chmodSync(root, 0o755);
  const config = join(root, 'patroni.yml');
  copyFileSync(join(ops, 'patroni.yml'), config);
  chmodSync(config, 0o644);
  const names = ['db1', 'db2', 'db3'];
  const ports = await Promise.all(
    names.map(async (name) => ({
      name,
      client: await freePort(),
      peer: await freePort(),
      rest: await freePort(),
      postgres: await freePort(),
    })),
  );
  const etcdCluster = ports.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join();
  const start = (log: string, program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    startProcess({ owner, log, program, args, env });

  const nodes = ports.map(({ name, client, peer, rest, postgres }) => {
    const dir = folder(name);
    const data = join(dir, 'postgres');
    let children: ChildProcess[] = [];
    const run = () => {
      const own = `http://127.0.0.1:${client}`;
      const toPeers = `http://127.0.0.1:${peer}`;
      const options = {
        name,
        'data-dir': join(dir, 'etcd'),
        'listen-client-urls': own,
        'advertise-client-urls': own,
        'listen-peer-urls': toPeers,
        'initial-advertise-peer-urls': toPeers,
        'initial-cluster': etcdCluster,
        // For a busy machine.
        'heartbeat-interval': '200',
        'election-timeout': '2000',
      };
      const flags = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
      const etcd = start(join(dir, 'etcd.log'), 'etcd', flags);
      const patroni = start(join(dir, 'patroni.log'), 'patroni', [config], {
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: ports.map((one) => `'127.0.0.1:${one.client}'`).join(),
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${rest}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${rest}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgres}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgres}`,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: programs,
        PATRONI_POSTGRESQL_PGPASS: join(dir, 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: password,
      });
      children = [etcd, patroni];
    };
    return {
      name,
      rest: `http://127.0.0.1:${rest}`,
      run,
      /** Ends all processes of PostgreSQL at once; Patroni goes on. */
      killPostgres: () => killPostgres(data),
      /** Ends everything at once, as a power cut does. */
      killNode() {
        for (const { pid } of children) if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
        killPostgres(data);
      },
      /** Patroni stops its PostgreSQL first. */
      async stop() {
        for (const child of children.toReversed()) {
          if (child.exitCode !== null || child.signalCode !== null) continue;
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          await ended;
        }
      },
    };
  });
  for (const node of nodes) node.run();

  const port = await freePort();
  const haproxy = join(root, 'haproxy.cfg');
  const servers = ports.map(({ name, rest, postgres }) => `    server ${name} 127.0.0.1:${postgres} check port ${rest}`);
  const lines = readFileSync(join(ops, 'haproxy.cfg'), 'utf8').split('\n');
  const text = lines.filter((line) => !/^ +server /.test(line)).map((line) => line.replace(/^( +bind ).*/, `$1127.0.0.1:${port}`));
  writeFileSync(haproxy, [...text, ...servers, ''].join('\n'));
  const proxy = start(join(folder('proxy'), 'haproxy.log'), 'haproxy', ['-db', '-f', haproxy]);

  /** The members as the first node that answers knows them. */
  const listMembers = async (): Promise<Member[]> => {
    for (const { rest } of nodes) {
      const answer = await fetch(`${rest}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const isWhole = async () => {
    const members = await listMembers();
    const running = members.filter(({ state, lag = 0 }) => /^(running|streaming)$/.test(state) && lag === 0).map(({ role }) => role);
    return running.length === 3 && running.includes('leader') && running.includes('sync_standby');
  };
  const urlOf = (user: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  await until(isWhole, 300);
  for (const statement of [`create role handwise login password '${password}'`, 'create database handwise owner handwise'])
    await query(urlOf('postgres', 'postgres'), statement);
  return {
    url: urlOf('handwise', 'handwise'),
    nodes,
    isWhole,
    /** The node that is the primary now. */
    async findPrimary() {
      const leader = (await listMembers()).find(({ role }) => role === 'leader');
      const node = nodes.find(({ name }) => name === leader?.name);
      if (!node) throw new Error('no node is the primary');
      return node;
    },
    async stop() {
      proxy.kill('SIGTERM');
      // Together, because a last node has nobody to agree with.
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

type Start = { owner: Owner | undefined; log: string; program: string; args: readonly string[]; env: NodeJS.ProcessEnv };

function startProcess({ owner, log, program, args, env }: Start): ChildProcess {
  const output = openSync(log, 'a');
  const child = spawn(program, args, {
    ...owner,
    cwd: '/',
    env: { PATH: searchPath, LC_ALL: 'C.UTF-8', TMPDIR: process.env['TMPDIR'], ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return child;
}

function killPostgres(data: string): void {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!isAlive(postmaster)) return;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number);
  for (const pid of [postmaster, ...children]) if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** Runs one statement on a connection of its own; returns the column `value` of its first row. */
export async function query<T>(url: string, text: string, values: unknown[] = []): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query<{ value: T }>(text, values)).rows[0]?.value as T;
  } finally {
    await client.end().catch(() => {});
  }
}

export async function until(isTrue: () => boolean | Promise<boolean>, seconds: number): Promise<void> {
  for (const end = Date.now() + seconds * 1_000; !(await isTrue()); await pause(50))
    if (Date.now() > end) throw new Error(`Not true within ${seconds} s: ${isTrue.toString()}`);
}
