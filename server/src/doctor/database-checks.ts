import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import type { Env } from '../env.ts';
import { checkDatabase, describeAddress } from '../kit/database/database-check.ts';
import { readArchiveDelay } from '../kit/database/database-health.ts';
import type { Db } from '../kit/database/database.ts';
import { readMigrations } from '../kit/database/migrations.ts';
import { parsePosition } from '../kit/replicas/replica.ts';
import { StartupError } from '../kit/startup-error.ts';
import { getRequirements } from '../startup/startup-checks.ts';
import { type Check, fail, ok, type Outcome, warn } from './checks.ts';

type Parts = { env: Env; databaseUrl: string; db: Db; now: () => Date; patience: number };

const connectMs = 5_000;
const extensions = ['btree_gin', 'citext', 'pg_trgm', 'unaccent'];

export const createDatabaseChecks = (parts: Parts): Check[] => [
  { name: 'database', otherwise: 'Look at the log of PostgreSQL.', run: () => checkServer(parts) },
  { name: 'database settings', otherwise: 'Mend the database first.', run: () => checkSettings(parts) },
  ...parts.env.databaseReplicaUrls.map((url) => ({
    name: `replica ${describeAddress(url)}`,
    otherwise: 'Reads go to the primary meanwhile. Look at its log, or take it out of DATABASE_REPLICA_URLS.',
    run: () => checkReplica(parts, url),
  })),
  { name: 'backups', otherwise: 'See that your backups run: docs/operations.md, “How do I back up?”', run: () => checkBackups(parts) },
  { name: 'restore', otherwise: restoreTodo, run: () => checkRestore(parts) },
];

async function checkServer({ env, databaseUrl, db, patience }: Parts): Promise<Outcome> {
  const address = describeAddress(databaseUrl);
  try {
    const why = await checkDatabase(await getRequirements({ env, databaseUrl }), patience * connectMs);
    if (why !== null) return fail(`${address} cannot be used: ${why}.`, 'Start PostgreSQL, or correct DATABASE_URL.');
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return fail(error.lines.join(' '), 'Servers do not start until this is put right.');
  }
  const { rows } = await sql<{ version: string; bytes: string; migrated: boolean }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::text as bytes,
      to_regclass('migrations') is not null as migrated`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database did not describe itself');
  const { version, bytes, migrated } = row;
  const says = `PostgreSQL ${version} at ${address}, ${Math.ceil(Number(bytes) / 1_000_000)} MB`;
  if (!migrated) return warn(`${says}, is empty.`, 'Start a server: it creates the tables.');
  const { rows: stored } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(stored.map(({ name }) => name));
  const pending = (await readMigrations()).filter(({ name }) => !applied.has(name));
  if (pending.length > 0)
    return warn(`${says}, lacks ${pending.length} migrations of this version.`, 'Start a server of this version: it applies them.');
  return checkExtensions(db, says);
}

async function checkExtensions(db: Db, says: string): Promise<Outcome> {
  const { rows } = await sql<{ name: string; installed: string | null; current: string }>`
    select name, installed_version as installed, default_version as current from pg_available_extensions
    where name = any(${extensions})`.execute(db);
  const missing = extensions.filter((name) => !rows.some((row) => row.name === name && row.installed !== null));
  if (missing.length > 0)
    return fail(
      `${says}, lacks the extensions ${missing.join(', ')}.`,
      `Run: ${missing.map((name) => `create extension ${name};`).join(' ')}`,
    );
  const old = rows.filter(({ installed, current }) => installed !== current).map(({ name }) => name);
  if (old.length > 0)
    return warn(
      `${says}, has old versions of ${old.join(', ')}, as after an upgrade of PostgreSQL.`,
      `Run: ${old.map((name) => `alter extension ${name} update;`).join(' ')}`,
    );
  return ok(`${says}, with all extensions and migrations.`);
}

const neededSettings = {
  fsync: 'a power cut would damage the database',
  full_page_writes: 'a power cut would damage the database',
  autovacuum: 'tables would grow and slow down',
  track_counts: 'autovacuum would not run',
} as const;

async function checkSettings({ env, db }: Parts): Promise<Outcome> {
  const names = [...Object.keys(neededSettings), 'synchronous_commit', 'max_connections', 'server_encoding', 'data_checksums'];
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name = any(${names})`.execute(db);
  const values = new Map(rows.map(({ name, setting }) => [name, setting]));
  const off = Object.entries(neededSettings).filter(([name]) => values.get(name) === 'off');
  if (off.length > 0)
    return fail(off.map(([name, why]) => `${name} is off: ${why}.`).join(' '), 'Turn it on in postgresql.conf and restart PostgreSQL.');
  if (values.get('synchronous_commit') === 'off')
    return fail(
      'synchronous_commit is off: a payment that was answered could be lost.',
      'Set synchronous_commit = on and reload PostgreSQL.',
    );
  if (values.get('server_encoding') !== 'UTF8')
    return fail(`The database's encoding is ${values.get('server_encoding')}.`, 'Create it again with encoding UTF8.');
  // docs/operations.md has the sum.
  const needed = 2 * env.databasePool + 6 + 13 + 10;
  const most = Number(values.get('max_connections'));
  if (most < needed)
    return fail(`max_connections is ${most}; one server and one worker need ${needed}.`, `Raise max_connections, or lower DATABASE_POOL.`);
  if (values.get('data_checksums') === 'off')
    return warn('Data checksums are off: damage by a disk goes unnoticed.', 'Stop PostgreSQL and run pg_checksums --enable.');
  return ok(`Writes are durable; ${most} connections, of which a server and a worker need ${needed}.`);
}

// What a replica that follows is behind for a moment only.
const behindBytes = 64n * 1024n * 1024n;

