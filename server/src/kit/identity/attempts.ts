import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Reader, Tx } from '../database/database.ts';
import { AppError } from '../errors.ts';

// Counters are rows of the shared database, changed by single statements, so limits are exact for parallel attempts on any number of servers.

export type Limit = { max: number; windowSeconds: number };
export type LimitedKey = {
  key: string;
  limit: Limit;
  /** Text of the rejection, in place of the waiting time. */
  message?: string;
  /** Runs in the transaction that counts the last failure of the limit. */
  onExhausted?: (tx: Tx) => Promise<void>;
};

const isOver = sql<boolean>`attempts.window_ends_at < now()`;
const untilEnd = sql<number>`extract(epoch from window_ends_at - now())::float8`;
const computeWindowEnd = ({ windowSeconds }: Pick<Limit, 'windowSeconds'>) => sql<Date>`now() + make_interval(secs => ${windowSeconds})`;

const createLimitError = (seconds: number, message?: string) =>
  new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, seconds), ...(message !== undefined && { message }) });

/** Counts one attempt under a key and throws `too_many_requests` if it exceeds the limit. */
export async function countAttempt(db: Db, key: string, limit: Limit): Promise<void> {
  const { count, seconds } = await countOne(db, key, limit);
  if (count > limit.max) throw createLimitError(seconds);
}

/** Counts one attempt under a key and returns whether it is the first within the window. */
export const isFirstAttempt = async (db: Reader, key: string, window: Pick<Limit, 'windowSeconds'>): Promise<boolean> =>
  (await countOne(db, key, window)).count === 1;

const countOne = (db: Reader, key: string, limit: Pick<Limit, 'windowSeconds'>) =>
  db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: computeWindowEnd(limit) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 else attempts.count + 1 end`,
        window_ends_at: sql<Date>`case when ${isOver} then excluded.window_ends_at else attempts.window_ends_at end`,
      }),
    )
    .returning(['count', untilEnd.as('seconds')])
    .executeTakeFirstOrThrow();

/** Throws `too_many_requests` if the failures of a key have reached its limit. Counts nothing. */
export async function rejectExhausted(db: Db, keys: readonly LimitedKey[]): Promise<void> {
  for (const { key, limit, message } of keys) {
    const exhausted = await db
      .selectFrom('attempts')
      .select(untilEnd.as('seconds'))
      .where('key', '=', key)
      .where('count', '>=', limit.max)
      .where('window_ends_at', '>=', sql<Date>`now()`)
      .executeTakeFirst();
    if (exhausted) throw createLimitError(exhausted.seconds, message);
  }
}

/** How long an attempt waits for the outcome of concurrent ones. */
const maxWaitMs = 2_000;
const pollMs = 25;

/**
 * Runs an attempt and counts it if it fails, which is when `attempt` resolves to undefined. A running attempt reserves one failure of each limit, so
 * concurrent attempts never exceed it; further ones wait for the outcome. Throws `too_many_requests` without an attempt if a limit is exhausted. The
 * window begins with the attempt that fails first.
 */
export async function limitFailures<Result>(
  db: Db,
  keys: readonly LimitedKey[],
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const reserved: LimitedKey[] = [];
  let failed = false;
  try {
    for (const one of keys) {
      await reserve(db, one);
      reserved.push(one);
    }
    const result = await attempt();
    failed = result === undefined;
    return result;
  } finally {
    for (const one of reserved) await (failed ? countFailure(db, one) : release(db, one));
  }
}

async function reserve(db: Db, one: LimitedKey): Promise<void> {
  for (let waited = 0; waited < maxWaitMs; waited += pollMs) {
    const reserved = await db
      .insertInto('attempts')
      .values({ key: one.key, count: 0, pending: 1, window_ends_at: computeWindowEnd(one.limit) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({
            count: sql<number>`case when ${isOver} then 0 else attempts.count end`,
            pending: sql<number>`case when ${isOver} then 1 else attempts.pending + 1 end`,
            window_ends_at: sql<Date>`case when ${isOver} or attempts.count = 0 then excluded.window_ends_at else attempts.window_ends_at end`,
          })
          .where(sql<boolean>`(${isOver} or attempts.count + attempts.pending < ${one.limit.max})`),
      )
      .returning('key')
      .executeTakeFirst();
    if (reserved) return;
    await rejectExhausted(db, [one]);
    await wait(pollMs);
  }
  throw createLimitError(1);
}

async function countFailure(db: Db, { key, limit, onExhausted }: LimitedKey): Promise<void> {
  if (!onExhausted) {
    await addFailure(db, key, limit);
    return;
  }
  await db.transaction().execute(async (tx) => {
    const { count } = await addFailure(tx, key, limit);
    if (count === limit.max) await onExhausted(tx);
  });
}

const addFailure = (db: Reader, key: string, limit: Limit) =>
  db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: computeWindowEnd(limit) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`attempts.count + 1`,
        pending: sql<number>`greatest(attempts.pending - 1, 0)`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();

async function release(db: Db, { key }: LimitedKey): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ pending: sql`greatest(pending - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** The first `free` attempts start at once, each further one after a pause that doubles from a second up to `longestPauseSeconds`. */
export type Throttle = { free: number; longestPauseSeconds: number; windowSeconds: number };

/**
 * Slows attempts down instead of rejecting them: resolves to the seconds until this one may start. Concurrent attempts queue; one that would wait
 * longer than the longest pause is rejected with `too_many_requests`.
 */
export async function throttleAttempt(db: Db, key: string, throttle: Throttle): Promise<number> {
  const pause = sql`case when attempts.count < ${throttle.free} then interval '0'
    else make_interval(secs => least(power(2, least(attempts.count - ${throttle.free}, 20)), ${throttle.longestPauseSeconds})) end`;
  const nextAt = sql`greatest(attempts.next_at, now()) + ${pause}`;
  const started = await db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: computeWindowEnd(throttle), next_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else attempts.count + 1 end`,
          next_at: sql<Date>`case when ${isOver} then now() else ${nextAt} end`,
          window_ends_at: sql<Date>`case when ${isOver} then excluded.window_ends_at else attempts.window_ends_at end`,
        })
        .where(sql<boolean>`(${isOver} or ${nextAt} <= now() + make_interval(secs => ${throttle.longestPauseSeconds}))`),
    )
    .returning(sql<number>`extract(epoch from next_at - now())::float8`.as('seconds'))
    .executeTakeFirst();
  if (started) return started.seconds;
  const rejected = await db
    .selectFrom('attempts')
    .select(sql<number>`extract(epoch from ${nextAt} - now())::float8 - ${throttle.longestPauseSeconds}`.as('seconds'))
    .where('key', '=', key)
    .executeTakeFirst();
  throw createLimitError(rejected?.seconds ?? 1);
}

/** Reverts `countAttempt` for an attempt that had no effect. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ count: sql`greatest(count - 1, 0)` })
    .where('key', '=', key)
    .execute();
}

/** Resets the counter to zero. */
export async function resetAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom('attempts').where('key', '=', key).execute();
}

export async function deleteExpiredAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('window_ends_at', '<', sql<Date>`now()`)
    .execute();
}
