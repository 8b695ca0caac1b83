import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Reader, Tx } from '../database/database.ts';
import { AppError } from '../errors.ts';

// Counters are rows of the shared database, each change one statement: a limit is exact for any number of parallel attempts
// and of servers.

export type Limit = { max: number; windowSeconds: number };
export type LimitedKey = {
  key: string;
  limit: Limit;
  /** What a refusal says, if not how long to wait. */
  message?: string;
  /** Runs in the transaction that counts the last failure of the limit. */
  onUsedUp?: (tx: Tx) => Promise<void>;
};

const isOver = sql<boolean>`attempts.window_ends_at < now()`;
const untilEnd = sql<number>`extract(epoch from window_ends_at - now())::float8`;
const endOf = ({ windowSeconds }: Pick<Limit, 'windowSeconds'>) => sql<Date>`now() + make_interval(secs => ${windowSeconds})`;

const tooMany = (seconds: number, message?: string) =>
  new AppError('too_many_requests', { retryAfterSeconds: Math.max(1, seconds), ...(message !== undefined && { message }) });

/** Counts one attempt under a key and throws `too_many_requests` where it is one too many. */
export async function countAttempt(db: Db, key: string, limit: Limit): Promise<void> {
  const { count, seconds } = await countOne(db, key, limit);
  if (count > limit.max) throw tooMany(seconds);
}

/** Counts one attempt under a key and returns whether it is the first within the window. */
export const isFirstAttempt = async (db: Reader, key: string, window: Pick<Limit, 'windowSeconds'>): Promise<boolean> =>
  (await countOne(db, key, window)).count === 1;

const countOne = (db: Reader, key: string, limit: Pick<Limit, 'windowSeconds'>) =>
  db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: endOf(limit) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 else attempts.count + 1 end`,
        window_ends_at: sql<Date>`case when ${isOver} then excluded.window_ends_at else attempts.window_ends_at end`,
      }),
    )
    .returning(['count', untilEnd.as('seconds')])
    .executeTakeFirstOrThrow();

/** Throws `too_many_requests` where the failures of one of the keys have used its limit up. Counts nothing. */
export async function refuseUsedUp(db: Db, keys: readonly LimitedKey[]): Promise<void> {
  for (const { key, limit, message } of keys) {
    const used = await db
      .selectFrom('attempts')
      .select(untilEnd.as('seconds'))
      .where('key', '=', key)
      .where('count', '>=', limit.max)
      .where('window_ends_at', '>=', sql<Date>`now()`)
      .executeTakeFirst();
    if (used) throw tooMany(used.seconds, message);
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
    const held = await db
      .insertInto('attempts')
      .values({ key: one.key, count: 0, pending: 1, window_ends_at: endOf(one.limit) })
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
    if (held) return;
    await refuseUsedUp(db, [one]);
    await wait(askAgainMs);
  }
  throw tooMany(1);
}

async function countFailure(db: Db, { key, limit, onUsedUp }: LimitedKey): Promise<void> {
  if (!onUsedUp) {
    await addFailure(db, key, limit);
    return;
  }
  await db.transaction().execute(async (tx) => {
    const { count } = await addFailure(tx, key, limit);
    if (count === limit.max) await onUsedUp(tx);
  });
}

const addFailure = (db: Reader, key: string, limit: Limit) =>
  db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: endOf(limit) })
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
  const taken = await db
    .insertInto('attempts')
    .values({ key, count: 1, window_ends_at: endOf(pace), next_at: sql<Date>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          count: sql<number>`case when ${isOver} then 1 else attempts.count + 1 end`,
          next_at: sql<Date>`case when ${isOver} then now() else ${turn} end`,
          window_ends_at: sql<Date>`case when ${isOver} then excluded.window_ends_at else attempts.window_ends_at end`,
        })
        .where(sql<boolean>`(${isOver} or ${turn} <= now() + make_interval(secs => ${pace.longestPauseSeconds}))`),
    )
    .returning(sql<number>`extract(epoch from next_at - now())::float8`.as('seconds'))
    .executeTakeFirst();
  if (taken) return taken.seconds;
  const refused = await db
    .selectFrom('attempts')
    .select(sql<number>`extract(epoch from ${turn} - now())::float8 - ${pace.longestPauseSeconds}`.as('seconds'))
    .where('key', '=', key)
    .executeTakeFirst();
  throw tooMany(refused?.seconds ?? 1);
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
