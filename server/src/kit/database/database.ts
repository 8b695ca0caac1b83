import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction, sql } from 'kysely';
import pg from 'pg';
import type { DB } from './database.generated.ts';

export type Db = Kysely<DB>;
/** What a service takes: the transaction of the request that it serves. */
export type Tx = Transaction<DB>;
/** For reads of one statement, which need no transaction of their own. */
export type Reader = Db | Tx;

const preparedMark = '/* prepared */';

/**
 * `.modifyFront(prepared)`: the statement is planned once for each connection. Its one plan must be right for all values.
 */
export const prepared = sql.raw(preparedMark);

// Kysely sends every statement unnamed, so PostgreSQL plans it anew each time. With 20 indexes to choose from that takes
// longer than the search itself. Marked statements are sent under a name.
const names = new Map<string, string>();
class Client extends pg.Client {
  override query(text: unknown, values?: unknown, callback?: unknown): never {
    let given = text;
    if (typeof text === 'string' && text.includes(preparedMark)) {
      let name = names.get(text);
      if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 20)));
      given = { text, values, name };
    }
    // Every overload of pg's own `query` is passed through as it came.
    const answer: unknown = super.query(given as never, (given === text ? values : undefined) as never, callback as never);
    return answer as never;
  }
}

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

/** Connects lazily: a database that is down shows as errors of single requests, not as a failed start. */
export function openDatabase(options: {
  url: string;
  connections: number;
  /** Statements that take longer are ended, and their request is told to come again. Not given: each takes as long as it takes. */
  statementMs?: number;
  onIdleError: (error: Error) => void;
}): Database {
  const pool = new pg.Pool({
    Client,
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    application_name: 'handwise',
    // The statements are written so that one plan is right for all values. Left to itself the planner compares estimates
    // for each value, and for a frequent word it has taken a walk over the whole table for the cheaper one.
    options: `-c plan_cache_mode=force_generic_plan -c statement_timeout=${options.statementMs ?? 0}`,
  });
  // A connection that dies while idle must not end the process; the pool replaces it.
  pool.on('error', options.onIdleError);
  pool.on('connect', (client) => {
    // The pool listens to idle connections only. One that dies between two statements of a transaction would end the process.
    client.on('error', () => {});
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Whether an error means that the database cannot be reached now, or not in time, rather than that a statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|57P0[123]|57014|08\w{3}|53300)$/.test(code) ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect|the database system is/i.test(error.message)
  );
}

/** The unique or check constraint that a statement ran into, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'constraint' in error)) return undefined;
  return error.code === '23505' || error.code === '23514' ? String(error.constraint) : undefined;
}
