import type { Socket } from 'node:net';
import type pg from 'pg';

/** In milliseconds. */
export type ConnectionTimeouts = typeof connectionTimeouts;

export const connectionTimeouts = {
  /** To open a connection. */
  connectMs: 5_000,
  /** For a connection of the pool while all of them are in use. */
  waitMs: 5_000,
  /** Silence after which the kernel sends keep-alive probes. */
  keepAliveMs: 10_000,
  /** Silence during a query after which the database is asked, on another connection, whether it still works on it. */
  quietMs: 5_000,
  /** Silence during a query after which the connection is closed if that question stays unanswered. */
  silentMs: 10_000,
  /** For one statement. Jobs on many rows may take minutes. */
  statementMs: 600_000,
  /** For a lock that a statement needs; 0: as long as the statement may take. */
  lockMs: 0,
  /** The same within a transaction. */
  transactionLockMs: 0,
  /** For all statements of a search together, without the wait for a connection; a longer search is partial or answered 503. */
  searchMs: 2_000,
  /** Between two statements of a transaction, so that a lost client does not hold its locks. */
  idleInTransactionMs: 60_000,
  /** For one statement on the connections that read the changes table or a replica's status. */
  followMs: 10_000,
  /** Between two heartbeats of such a connection. */
  heartbeatMs: 5_000,
};

/**
 * For the connections of requests, which are answered 503 instead of queueing. Reads are single statements; transactions may wait longer, because writes to
 * the same rows wait for one another. Where a server also runs jobs, one that fails by these limits is retried.
 */
export const requestTimeouts = { waitMs: 1_000, lockMs: 2_000, transactionLockMs: 10_000 } satisfies Partial<ConnectionTimeouts>;

/** The same where requests may queue longer, as beside tests that use all cores. */
export const getRequestTimeouts = (queueWaitMs: number): Partial<ConnectionTimeouts> => ({
  waitMs: Math.max(requestTimeouts.waitMs, queueWaitMs),
  lockMs: Math.max(requestTimeouts.lockMs, queueWaitMs),
  transactionLockMs: Math.max(requestTimeouts.transactionLockMs, queueWaitMs),
});

/** For a connection that runs one statement at a time and is reopened after a timeout. */
export const followerConnectionOptions = {
  connectionTimeoutMillis: connectionTimeouts.connectMs,
  query_timeout: connectionTimeouts.followMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: connectionTimeouts.keepAliveMs,
};

/** Members that `pg` has but does not declare. */
export type OpenClient = pg.ClientBase & {
  connection: { stream: Socket };
  /** Of the database's backend. */
  processID: number | null;
  /** False while a query is running. */
  readyForQuery: boolean | null;
};

const goodbyeMs = 500;

/** Ends a connection, by force if the other side does not respond. Never fails. */
export async function endConnection(client: pg.Client): Promise<void> {
  const { stream } = (client as unknown as OpenClient).connection;
  const cut = setTimeout(() => stream.destroy(), goodbyeMs);
  await client.end().catch(() => {});
  clearTimeout(cut);
}
