import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartupError } from '@handwise/server/startup-error';
import { inUse, isStart } from './data-dir.ts';
import {
  checkCluster,
  clusterArgument,
  getCluster,
  createCluster,
  damagedControlFile,
  inCluster,
  hasCluster,
  getPasswordFile,
  getClusterPlace,
  programsFor,
  readPassword,
  refuseLostCluster,
  resetPassword,
} from './postgres-cluster.ts';
import { copyAsStandby } from './postgres-standby.ts';

/** `remove` stops it and deletes its data folder. */
export type Postgres = { url: string; cluster: string; stop(): Promise<void>; remove(): Promise<void> };

/**
 * A free port outside the range of outgoing connections, which could take it before it is
 * listened to, or while its server restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await new Promise((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

// Identifies a server by its command after its folder was moved.
const clusterName = (cluster: string) => `handwise-${statSync(cluster).ino}`;

const getPidFile = (cluster: string) => join(cluster, 'postmaster.pid');

/** The running process of a cluster's pid file. After a reboot it may be another program, which only Linux can detect. */
function processOn(cluster: string): { pid: number; port: number; isServer: boolean } | undefined {
  if (!existsSync(getPidFile(cluster))) return undefined;
  const [pid = 0, , , port = 0] = readFileSync(getPidFile(cluster), 'utf8').split('\n').map(Number);
  if (!pid || !isAlive(pid)) return undefined;
  if (process.platform !== 'linux') return { pid, port, isServer: true };
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid, port, isServer: command.includes(cluster) || command.includes(`cluster_name=${clusterName(cluster)}`) };
  } catch {
    return undefined;
  }
}

/** Deletes a pid file that names another program, because PostgreSQL mistakes any running process for a server. */
function deleteStalePid(cluster: string) {
  if (processOn(cluster)?.isServer === false) rmSync(getPidFile(cluster), { force: true });
}

