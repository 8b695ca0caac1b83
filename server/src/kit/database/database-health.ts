import { setTimeout as pause } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Reader, type Db, openDatabase } from './database.ts';

/** How many segments come before the one of this file name, on any timeline. PostgreSQL has a function for it from 16 on. */
export const countSegments = (file: RawBuilder<unknown>) => sql<number>`(
  ('x' || substr(${file}, 9, 8))::bit(32)::bigint * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
    + ('x' || substr(${file}, 17, 8))::bit(32)::bigint)::float`;

/**
 * Age of the oldest write-ahead log that waits to be archived, in seconds: 0 if none waits, null if archiving is off. PostgreSQL reports an archive
 * command that fails, but not one that hangs, so segments are counted: the one before the current one should be archived.
 */
export async function readArchiveDelay(db: Reader): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select case
        when current_setting('archive_mode') = 'off' then null
        when last_failed_time > coalesce(last_archived_time, '-infinity')
          or case when last_archived_wal ~ '^[0-9A-F]{24}$' then
              ${countSegments(sql`pg_walfile_name(pg_current_wal_insert_lsn())`)} - ${countSegments(sql`last_archived_wal`)} > 1
            end
          then extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float
        else 0
      end as seconds
    from pg_stat_archiver`.execute(db);
  return rows[0]?.seconds ?? null;
}

// A database slower than this counts as unavailable.
const longestMs = 2_000;

export const isDatabaseReachable = (db: Db): Promise<boolean> =>
  Promise.race([
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
    pause(longestMs, false, { ref: false }),
  ]);

// An answer so fresh is repeated while the next check runs, which under load takes several turns of the event loop.
const freshMs = 1_000;

/**
 * Checks the database on a connection of its own, so that the health call never waits for the pool. Checks at the same time share one statement, and one
 * that succeeded within the last second is repeated.
 */
export function openDatabaseProbe(url: string) {
  const database = openDatabase({ url, connections: 1, statementMs: longestMs, onIdleError: () => {} });
  let pending: Promise<boolean> | undefined;
  let reachedAt = -Infinity;
  const check = async () => {
    const isReachable = await isDatabaseReachable(database.db);
    reachedAt = isReachable ? performance.now() : -Infinity;
    pending = undefined;
    return isReachable;
  };
  return {
    isReachable(): Promise<boolean> {
      pending ??= check();
      return performance.now() - reachedAt < freshMs ? Promise.resolve(true) : pending;
    },
    closeSilent: () => database.closeSilent(),
    close: () => database.close(),
  };
}
