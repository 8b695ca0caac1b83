import { sql } from 'kysely';
import type { Db, Reader } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

/** The averages used by scores, in tenths of a star. */
export const listCategoryMeans = (db: Reader) => db.selectFrom('category_means').selectAll().execute();

export const saveCategoryMean = (db: Db, categoryCode: number, mean: number, now: Date) =>
  db
    .insertInto('category_means')
    .values({ category_code: categoryCode, mean, changed_at: now })
    .onConflict((conflict) => conflict.column('category_code').doUpdateSet({ mean, changed_at: now }))
    .execute();

/** The group's average as an SQL expression, for the score of a new or changed listing. */
export const selectCategoryMean = (categoryCode: number) =>
  sql<number>`coalesce((select mean from category_means where category_code = ${categoryCode}::smallint), 40)`;

/** The lowest existing listing number that is at least `from`. */
export const findNextListingNumber = async (db: Reader, from: number): Promise<number | undefined> =>
  (
    await db
      .selectFrom('listings')
      .select('listing_number')
      .where('listing_number', '>=', from)
      .orderBy('listing_number')
      .limit(1)
      .executeTakeFirst()
  )?.listing_number;

// Listings are locked in the order of their ids, as reviews and expiry do, so that concurrent batches cannot deadlock.

/** Copies group averages to the listings with numbers from `from` to below `until`. Unchanged rows are not written. */
export const updateGroupMeans = (db: Db, from: number, until: number) =>
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

/** Sellers with at least one listing marked as answering within a day. */
export const listSellersMarkedAnswering = async (db: Reader): Promise<string[]> =>
  (await db.selectFrom('listings').distinct().select('seller_id').where('answers_within_day', '=', sql.lit(true)).execute()).map(
    (row) => row.seller_id,
  );

/** Unchanged rows are not written. */
export const markAnswersWithinDay = (db: Db, sellerIds: readonly string[], answers: boolean) =>
  db
    .with(
      (cte) => cte('locked').materialized(),
      (query) =>
        query
          .selectFrom('listings')
          .select('id')
          .where('seller_id', '=', anyId(sellerIds))
          .where('answers_within_day', '=', !answers)
          .orderBy('id')
          .forNoKeyUpdate(),
    )
    .updateTable('listings')
    .from('locked')
    .set({ answers_within_day: answers })
    .whereRef('listings.id', '=', 'locked.id')
    .execute();
