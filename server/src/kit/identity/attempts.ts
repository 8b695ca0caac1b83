import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';
import { AppError } from '../errors.ts';

// Counters are rows of the shared database, each change one statement: a limit is exact for any number of parallel attempts
// and of servers.

export type Limit = { max: number; windowSeconds: number };
export type LimitedKey = { key: string; limit: Limit };

const tooMany = (seconds: number) => new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, seconds) });

/** Counts one attempt under a key and throws `too_many_requests` where it is one too many. */
export async function countAttempt(db: Db, key: string, limit: Limit): Promise<void> {
  const { rows } = await sql<{ count: number; seconds: number }>`
    insert into attempts (key, count, window_ends_at)
    values (${key}, 1, now() + make_interval(secs => ${limit.windowSeconds}))
    on conflict (key) do update set
      count = case when attempts.window_ends_at < now() then 1 else attempts.count + 1 end,
      window_ends_at = case when attempts.window_ends_at < now() then excluded.window_ends_at else attempts.window_ends_at end
    returning count, extract(epoch from window_ends_at - now())::float8 as seconds`.execute(db);
  const row = rows[0];
  if (row && row.count > limit.max) throw tooMany(row.seconds);
}

/** Throws `too_many_requests` where the failures of one of the keys have used its limit up. Counts nothing. */
export async function refuseUsedUp(db: Db, keys: readonly LimitedKey[]): Promise<void> {
  for (const { key, limit } of keys) {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from window_ends_at - now())::float8 as seconds from attempts
      where key = ${key} and count >= ${limit.max} and window_ends_at >= now()`.execute(db);
    if (rows[0]) throw tooMany(rows[0].seconds);
  }
}

/** How long an attempt waits for others whose outcome decides about it. */
const longestWaitMs = 2_000;
const askAgainMs = 25;

/**
 * Makes an attempt that may fail, and counts failures only. While it runs it holds a place of each limit, so that attempts at the
 * same time are never more than may fail; one that finds all places held waits for their outcome. `attempt` resolves to undefined
 * where it fails. Throws `too_many_requests` without an attempt where a limit is used up. A window begins with the attempt that is its first failure.
 */
export async function limitFailures<Result>(
  db: Db,
  keys: readonly LimitedKey[],
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const held: LimitedKey[] = [];
  let failed = false;
  try {
    for (const one of keys) {
      await hold(db, one);
      held.push(one);
    }
    const result = await attempt();
    failed = result === undefined;
    return result;
  } finally {
    for (const one of held) await (failed ? countFailure(db, one) : release(db, one));
  }
}

async function hold(db: Db, one: LimitedKey): Promise<void> {
  for (let waited = 0; waited < longestWaitMs; waited += askAgainMs) {
    const { numAffectedRows } = await sql`
      insert into attempts (key, count, pending, window_ends_at)
      values (${one.key}, 0, 1, now() + make_interval(secs => ${one.limit.windowSeconds}))
      on conflict (key) do update set
        count = case when attempts.window_ends_at < now() then 0 else attempts.count end,
        pending = case when attempts.window_ends_at < now() then 1 else attempts.pending + 1 end,
        window_ends_at = case when attempts.window_ends_at < now() or attempts.count = 0 then excluded.window_ends_at else attempts.window_ends_at end
      where attempts.window_ends_at < now() or attempts.count + attempts.pending < ${one.limit.max}`.execute(db);
    if (numAffectedRows) return;
    await refuseUsedUp(db, [one]);
    await wait(askAgainMs);
  }
  throw tooMany(1);
}

async function countFailure(db: Db, { key, limit }: LimitedKey): Promise<void> {
  await sql`
    insert into attempts (key, count, window_ends_at)
    values (${key}, 1, now() + make_interval(secs => ${limit.windowSeconds}))
    on conflict (key) do update set
      count = attempts.count + 1,
      pending = greatest(attempts.pending - 1, 0)`.execute(db);
}

async function release(db: Db, { key }: LimitedKey): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ pending: sql`greatest(pending - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** `free` attempts have their turn at once, each further one after a pause that doubles from a second up to `longestPauseSeconds`. */
export type Pace = { free: number; longestPauseSeconds: number; windowSeconds: number };

/**
 * Slows attempts down instead of refusing them: resolves to the seconds until this one has its turn. Attempts at the same time
 * stand in line; one that would have to wait longer than the longest pause is refused with `too_many_requests`.
 */
export async function takeTurn(db: Db, key: string, pace: Pace): Promise<number> {
  const pause = sql`case when attempts.count < ${pace.free} then interval '0'
    else make_interval(secs => least(power(2, least(attempts.count - ${pace.free}, 20)), ${pace.longestPauseSeconds})) end`;
  const turn = sql`greatest(attempts.next_at, now()) + ${pause}`;
  const { rows } = await sql<{ seconds: number }>`
    insert into attempts (key, count, window_ends_at, next_at)
    values (${key}, 1, now() + make_interval(secs => ${pace.windowSeconds}), now())
    on conflict (key) do update set
      count = case when attempts.window_ends_at < now() then 1 else attempts.count + 1 end,
      next_at = case when attempts.window_ends_at < now() then now() else ${turn} end,
      window_ends_at = case when attempts.window_ends_at < now() then excluded.window_ends_at else attempts.window_ends_at end
    where attempts.window_ends_at < now() or ${turn} <= now() + make_interval(secs => ${pace.longestPauseSeconds})
    returning extract(epoch from next_at - now())::float8 as seconds`.execute(db);
  if (rows[0]) return rows[0].seconds;
  const refused = await sql<{ seconds: number }>`
    select extract(epoch from ${turn} - now())::float8 - ${pace.longestPauseSeconds} as seconds from attempts where key = ${key}`.execute(
    db,
  );
  throw tooMany(refused.rows[0]?.seconds ?? 1);
}

/** Takes back an attempt that `countAttempt` has counted and that came to nothing. */
export async function giveBackAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Begins anew, as if there had been no attempt. */
export async function forgetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute();
}

export async function deleteOldAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('window_ends_at', '<', sql<Date>`now()`)
    .execute();
}
