import { sql } from 'kysely';
import type { Reader } from './database.ts';

/**
 * For how long nothing has been archived of what the database writes, in seconds: 0 where nothing waits for it. Null where nothing is to be archived.
 * A command that fails says so itself. Of one that hangs nothing is heard, so segments are counted: the one before the current one should be archived.
 */
export async function readArchiveDelay(db: Reader): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select case
        when current_setting('archive_mode') = 'off' then null
        when last_failed_time > coalesce(last_archived_time, '-infinity')
          or case when last_archived_wal ~ '^[0-9A-F]{24}$' then
              (pg_split_walfile_name(pg_walfile_name(pg_current_wal_insert_lsn()))).segment_number
                - (pg_split_walfile_name(last_archived_wal)).segment_number > 1
            end
          then extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float
        else 0
      end as seconds
    from pg_stat_archiver`.execute(db);
  return rows[0]?.seconds ?? null;
}
