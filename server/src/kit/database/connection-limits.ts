/** How long a connection to the database may take for what. Milliseconds. */
export type ConnectionLimits = typeof connectionLimits;

export const connectionLimits = {
  /** To be connected, and to wait for a connection of the pool. */
  connectMs: 5_000,
  /** Without a byte until the kernel asks whether the other side is there. */
  keepAliveMs: 10_000,
  /** Without a byte of an answer until the database is asked, on another connection, whether it is at work on it. */
  quietMs: 5_000,
  /** Without a byte of an answer where nobody can say that: then the connection is thrown away. */
  silentMs: 10_000,
  /** For one statement. What a job does to many rows may take minutes; no statement of ours takes as long as this. */
  statementMs: 600_000,
  /** For one statement of a search: then the answer is what can be said without it. */
  searchMs: 500,
  /** Between two statements of a transaction. Whoever is gone for so long holds its locks no longer. */
  idleInTransactionMs: 60_000,
  /** For one statement on the connections that follow what changes, which are all short. */
  followMs: 10_000,
  /** From one sign of life of such a connection to the next. */
  heartbeatMs: 5_000,
};

/** For a connection that does one thing after the other and is made anew where one takes too long. */
export const followingConnection = {
  connectionTimeoutMillis: connectionLimits.connectMs,
  query_timeout: connectionLimits.followMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: connectionLimits.keepAliveMs,
};
