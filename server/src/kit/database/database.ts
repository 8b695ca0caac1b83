import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction, sql } from 'kysely';
import pg from 'pg';
import { ConnectionWatch } from './connection-watch.ts';
import { type OpenClient, type ConnectionTimeouts, connectionTimeouts } from './connections.ts';
import type { DB } from './database.generated.ts';
import { limitWaiting } from './pool-wait.ts';
import { reportStatementStart } from './statement-start.ts';

export type Db = Kysely<DB>;
/** A transaction: what functions take that write as part of their caller's transaction. */
export type Tx = Transaction<DB>;
/** For single-statement reads, inside a transaction or not. */
export type Reader = Db | Tx;

const preparedMark = '/* prepared */';

/**
 * `.modifyFront(prepared)`, for an insert `.modifyEnd(prepared)`: the statement is planned once per connection. One plan must suit all values.
 */
export const prepared = sql.raw(preparedMark);

// Kysely sends every statement unnamed, so PostgreSQL plans it each time. With 20 indexes to choose from, that takes longer than the search
// itself. Marked statements are sent under a name.
const names = new Map<string, string>();
class Client extends pg.Client {
  /** Begins a transaction. */
  readonly begin: string = 'begin';

  override query(text: unknown, values?: unknown, callback?: unknown): never {
    reportStatementStart();
    let query = text === 'begin' ? this.begin : text;
    let own = values;
    if (typeof text === 'string' && text.includes(preparedMark)) {
      let name = names.get(text);
      if (!name) names.set(text, (name = createHash('sha256').update(text).digest('base64url').slice(0, 20)));
      query = { text, values, name };
      own = undefined;
    }
    // All overloads of `query` are passed through unchanged.
    const answer: unknown = super.query(query as never, own as never, callback as never);
    return answer as never;
  }
}

// A rare word and a common one need different plans. JIT and parallel workers cost more than most searches take, and a sequential scan is never
// best, though estimates sometimes say so.
const searchSettings = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'off', jit: 'off', max_parallel_workers_per_gather: 0 };

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** Closes silent connections at once, for a process that is about to end. */
  closeSilent(): void;
  /** Number of connections closed because they were silent. */
  countLost(): number;
  close(): Promise<void>;
};

/** Connects lazily: a database that is down shows as errors of single requests, not as a failed start. */
export function openDatabase(options: {
  url: string;
  connections: number;
  /** Statements that take longer are cancelled, and their request is answered as unavailable. */
  statementMs?: number;
  /** For searches, whose best plan depends on the searched words. */
  isForSearches?: boolean;
  onIdleError: (error: Error) => void;
  timeouts?: Partial<ConnectionTimeouts>;
}): Database {
  const timeouts = { ...connectionTimeouts, ...options.timeouts };
  const settings = {
    // One plan suits all values of every statement except those of searches.
    ...(options.isForSearches ? searchSettings : { plan_cache_mode: 'force_generic_plan' }),
    statement_timeout: options.statementMs ?? timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
  };
  const setAll = Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');
  const pool = new pg.Pool({
    // In the same round trip.
    Client: class extends Client {
      override readonly begin = `begin; set local lock_timeout = ${timeouts.transactionLockMs}`;
    },
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: timeouts.connectMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: timeouts.keepAliveMs,
    application_name: 'handwise',
    // Poolers do not accept these as connection options.
    verify: (client, done) => client.query(setAll, (error) => done(error ?? undefined)),
  });
  // A connection that dies while idle must not end the process; the pool replaces it.
  pool.on('error', options.onIdleError);
  const idle = new Set<OpenClient>();
  let lost = 0;
  const watch = new ConnectionWatch({
    url: options.url,
    timeouts,
    // The cause most likely froze all connections. Reopening idle ones is cheap; a frozen one costs a request its timeout.
    onLost: () => {
      lost += 1;
      for (const client of idle) client.connection.stream.destroy(new Error('closed, because another connection stopped answering'));
    },
  });
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only. An error between two statements of a transaction would end the process.
    client.on('error', () => {});
    watch.add(client as unknown as OpenClient);
  });
  pool.on('acquire', (client) => idle.delete(client as unknown as OpenClient));
  pool.on('release', (_error, client) => idle.add(client as unknown as OpenClient));
  pool.on('remove', (client) => idle.delete(client as unknown as OpenClient));
  const connect = limitWaiting(pool, timeouts.waitMs);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }) });
  return {
    db,
    pool,
    closeSilent: () => watch.closeSilent(),
    countLost: () => lost,
    async close() {
      await db.destroy();
      watch.close();
    },
  };
}

const getErrorCode = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Whether the database can't be reached now or in time, rather than a statement being wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    // First the network's codes; then PostgreSQL's: shutting down or starting, timeouts, lost connection, out of memory, a standby.
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(getErrorCode(error)) ||
    /^(57P0[123]|57014|55P03|25P03|08\w{3}|53[0234]00|25006)$/.test(getErrorCode(error)) ||
    /Connection terminated|not queryable|has been discarded|timeout exceeded when trying to connect|timeout expired|Query read timeout/.test(
      error.message,
    ) ||
    /the database system is|after calling end on the pool|driver has already been destroyed/i.test(error.message)
  );
}

/** Whether the database's disk is full. */
export const isDatabaseFull = (error: unknown): boolean => error instanceof Error && /^(53100|ENOSPC)$/.test(getErrorCode(error));

/** The unique or check constraint that a statement violated, or undefined. */
export function getViolatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'constraint' in error)) return undefined;
  return error.code === '23505' || error.code === '23514' ? String(error.constraint) : undefined;
}

/** Whether a row violates a foreign key or check constraint of the table. */
export const isRefusedRow = (error: unknown, table: string): boolean =>
  error instanceof Error && /^(23503|23514)$/.test(getErrorCode(error)) && 'table' in error && error.table === table;