function getParent(pid: number): number {
  try {
    return Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

/** Ends a server that a killed start left behind. Linux only; elsewhere PostgreSQL refuses to start beside it. */
async function stopLeftover(dataDir: string, cluster: string) {
  deleteStalePid(cluster);
  if (process.platform !== 'linux') return;
  for (let waited = 0; waited < 10_000; waited += 100) {
    const found = processOn(cluster);
    if (!found) return;
    const parent = getParent(found.pid);
    if (isStart(parent)) throw inUse(dataDir, parent);
    if (waited === 0) process.kill(found.pid, 'SIGINT');
    await pause(100);
  }
}

/** Whether a running server accepts this password. */
async function acceptsPassword(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== '28P01';
  } finally {
    await client.end().catch(() => {});
  }
}

type StartOptions = {
  dataDir: string;
  port?: number;
  settings?: Record<string, string>;
  /** The folder of another PostgreSQL than the embedded one, with its `bin`. */
  programs?: string | undefined;
  /** A running server on this machine, of which a new cluster becomes a standby with the same password. */
  standbyOf?: { url: string; cluster: string };
  /** How long the start may take; a restored cluster replays its log first. */
  withinMs?: number;
  /** If set, a crashed server is restarted, and this is called with a message. */
  onCrash?: (line: string) => void;
};

/**
 * Starts a real PostgreSQL on 127.0.0.1, on a free port unless one is given, with its data below `dataDir`, creating the cluster on first
 * use. Throws a `StartupError` if the cluster is missing, damaged or of another version, or if the server is not ready within `withinMs`
 * (30 s by default).
 */
export async function startPostgres(options: StartOptions): Promise<Postgres> {
  const dataDir = resolve(options.dataDir);
  const place = getClusterPlace(dataDir);
  const { cluster, owner } = place;
  const programs = options.programs ?? programsFor(owner);
  const passwordFile = getPasswordFile(dataDir);
  const isNew = !hasCluster(dataDir);

  if (isNew) {
    refuseLostCluster(dataDir, cluster);
    if (options.standbyOf) await copyAsStandby({ of: options.standbyOf, passwordFile, ...place });
    else createCluster(place, programs, passwordFile);
  } else {
    checkCluster(place, programs);
    await stopLeftover(dataDir, cluster);
  }
  const port = options.port ?? (await freePort());
  const settings = {
    cluster_name: clusterName(cluster),
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    shared_buffers: '256MB',
    max_connections: '200',
    random_page_cost: '1.1',
    jit: 'off',
    // Recovery after a crash otherwise syncs a thousand files one by one.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group, so that Ctrl+C does not end it before the server has closed its connections.
  const launch = () =>
    spawn(join(programs, 'bin/postgres'), ['-D', clusterArgument(place), ...flags], {
      ...inCluster(place),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const withinMs = options.withinMs ?? 30_000;
  const replacePassword = () => {
    console.warn(`${passwordFile} was missing or wrong: the database has a new password.`);
    return resetPassword(place, programs, passwordFile);
  };

  let password = readPassword(passwordFile) ?? replacePassword();
  let child = launch();
  await untilReady(child, withinMs).catch((error: unknown) => {
    throw error instanceof StartupError && /control file|pg_control/i.test(error.message) ? damagedControlFile(cluster) : error;
  });
  if (!isNew && !(await acceptsPassword(getUrl(password, port)))) {
    await stopServer(child);
    password = replacePassword();
    child = launch();
    await untilReady(child, withinMs);
  }
  const stop = options.onCrash ? restartOnCrash({ child, launch, cluster, onCrash: options.onCrash }) : () => stopServer(child);
  return {
    url: getUrl(password, port),
    cluster,
    stop,
    async remove() {
      await stop();
      for (const folder of [cluster, dataDir]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
const steadyMs = 60_000;
const logEveryMs = 60_000;
const recoveryMs = 24 * 3_600_000;

/** Restarts a server whenever it ends by itself, until the function that it returns is called, which stops it. */
function restartOnCrash(server: { child: ChildProcess; launch: () => ChildProcess; cluster: string; onCrash: (line: string) => void }) {
  const { launch, cluster, onCrash } = server;
  const stopping = new AbortController();
  let { child } = server;
  let pauseMs = firstPauseMs;

  const watch = () => {
    const since = Date.now();
    const onExit = () => {
      if (stopping.signal.aborted) return;
      if (Date.now() - since > steadyMs) pauseMs = firstPauseMs;
      void restart(child.signalCode ?? `code ${child.exitCode}`);
    };
    if (hasEnded(child)) onExit();
    else child.once('exit', onExit);
  };
  const restart = async (how: string) => {
    onCrash(`The database ended unexpectedly (${how}) and is restarted.`);
    for (let loggedAt = Date.now(); ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      try {
        deleteStalePid(cluster);
        child = launch();
        await untilReady(child, recoveryMs);
        watch();
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (Date.now() - loggedAt < logEveryMs) continue;
        loggedAt = Date.now();
        onCrash(`The database cannot be restarted: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  watch();
  return async () => {
    stopping.abort();
    await stopServer(child);
  };
}

/** The database of a data folder, started if it is not running; `stop` stops only what this started. Must not be called during a start. */
export async function usePostgres(dataDir: string): Promise<Postgres> {
  const cluster = getCluster(dataDir);
  const running = processOn(cluster);
  if (!running?.isServer) return startPostgres({ dataDir });
  const passwordFile = getPasswordFile(resolve(dataDir));
  const password = readPassword(passwordFile);
  if (password === undefined) throw new StartupError(`${passwordFile} is missing. Stop the site and start it: that sets a new password.`);
  const nothing = () => Promise.resolve();
  return { url: getUrl(password, running.port), cluster, stop: nothing, remove: nothing };
}

const getUrl = (password: string, port: number) => `postgres://handwise:${password}@127.0.0.1:${port}/postgres`;

function untilReady(child: ChildProcess, withinMs: number): Promise<void> {
  return new Promise((done, fail) => {
    let output = '';
    const failWith = (how: string) => fail(new StartupError(`${how}:`, ...output.trim().split('\n')));
    const timer = setTimeout(() => {
      child.kill('SIGQUIT');
      failWith(`PostgreSQL did not start within ${withinMs / 1000} s`);
    }, withinMs);
    child.stderr?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
      // A standby accepts read-only connections.
      if (!/ready to accept (read-only )?connections/.test(output)) return;
      clearTimeout(timer);
      done();
    });
    child.once('error', fail);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      failWith(`PostgreSQL ended (${signal ?? `code ${code}`})`);
    });
  });
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

async function stopServer(child: ChildProcess) {
  if (hasEnded(child)) return;
  const ended = new Promise((done) => child.once('exit', done));
  // Fast shutdown: open transactions are rolled back, everything committed is on disk.
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), 6_000);
  await ended;
  clearTimeout(timer);
}
