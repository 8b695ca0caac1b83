import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { listTable } from '../../kit/database/list-table.ts';

export const insertSaved = (tx: Tx, userId: string, listingId: string) =>
  tx
    .insertInto('saved_listings')
    .values({ user_id: userId, listing_id: listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteSaved = (db: Reader, userId: string, listingId: string) =>
  db.deleteFrom('saved_listings').where('user_id', '=', userId).where('listing_id', '=', listingId).execute();

/** What somebody has saved who leaves. */
export const deleteAllSaved = (tx: Tx, userId: string) => tx.deleteFrom('saved_listings').where('user_id', '=', userId).execute();

export const isSaved = async (db: Reader, userId: string, listingId: string) =>
  (await db
    .selectFrom('saved_listings')
    .select('listing_id')
    .where('user_id', '=', userId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst()) !== undefined;

export async function countSaved(db: Reader, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('saved_listings')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return total;
}

/** The saved listings, the last saved first: all, or those of a page. */
export async function listIds(db: Reader, userId: string, page?: { skip: number; take: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('saved_listings')
    .select('listing_id')
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('listing_id')
    .$if(page !== undefined, (query) => query.offset(page?.skip ?? 0).limit(page?.take ?? 0))
    .execute();
  return rows.map((row) => row.listing_id);
}

/** How many saved each of these listings on which day of its own clocks, from a day on, and have it still. */
export async function countByDay(db: Reader, asked: readonly { id: string; timeZone: string; from: string }[]) {
  const savedOn = sql<Date>`(saved_at at time zone time_zone)::date`;
  return db
    .selectFrom(
      listTable('asked', {
        id: ['uuid', asked.map((one) => one.id)],
        time_zone: ['text', asked.map((one) => one.timeZone)],
        from_day: ['date', asked.map((one) => one.from)],
      }),
    )
    .innerJoin('saved_listings', 'listing_id', 'asked.id')
    .select(({ cast, fn }) => ['listing_id', sql<string>`${savedOn}::text`.as('day'), cast<number>(fn.countAll(), 'integer').as('count')])
    .where(savedOn, '>=', sql<Date>`from_day`)
    .groupBy(['listing_id', savedOn])
    .execute();
}

/** The listings that somebody has saved since then, and has still. */
export async function listSavedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db.selectFrom('saved_listings').distinct().select('listing_id').where('saved_at', '>=', since).execute();
  return rows.map((row) => row.listing_id);
}
