import pg from 'pg';
import { type OwnKeyFile, findKeyFaults } from '../secrets/own-keys.ts';
import { StartupError } from '../startup-error.ts';
import { endConnection } from './connections.ts';
import { isUnavailable } from './database.ts';

/** What a process requires of its database. */
export type DatabaseRequirements = {
  url: string;
  /** The folder of the embedded database; null if DATABASE_URL is set. */
  folder: string | null;
  /** The migrations that this program knows. */
  migrations: readonly string[];
  /** Whether the database may have migrations that this program does not know. */
  allowsNewer: boolean;
  /** Accounts with well-known passwords, which must not exist. */
  demoAccounts: readonly string[];
  /** The key files that must be there if the database was used with them. */
  keyFiles: readonly OwnKeyFile[];
};

const oldestVersion = 15;

type Facts = {
  version: number;
  version_name: string;
  is_standby: boolean;
  has_migrations: boolean;
  has_users: boolean;
  has_own_keys: boolean;
};
const selectFacts = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as version_name, pg_is_in_recovery() as is_standby,
    to_regclass('migrations') is not null as has_migrations, to_regclass('users') is not null as has_users,
    to_regclass('own_keys') is not null as has_own_keys`;

/** Host and port of a database, without its password. */
export function describeAddress(url: string): string {
  const { hostname, port } = new URL(url);
  return `${decodeURIComponent(hostname)}:${port || 5432}`;
}

// Errors that waiting does not resolve, by PostgreSQL's codes and the messages of `pg`.
function describePermanentError(url: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { username, pathname } = new URL(url);
  const code = 'code' in error ? String(error.code) : '';
  if (code === '28P01' || /^SASL.*password/.test(error.message))
    return `it rejects the password of the user ${decodeURIComponent(username)}`;
  if (code === '28000' || code === '42501') return `it rejects the user ${decodeURIComponent(username)}: ${error.message}`;
  if (code === '3D000') return `it has no database ${decodeURIComponent(pathname.slice(1))}`;
  return undefined;
}

/**
 * Checks a database once: null if the server can start on it, else the reason to wait. Throws a `StartupError` if waiting does not help. A database
 * that does not answer within `connectMs` counts as unavailable.
 */
export async function checkDatabase(needs: DatabaseRequirements, connectMs: number): Promise<string | null> {
  const client = new pg.Client({ connectionString: needs.url, connectionTimeoutMillis: connectMs, query_timeout: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await checkContent(client, needs);
  } catch (error) {
    if (isUnavailable(error)) return error instanceof Error ? error.message || 'it does not answer' : String(error);
    const reason = describePermanentError(needs.url, error);
    throw reason === undefined ? error : new StartupError(`DATABASE_URL points to ${describeAddress(needs.url)}, but ${reason}.`);
  } finally {
    void endConnection(client);
  }
}

async function checkContent(client: pg.Client, needs: DatabaseRequirements): Promise<string | null> {
  const { rows } = await client.query<Facts>(selectFacts);
  const facts = rows[0];
  if (!facts) return 'it did not describe itself';
  const faults: string[] = [];
  if (facts.version < oldestVersion * 10_000)
    faults.push(`DATABASE_URL points to PostgreSQL ${facts.version_name}, but ${oldestVersion} is the oldest supported version.`);
  if (facts.has_migrations) {
    const { rows: applied } = await client.query<{ name: string }>('select name from migrations order by name');
    const fault = findMigrationFault(
      needs,
      applied.map(({ name }) => name),
    );
    if (fault !== undefined) faults.push(fault);
  }
  if (facts.has_users) {
    // Only confirmed addresses count, so that a stranger can't prevent a start by registering one.
    const text = 'select email from users where email = any($1) and email_confirmed_at is not null order by email';
    const { rows: known } =
      needs.demoAccounts.length > 0 ? await client.query<{ email: string }>(text, [needs.demoAccounts]) : { rows: [] };
    if (known.length > 0) {
      const emails = known.map(({ email }) => email).join(', ');
      faults.push(`DATABASE_URL points to demo data: everybody knows the password of ${emails}. Start on a database of its own.`);
    }
  }
  if (facts.has_own_keys && needs.keyFiles.length > 0) {
    const { rows: known } = await client.query<{ file: string; fingerprint: Buffer }>('select file, fingerprint from own_keys');
    faults.push(...findKeyFaults(needs.keyFiles, known));
  }
  if (faults.length > 0) throw new StartupError(...faults);
  return facts.is_standby ? 'it is a standby, which takes no writes' : null;
}

function findMigrationFault({ folder, migrations, allowsNewer }: DatabaseRequirements, applied: readonly string[]): string | undefined {
  const [first = '', ...others] = applied.filter((name) => !migrations.includes(name));
  if (first === '') return undefined;
  // A newer version has all our migrations and more. A database without our first one is older than the baseline.
  if (migrations[0] !== undefined && !applied.includes(migrations[0])) {
    return folder === null
      ? 'DATABASE_URL points to a database created by an earlier version, which this one cannot upgrade. Use an empty database, or start the earlier version.'
      : `DATA_DIR is ${folder}, whose database was made by an earlier version, which this one cannot upgrade. Delete the folder or set another to begin with new data, or start the earlier version.`;
  }
  if (allowsNewer) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `DATABASE_URL points to a database newer than this program, which does not know ${first}${more}. Start the newer version, or start this one with --newer-database to go back one version.`;
}
