import type pg from 'pg';

class PoolExhausted extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('every connection to the database is in use');
  }
}

/**
 * Takes connections from the pool and waits at most `waitMs` for one that is in use, so that a slow database does not queue all requests. After such a
 * wait, callers fail at once until a connection is released. Opening a connection may take longer.
 */
export function limitWaiting(pool: pg.Pool, waitMs: number): () => Promise<pg.PoolClient> {
  let isStuck = false;
  pool.on('release', () => {
    isStuck = false;
  });
  return async () => {
    const isFull = pool.totalCount >= pool.options.max && pool.idleCount === 0;
    if (!isFull) return pool.connect();
    if (isStuck) throw new PoolExhausted();
    const connecting = pool.connect();
    const { promise: late, resolve: giveUp } = Promise.withResolvers<undefined>();
    const timer = setTimeout(giveUp, waitMs, undefined);
    const client = await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
    if (client) return client;
    isStuck = true;
    // The pool can't forget a waiting caller.
    void connecting.then(
      (unused) => unused.release(),
      () => {},
    );
    throw new PoolExhausted();
  };
}
