import { sql } from 'kysely';
import type { Db, Reader } from '../../kit/database/database.ts';
import { anyId, unnestTable } from '../../kit/database/sql-helpers.ts';

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

type Answering = { sellerId: string; minutes: number | null; given: number; of: number };

/** Unchanged rows are not written. */
export const saveAnswering = (db: Db, sellers: readonly Answering[]) =>
  db
    .with(
      (cte) => cte('locked').materialized(),
      (query) =>
        query
          .selectFrom(
            unnestTable('given', {
              seller_id: ['uuid', sellers.map((one) => one.sellerId)],
              answer_minutes: ['int', sellers.map((one) => one.minutes)],
              answers_given: ['smallint', sellers.map((one) => one.given)],
              answers_of: ['smallint', sellers.map((one) => one.of)],
            }),
          )
          .innerJoin('listings', 'listings.seller_id', 'given.seller_id')
          .select(['listings.id', 'given.answer_minutes', 'given.answers_given', 'given.answers_of'])
          .where(
            sql<boolean>`(listings.answer_minutes, listings.answers_given, listings.answers_of)
              is distinct from (given.answer_minutes, given.answers_given, given.answers_of)`,
          )
          .orderBy('listings.id')
          .forNoKeyUpdate('listings'),
    )
    .updateTable('listings')
    .from('locked')
    .set((eb) => ({
      answer_minutes: eb.ref('locked.answer_minutes'),
      answers_given: sql<number>`locked.answers_given`,
      answers_of: sql<number>`locked.answers_of`,
    }))
    .whereRef('listings.id', '=', 'locked.id')
    .execute();

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
