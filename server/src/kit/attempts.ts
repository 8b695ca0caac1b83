import { sql } from 'kysely';
import type { Db } from './database.ts';
import { AppError } from './errors.ts';

export type Limit = { max: number; windowSeconds: number };

/**
 * Counts one attempt under a key and throws `too_many_requests` where it is one too many. The count is one statement on
 * the shared database, so the limit is exact for any number of parallel attempts and servers.
 */
export async function countAttempt(db: Db, key: string, limit: Limit): Promise<void> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    insert into attempts (key, count, window_ends_at)
    values (${key}, 1, now() + make_interval(secs => ${limit.windowSeconds}))
    on conflict (key) do update set
      count = case when attempts.window_ends_at < now() then 1 else attempts.count + 1 end,
      window_ends_at = case when attempts.window_ends_at < now() then excluded.window_ends_at else attempts.window_ends_at end
    returning count, extract(epoch from window_ends_at - now())::float8 as seconds`.execute(db);
  const row = rows[0];
  if (row && row.count > limit.max) throw new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, row.seconds) });
}

/** Takes an attempt back that turned out not to be one, such as a right password. */
export async function forgiveAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

export async function deleteOldAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('window_ends_at', '<', sql<Date>`now()`)
    .execute();
}
