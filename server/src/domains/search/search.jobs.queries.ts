import { sql } from 'kysely';
import type { Db, Reader } from '../../kit/database/database.ts';

/** The averages that scores are reckoned with, in tenths of a star. */
export const listMeans = (db: Reader) => db.selectFrom('category_means').selectAll().execute();

export const writeMean = (db: Db, categoryCode: number, mean: number, now: Date) =>
  db
    .insertInto('category_means')
    .values({ category_code: categoryCode, mean, changed_at: now })
    .onConflict((conflict) => conflict.column('category_code').doUpdateSet({ mean, changed_at: now }))
    .execute();

/** The average that the score of a listing of this group is worked out with. */
export const meanOfCategory = (categoryCode: number) =>
  sql<number>`coalesce((select mean from category_means where category_code = ${categoryCode}::smallint), 40)`;

/** The lowest listing number from this one on; undefined where there is none. */
export const nextNumber = async (db: Reader, from: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('listings')
      .select('listing_number')
      .where('listing_number', '>=', from)
      .orderBy('listing_number')
      .limit(1)
      .executeTakeFirst()
  )?.listing_number;

// Listings that are written together are locked in the order of their ids first, as reviews and expiry lock theirs: two that write many at
// once then wait for each other in a row and never in a circle.

/** Gives the listings of these numbers, without `until`, the average of their group. Only rows that change are written. */
export const writeScores = (db: Db, from: number, until: number) =>
  db
    .with(
      (cte) => cte('locked').materialized(),
      (query) =>
        query
          .selectFrom('listings')
          .innerJoin('category_means', 'category_means.category_code', 'listings.category_code')
          .select(['listings.id', 'category_means.mean'])
          .whereRef('group_mean', '<>', 'category_means.mean')
          .where('listing_number', '>=', from)
          .where('listing_number', '<', until)
          .orderBy('listings.id')
          .forNoKeyUpdate('listings'),
    )
    .updateTable('listings')
    .from('locked')
    .set((eb) => ({ group_mean: eb.ref('locked.mean') }))
    .whereRef('listings.id', '=', 'locked.id')
    .execute();

/** The sellers who have a listing that says they answer within a day. */
export const listAnswering = async (db: Reader): Promise<string[]> =>
  (await db.selectFrom('listings').distinct().select('seller_id').where('answers_within_day', '=', sql.lit(true)).execute()).map(
    (row) => row.seller_id,
  );

/** Says of the listings of these sellers whether they answer within a day. Only rows that change are written. */
export const writeAnswering = (db: Db, sellerIds: readonly string[], answers: boolean) =>
  db
    .with(
      (cte) => cte('locked').materialized(),
      (query) =>
        query
          .selectFrom('listings')
          .select('id')
          .where('seller_id', '=', sql<string>`any(${[...sellerIds]}::uuid[])`)
          .where('answers_within_day', '=', !answers)
          .orderBy('id')
          .forNoKeyUpdate(),
    )
    .updateTable('listings')
    .from('locked')
    .set({ answers_within_day: answers })
    .whereRef('listings.id', '=', 'locked.id')
    .execute();
