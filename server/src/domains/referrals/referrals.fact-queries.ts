import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

/** Waits for whoever else is being referred with the same mailbox, until the transaction ends. */
export const lockMailbox = (tx: Tx, mailboxKey: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${mailboxKey}, 31))`.execute(tx);

/** Waits for whoever else enters a code that may close a ring. */
export const lockRings = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('referral rings', 31))`.execute(tx);

/** Whether somebody else was referred who reads this mailbox. */
export const isMailboxUsed = async (db: Reader, mailboxKey: string, referredId: string) =>
  (await db
    .selectFrom('referrals')
    .select('id')
    .where('mailbox_key', '=', mailboxKey)
    .where('status', '<>', 'refused')
    .where('referred_id', '<>', referredId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Of how many people the ring would be that closes when one refers the other; 0 where there is none. */
export async function ringOf(db: Reader, referrerId: string, referredId: string): Promise<number> {
  const ring = await db
    .withRecursive('above(id, people)', (from) =>
      from.selectNoFrom([sql<string>`${referrerId}::uuid`.as('id'), sql<number>`1`.as('people')]).unionAll(
        from
          .selectFrom('above')
          .innerJoin('referrals', (join) => join.onRef('referred_id', '=', 'above.id').on('status', '<>', 'refused'))
          .select(['referrer_id as id', sql<number>`people + 1`.as('people')])
          .where('people', '<', 50)
          .where('above.id', '<>', referredId),
      ),
    )
    .selectFrom('above')
    .select('people')
    .where('id', '=', referredId)
    .limit(1)
    .executeTakeFirst();
  return ring?.people ?? 0;
}

type Others = { referrerId: string; referredId: string; networkKey: string | null; dayAgo: Date; hourAgo: Date };

/** How many others came by the same person's code, from one network within a day and from anywhere within an hour. */
export const countOthers = (db: Reader, { referrerId, referredId, networkKey, dayAgo, hourAgo }: Others) =>
  db
    .selectFrom('referrals')
    .select(({ cast, fn }) => [
      cast<number>(fn.countAll().filterWhere('network_key', '=', networkKey), 'integer').as('fromNetwork'),
      cast<number>(fn.countAll().filterWhere('created_at', '>', hourAgo), 'integer').as('withinHour'),
    ])
    .where('referrer_id', '=', referrerId)
    .where('referred_id', '<>', referredId)
    .where('created_at', '>', dayAgo)
    .executeTakeFirstOrThrow();

/** Which of these accounts somebody referred. */
export const countReferredAmong = async (db: Reader, referrerId: string, userIds: readonly string[]) =>
  (
    await db
      .selectFrom('referrals')
      .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('count'))
      .where('referrer_id', '=', referrerId)
      .where('referred_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
      .executeTakeFirstOrThrow()
  ).count;
