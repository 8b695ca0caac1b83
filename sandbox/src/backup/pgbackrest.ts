import { execFile, execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { type Owner, getClusterPlace } from '../postgres-cluster.ts';
import { startPostgres } from '../postgres.ts';

const programsFolder = '/usr/lib/postgresql';
const ops = join(import.meta.dirname, '../../../ops');

/** PostgreSQL's programs for a drill of pgBackRest, or what is missing for one. pgBackRest of a distribution knows its PostgreSQL only. */
export function findBackRest(): { programs: string } | { missing: string } {
  try {
    execFileSync('pgbackrest', ['version']);
  } catch {
    return { missing: 'pgBackRest is not installed: apt-get install pgbackrest' };
  }
  const [newest] = existsSync(programsFolder) ? readdirSync(programsFolder).toSorted((a, b) => Number(b) - Number(a)) : [];
  const programs = join(programsFolder, newest ?? '');
  if (newest === undefined || !existsSync(join(programs, 'bin/initdb')))
    return { missing: `no PostgreSQL server is in ${programsFolder}: apt-get install postgresql` };
  return { programs };
}

export type Drill = {
  version: number;
  backupSeconds: number;
  databaseBytes: number;
  /** Compressed. */
  backupBytes: number;
  restoreSeconds: number;
  /** Rows that were acknowledged before the moment, and those of them that the restored database has. */
  before: number;
  restored: number;
  /** Rows of after the moment that it has too. */
  after: number;
  /** What ops/database/restore-test printed. */
  tested: string;
};

/**
 * Backs up a database under writes with the settings of ops/pgbackrest, deletes rows by mistake, destroys the database and restores the moment
 * before the mistake. `root` must be a folder that PostgreSQL's user can enter.
 */
export async function drillBackRest(root: string, programs: string): Promise<Drill> {
  const dataDir = join(root, 'data');
  const { cluster, owner } = getClusterPlace(dataDir);
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path, { mode: 0o700 });
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const config = join(root, 'pgbackrest.conf');
  const paths = {
    'pg1-path': cluster,
    'pg1-socket-path': folder('sockets'),
    'repo1-path': folder('repository'),
    'log-path': folder('log'),
    'lock-path': folder('lock'),
    'pg1-user': 'handwise',
    'pg1-database': 'postgres',
  };
  const command = `pgbackrest --config=${config} --stanza=site`;
  let postgres = await startPostgres({
    dataDir,
    programs,
    settings: {
      unix_socket_directories: paths['pg1-socket-path'],
      archive_mode: 'on',
      archive_command: `${command} archive-push %p`,
      archive_timeout: '30',
    },
  });
  const { port, password } = new URL(postgres.url);
  writeConfig(config, { ...paths, 'pg1-port': port });
  const environment = { PATH: `${join(programs, 'bin')}:${process.env['PATH']}`, PGPASSWORD: decodeURIComponent(password) };
  const run = (name: string, args: readonly string[], more = {}) => runAs(owner, name, args, { ...environment, ...more });
  const backRest = (...args: string[]) => run('pgbackrest', [`--config=${config}`, '--stanza=site', ...args]);
  let client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => {});
  try {
    await prepareDatabase(postgres.url);
    await client.connect();
    await backRest('stanza-create');
    await backRest('check');
    const writer = startWriter(postgres.url);
    const backupAt = performance.now();
    await backRest('--type=full', 'backup');
    const backupSeconds = secondsSince(backupAt);
    await pause(1_000);
    const before = await writer.stop();
    const moment = await readOne<string>(client, 'select clock_timestamp()::text as value');
    await client.query(`delete from users; ${addUser('after')}`);
    const waiting = await readOne<string>(client, 'select pg_walfile_name(pg_switch_wal()) as value');
    const isArchived = `select coalesce(last_archived_wal >= '${waiting}', false) as value from pg_stat_archiver`;
    while (!(await readOne<boolean>(client, isArchived))) await pause(100);
    await client.end();
    await postgres.stop();
    rmSync(cluster, { recursive: true });

    const restoreAt = performance.now();
    mkdirSync(cluster, { mode: 0o700 });
    if (owner) chownSync(cluster, owner.uid, owner.gid);
    await backRest('--type=time', `--target=${moment}`, '--target-action=promote', 'restore');
    postgres = await startPostgres({ dataDir, programs, port: Number(port), withinMs: 300_000 });
    client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => {});
    await client.connect();
    while (await readOne<boolean>(client, 'select pg_is_in_recovery() as value')) await pause(50);
    const restoreSeconds = secondsSince(restoreAt);
    const count = (where: string) => readOne<number>(client, `select count(*)::int as value from users where username ${where}`);
    const info = JSON.parse(await backRest('--output=json', 'info')) as [
      { backup: [{ info: { size: number; repository: { delta: number } } }] },
    ];
    // The restored database takes writes.
    await client.query(addUser('restored'));
    const version = await readOne<string>(client, "select current_setting('server_version_num') as value");
    const drill = {
      version: Math.floor(Number(version) / 10_000),
      backupSeconds,
      databaseBytes: info[0].backup[0].info.size,
      backupBytes: info[0].backup[0].info.repository.delta,
      restoreSeconds,
      before,
      restored: await count(`like 'w%'`),
      after: await count(`= 'after'`),
    };
    const script = join(root, 'restore-test');
    copyFileSync(join(ops, 'database/restore-test'), script);
    const stamps = folder('stamps');
    const tested = await run('sh', [script], {
      PGBACKREST_CONFIG: config,
      PGBACKREST_STANZA: 'site',
      RESTORED: folder('restored'),
      RESTORE_DATABASE: 'postgres',
      STAMPS: stamps,
      TMPDIR: folder('tmp'),
    });
    if (!/^\d{4}-\d\d-\d\dT/.test(readFileSync(join(stamps, 'restore-tested'), 'utf8'))) throw new Error('restore-test wrote no time');
    return { ...drill, tested: tested.trim().split('\n').at(-1) ?? '' };
  } finally {
    await client.end().catch(() => {});
    await postgres.stop();
  }
}

