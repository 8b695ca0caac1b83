import pg from 'pg';
import { StartFault } from '../start-fault.ts';
import { endConnection } from './connection-end.ts';
import { isUnavailable } from './database.ts';

/** What a process wants of its database. */
export type DatabaseNeeds = {
  url: string;
  /** The folder that the database is in; null if DATABASE_URL names it. */
  folder: string | null;
  /** The migrations that this program knows. */
  migrations: readonly string[];
  /** Whether one with further migrations is meant. */
  mayBeNewer: boolean;
  /** Accounts that nobody may be able to sign in to, because everybody knows their passwords. */
  knownAccounts: readonly string[];
};

const oldestVersion = 18;

type Facts = { version: number; said: string; is_standby: boolean; has_migrations: boolean; has_users: boolean };
const askFacts = `
  select current_setting('server_version_num')::int as version, current_setting('server_version') as said, pg_is_in_recovery() as is_standby,
    to_regclass('migrations') is not null as has_migrations, to_regclass('users') is not null as has_users`;

/** Where a database is, without the password. */
export function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${decodeURIComponent(hostname)}:${port || 5432}`;
}

// What no waiting changes, by PostgreSQL's codes and by what `pg` says.
function refusal(url: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { username, pathname } = new URL(url);
  const code = 'code' in error ? String(error.code) : '';
  if (code === '28P01' || /^SASL.*password/.test(error.message))
    return `it refuses the password of the user ${decodeURIComponent(username)}`;
  if (code === '28000' || code === '42501') return `it refuses the user ${decodeURIComponent(username)}: ${error.message}`;
  if (code === '3D000') return `it has no database ${decodeURIComponent(pathname.slice(1))}`;
  return undefined;
}

/**
 * Looks at a database once: null where it is fit to start on, else why it is worth waiting. Throws a `StartFault` where waiting would not help.
 * A database that says nothing counts as away after `connectMs`.
 */
export async function whyNotFit(needs: DatabaseNeeds, connectMs: number): Promise<string | null> {
  const client = new pg.Client({ connectionString: needs.url, connectionTimeoutMillis: connectMs, query_timeout: connectMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await look(client, needs);
  } catch (error) {
    if (isUnavailable(error)) return error instanceof Error ? error.message || 'it does not answer' : String(error);
    const refused = refusal(needs.url, error);
    throw refused === undefined ? error : new StartFault(`DATABASE_URL leads to ${placeOf(needs.url)}, but ${refused}.`);
  } finally {
    void endConnection(client);
  }
}

async function look(client: pg.Client, needs: DatabaseNeeds): Promise<string | null> {
  const { rows } = await client.query<Facts>(askFacts);
  const facts = rows[0];
  if (!facts) return 'it says nothing of itself';
  const faults: string[] = [];
  if (facts.version < oldestVersion * 10_000)
    faults.push(`DATABASE_URL leads to PostgreSQL ${facts.said}, but ${oldestVersion} is the oldest that will do.`);
  if (facts.has_migrations) {
    const { rows: applied } = await client.query<{ name: string }>('select name from migrations order by name');
    const fault = migrationFault(
      needs,
      applied.map(({ name }) => name),
    );
    if (fault !== undefined) faults.push(fault);
  }
  if (facts.has_users) {
    // Who only typed such an address in cannot confirm it, so no stranger can keep us from starting.
    const text = 'select email from users where email = any($1) and email_confirmed_at is not null order by email';
    const { rows: known } =
      needs.knownAccounts.length > 0 ? await client.query<{ email: string }>(text, [needs.knownAccounts]) : { rows: [] };
    if (known.length > 0) {
      const emails = known.map(({ email }) => email).join(', ');
      faults.push(`DATABASE_URL leads to demo data: everybody knows the password of ${emails}. Start on a database of its own.`);
    }
  }
  if (faults.length > 0) throw new StartFault(...faults);
  return facts.is_standby ? 'it is a standby, which takes no writes' : null;
}

function migrationFault({ folder, migrations, mayBeNewer }: DatabaseNeeds, applied: readonly string[]): string | undefined {
  const [first = '', ...others] = applied.filter((name) => !migrations.includes(name));
  if (first === '') return undefined;
  // A newer version has all our migrations and more; one that lacks the first was made before the baseline.
  if (migrations[0] !== undefined && !applied.includes(migrations[0])) {
    return folder === null
      ? 'DATABASE_URL leads to a database made by an earlier version, which this one cannot upgrade. Use an empty database, or start the earlier version.'
      : `DATA_DIR is ${folder}, whose database was made by an earlier version, which this one cannot upgrade. Delete the folder or set another to begin with new data, or start the earlier version.`;
  }
  if (mayBeNewer) return undefined;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return `DATABASE_URL leads to a database newer than this program, which does not know ${first}${more}. Start the newer version, or set NEWER_DATABASE=1 to go back one version.`;
}