async function checkReplica({ db, patience }: Parts, url: string): Promise<Outcome> {
  const longestMs = patience * connectMs;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: longestMs, query_timeout: longestMs });
  client.on('error', () => {});
  const todo = 'Reads go to the primary meanwhile. Set it up as a standby again, or take it out of DATABASE_REPLICA_URLS.';
  try {
    await client.connect();
    const replica = await client.query<{ standby: boolean; replayed: string | null }>(
      'select pg_is_in_recovery() as standby, pg_last_wal_replay_lsn()::text as replayed',
    );
    const { standby = false, replayed = null } = replica.rows[0] ?? {};
    if (!standby || replayed === null) return warn('It is not a standby.', todo);
    const primary = await sql<{ written: string }>`select pg_current_wal_lsn()::text as written`.execute(db);
    const behind = parsePosition(primary.rows[0]?.written ?? '0/0') - parsePosition(replayed);
    if (behind > behindBytes)
      return warn(`It is ${behind / 1_000_000n} MB behind the primary.`, 'Look at its load, its disk and its network.');
    return ok('Follows the primary.');
  } finally {
    await client.end().catch(() => {});
  }
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A nightly backup may start late and take a while. */
const oldBackupMs = 26 * hourMs;
const lostBackupMs = 7 * dayMs;
const oldRestoreMs = 100 * dayMs;

const restoreTodo =
  'Restore the last backup into an empty place, start a site on it, and then write the time into the file restore-tested of DATA_DIR: date -u +%FT%TZ > restore-tested';

/** The time in a file that a backup or somebody who tested one leaves. Null if it is missing or says no time. */
function readTime(path: readonly string[], parse: (content: string) => string): Date | null {
  try {
    const time = Date.parse(parse(readFileSync(join(...path), 'utf8')));
    return Number.isNaN(time) ? null : new Date(time);
  } catch {
    return null;
  }
}

/** The folder `stamps` is what the backup of ops/compose.yaml may write of DATA_DIR. */
const readStamps = ({ dataDir, backup }: Env, name: string) =>
  [dataDir, join(dataDir, 'stamps'), ...(backup ? [backup.dir] : [])].map((dir) => readTime([dir, name], (content) => content.trim()));

const newest = (times: readonly (Date | null)[]) =>
  times.reduce<Date | null>((latest, time) => (time && (!latest || time > latest) ? time : latest), null);

/** Times of the copies in the folder of `npm run backup`. */
function listCopies(dir: string): (Date | null)[] {
  try {
    const bases = readdirSync(dir).filter((name) => /^base-[\dTZ]+$/.test(name));
    return bases.map((base) => readTime([dir, base, 'manifest.json'], (content) => (JSON.parse(content) as { wholeAt: string }).wholeAt));
  } catch {
    return [];
  }
}

type BackRest = { status?: { message?: string }; backup?: { timestamp?: { stop?: number } }[] }[];

/** The end of pgBackRest's last backup, where it is installed and set up. */
async function askBackRest(): Promise<Date | null> {
  try {
    const { stdout } = await promisify(execFile)('pgbackrest', ['info', '--output=json'], { timeout: connectMs });
    const stops = (JSON.parse(stdout) as BackRest).flatMap(({ backup = [] }) => backup.map(({ timestamp }) => timestamp?.stop ?? 0));
    return stops.length > 0 ? new Date(1_000 * Math.max(...stops)) : null;
  } catch {
    return null;
  }
}

const describeAge = (ms: number) => (ms < 2 * dayMs ? `${Math.round(ms / hourMs)} hours` : `${Math.round(ms / dayMs)} days`);

async function checkBackups({ env, db, now }: Parts): Promise<Outcome> {
  const delay = await readArchiveDelay(db);
  const last = newest([
    ...(env.backup ? listCopies(env.backup.dir) : []),
    ...readStamps(env, 'backed-up'),
    env.backup ? null : await askBackRest(),
  ]);
  const todo = 'docs/operations.md, “How do I back up?”, says how.';
  if (last === null) {
    const archives = delay === null ? 'The log of the database is not archived either.' : 'The log of the database is archived.';
    return warn(
      `No backup is known here. ${archives}`,
      `${todo} If your provider makes them, let it write the time of each into the file backed-up of DATA_DIR.`,
    );
  }
  const age = now().getTime() - last.getTime();
  if (age < -hourMs) return warn('The last backup claims a time in the future.', 'Look at the clock of what writes it.');
  const says = `The last backup is ${describeAge(age)} old`;
  if (age > lostBackupMs) return fail(`${says}.`, todo);
  if (delay !== null && delay > lostArchiveSeconds)
    return fail(
      `${says}, and for ${describeAge(1_000 * delay)} the log of the database was not archived.`,
      'Is the disk of the backup there, with room? Then: select * from pg_stat_archiver',
    );
  if (age > oldBackupMs) return warn(`${says}.`, 'See why the nightly backup did not run.');
  if (delay === null)
    return warn(
      `${says}, and what is written between two backups is not kept.`,
      'Archive the log: BACKUP_DIR, or pgBackRest’s archive-push.',
    );
  return ok(`${says}, and the log since then is archived.`);
}
const lostArchiveSeconds = 3_600;

function checkRestore({ env, now }: Parts): Outcome {
  const tested = newest(readStamps(env, 'restore-tested'));
  if (tested === null) return warn('No backup was ever restored to see whether it works, as far as is known here.', restoreTodo);
  const age = now().getTime() - tested.getTime();
  if (age < -hourMs) return warn('The last tested restore claims a time in the future.', restoreTodo);
  const says = `A backup was restored ${describeAge(age)} ago`;
  return age > oldRestoreMs ? warn(`${says}.`, restoreTodo) : ok(`${says}.`);
}