const secondsSince = (start: number) => (performance.now() - start) / 1_000;

/** The settings of ops with other values, and those that it lacks. */
function writeConfig(path: string, values: Readonly<Record<string, string>>) {
  const known = readFileSync(join(ops, 'pgbackrest/pgbackrest.conf'), 'utf8')
    .split('\n')
    .filter((line) => !Object.keys(values).some((name) => line.startsWith(`${name}=`)));
  const lines = (isOfDatabase: boolean) =>
    Object.entries(values).flatMap(([name, value]) => (name.startsWith('pg1-') === isOfDatabase ? [`${name}=${value}`] : []));
  const text = known.flatMap((line) =>
    line === '[global]' ? [line, ...lines(false)] : line === '[site]' ? [line, ...lines(true)] : [line],
  );
  writeFileSync(path, text.join('\n'), { mode: 0o644 });
}

async function runAs(owner: Owner | undefined, name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await promisify(execFile)(name, args, { ...owner, env, cwd: '/', maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${name} ${args.join(' ')} failed: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`, { cause: error });
  }
}

const addUser = (name: string) =>
  `insert into users (full_name, username, email, password_hash) values ('Mere Kingi', '${name}', '${name}@example.org', 'none')`;

/** Adds users, one commit each; `stop` returns how many were acknowledged. */
function startWriter(url: string) {
  const stopping = new AbortController();
  const write = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    let count = 0;
    for (; !stopping.signal.aborted; count += 1) await client.query(addUser(`w${String(count).padStart(6, '0')}`));
    await client.end();
    return count;
  };
  const writing = write();
  return {
    stop() {
      stopping.abort();
      return writing;
    },
  };
}

const readOne = async <T>(client: pg.Client, text: string): Promise<T> => (await client.query<{ value: T }>(text)).rows[0]?.value as T;
