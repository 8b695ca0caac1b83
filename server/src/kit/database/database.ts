import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction, sql } from 'kysely';
import pg from 'pg';
import type { OpenClient } from './connection-end.ts';
import { type ConnectionLimits, connectionLimits } from './connection-limits.ts';
import { ConnectionWatch } from './connection-watch.ts';
import type { DB } from './database.generated.ts';

export type Db = Kysely<DB>;
/** What a service takes: the transaction of the request that it serves. */
export type Tx = Transaction<DB>;
/** For reads of one statement, which need no transaction of their own. */
export type Reader = Db | Tx;

const preparedMark = '/* prepared */';

/**
 * `.modifyFront(prepared)`, of an insertion `.modifyEnd(prepared)`: the statement is planned once for each connection. Its one plan must be right for all values.
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

// A rare word and a common one need different plans; compiling one, or sharing it among processes, takes longer than most searches. A walk over
// the whole table is never the best, though estimates sometimes say so.
const searchSettings = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'off', jit: 'off', max_parallel_workers_per_gather: 0 };

export type Database = {
  db: Db;
  pool: pg.Pool;
  /** The process is about to end: connections that say nothing are thrown away at once. */
  hurry(): void;
  /** How many connections were thrown away because nothing came over them any more. */
  lost(): number;
  close(): Promise<void>;
};

/** Connects lazily: a database that is down shows as errors of single requests, not as a failed start. */
export function openDatabase(options: {
  url: string;
  connections: number;
  /** Statements that take longer are ended, and their request is told to come again. */
  statementMs?: number;
  /** For searches, whose best plan depends on the words that are asked for. */
  isForSearches?: boolean;
  onIdleError: (error: Error) => void;
  limits?: Partial<ConnectionLimits>;
}): Database {
  const limits = { ...connectionLimits, ...options.limits };
  const settings = {
    // Statements are written so that one plan is right for all values, except those of searches.
    ...(options.isForSearches ? searchSettings : { plan_cache_mode: 'force_generic_plan' }),
    statement_timeout: options.statementMs ?? limits.statementMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  const setAll = Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');
  const pool = new pg.Pool({
    Client,
    connectionString: options.url,
    max: options.connections,
    connectionTimeoutMillis: limits.connectMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveMs,
    application_name: 'handwise',
    // Not as options of the connection, which poolers do not take.
    verify: (client, done) => client.query(setAll, (error) => done(error ?? undefined)),
  });
  // A connection that dies while idle must not end the process; the pool replaces it.
  pool.on('error', options.onIdleError);
  const idle = new Set<OpenClient>();
  let lost = 0;
  const watch = new ConnectionWatch({
    url: options.url,
    limits,
    // What froze one has most likely frozen all: idle ones cost little to be made again, and each would cost somebody a wait.
    onLost: () => {
      lost += 1;
      for (const client of idle) client.connection.stream.destroy(new Error('as silent as another connection, most likely'));
    },
  });
  pool.on('connect', (client) => {
    // The pool listens to idle connections only. One that dies between two statements of a transaction would end the process.
    client.on('error', () => {});
    watch.add(client as unknown as OpenClient);
  });
  pool.on('acquire', (client) => idle.delete(client as unknown as OpenClient));
  pool.on('release', (_error, client) => idle.add(client as unknown as OpenClient));
  pool.on('remove', (client) => idle.delete(client as unknown as OpenClient));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    hurry: () => watch.hurry(),
    lost: () => lost,
    async close() {
      await db.destroy();
      watch.close();
    },
  };
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '');

/** Whether an error means that the database cannot be reached now, or not in time, rather than that a statement was wrong. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    // Of the network; then of PostgreSQL: ending or starting, cut off by a limit, lost, without room in its memory, and one that is a standby now.
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(codeOf(error)) ||
    /^(57P0[123]|57014|25P03|08\w{3}|53[0234]00|25006)$/.test(codeOf(error)) ||
    /Connection terminated|not queryable|has been discarded|timeout exceeded when trying to connect|timeout expired|Query read timeout/.test(
      error.message,
    ) ||
    /the database system is|after calling end on the pool|driver has already been destroyed/i.test(error.message)
  );
}

/** Whether the database has no room on its disk for what a statement writes, or sorts. */
export const isDatabaseFull = (error: unknown): boolean => error instanceof Error && /^(53100|ENOSPC)$/.test(codeOf(error));

/** The unique or check constraint that a statement ran into, or undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'constraint' in error)) return undefined;
  return error.code === '23505' || error.code === '23514' ? String(error.constraint) : undefined;
}

/** Whether a row was refused by its table: what it points at is not there, or it says what no row may say. */
export const isRefusedRow = (error: unknown, table: string): boolean =>
  error instanceof Error && /^(23503|23514)$/.test(codeOf(error)) && 'table' in error && error.table === table;
