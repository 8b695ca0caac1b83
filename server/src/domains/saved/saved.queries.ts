import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

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
  const { rows } = await sql<{ listing_id: string; day: string; count: number }>`
    select listing_id, day::text, count(*)::int
    from unnest(
        ${asked.map((one) => one.id)}::uuid[], ${asked.map((one) => one.timeZone)}::text[], ${asked.map((one) => one.from)}::date[]
      ) as asked (id, time_zone, from_day)
      join saved_listings on listing_id = id
      cross join lateral (select (saved_at at time zone time_zone)::date as day) as saved
    where day >= from_day
    group by listing_id, day`.execute(db);
  return rows;
}

/** The listings that somebody has saved since then, and has still. */
export async function listSavedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db.selectFrom('saved_listings').distinct().select('listing_id').where('saved_at', '>=', since).execute();
  return rows.map((row) => row.listing_id);
}
