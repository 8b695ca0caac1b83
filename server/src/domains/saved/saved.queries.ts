import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable, rowCount } from '../../kit/database/sql-helpers.ts';

export const insertSaved = (tx: Tx, userId: string, listingId: string) =>
  tx
    .insertInto('saved_listings')
    .values({ user_id: userId, listing_id: listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteSaved = (db: Reader, userId: string, listingId: string) =>
  db.deleteFrom('saved_listings').where('user_id', '=', userId).where('listing_id', '=', listingId).execute();

/** Part of account deletion. */
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
    .select(rowCount.as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return total;
}

/** Last saved first; all without a page. */
export async function listSavedListingIds(db: Reader, userId: string, page?: { skip: number; take: number }): Promise<string[]> {
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

/** Counts current saves per listing and day, in the listing's time zone, from a given day on. */
export async function countSavesByDay(db: Reader, requested: readonly { id: string; timeZone: string; from: string }[]) {
  const savedOn = sql<Date>`(saved_at at time zone time_zone)::date`;
  return db
    .selectFrom(
      unnestTable('requested', {
        id: ['uuid', requested.map((one) => one.id)],
        time_zone: ['text', requested.map((one) => one.timeZone)],
        from_day: ['date', requested.map((one) => one.from)],
      }),
    )
    .innerJoin('saved_listings', 'listing_id', 'requested.id')
    .select(({ cast, fn }) => ['listing_id', sql<string>`${savedOn}::text`.as('day'), cast<number>(fn.countAll(), 'integer').as('count')])
    .where(savedOn, '>=', sql<Date>`from_day`)
    .groupBy(['listing_id', savedOn])
    .execute();
}

/** Listings with current saves made since a time. */
export async function listSavedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db.selectFrom('saved_listings').distinct().select('listing_id').where('saved_at', '>=', since).execute();
  return rows.map((row) => row.listing_id);
}

/** For the export of the user's own data. */
export const listSavedForExport = (db: Reader, userId: string) =>
  db
    .selectFrom('saved_listings')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['listing_id as listingId', 'service_title as serviceTitle', 'saved_at as savedAt'])
    .where('user_id', '=', userId)
    .orderBy('saved_at')
    .execute();
