import { siteTimeZone } from '@handwise/contract/dates';
import { maxReviewsOfDetail } from '@handwise/contract/listings/calls';
import type { RemovalReason, ReviewOrder } from '@handwise/contract/reviews/words';
import { type RawBuilder, sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { firstContactColumn } from '../messages/messages.service.ts';

const shown = [
  'reviews.id',
  'rating',
  'comment',
  'reviews.created_at',
  'edited_at',
  'answer',
  'answered_at',
  'username',
  'full_name',
  'avatar',
] as const;

/** Whether the author has written to the seller about the listing, and was answered: as it is now, not as it was then. */
const contact = firstContactColumn(sql.ref('reviews.listing_id'), sql.ref('reviews.author_id')).as('contact');

const published = (db: Reader) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'author_id')
    .select([...shown, contact])
    .where('removed_at', 'is', null);

type Published = Awaited<ReturnType<ReturnType<typeof published>['execute']>>[number];
type AsJson<Row> = {
  [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] extends Date | null ? string | null : Row[Column];
};

/** A published review with its author. Times are dates, or texts where the row came as JSON. */
export type ReviewRow = Published | AsJson<Published>;

const removed = (db: Reader, listingId: RawBuilder<string>) =>
  db
    .selectFrom('reviews')
    .select(['id', 'removed_at', 'removed_because'])
    .where('listing_id', '=', listingId)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .limit(sql.lit(maxReviewsOfDetail));
type Removed = Awaited<ReturnType<ReturnType<typeof removed>['execute']>>[number];

/** A review of a listing whatever became of it. Nothing of the words of a removed one is read. */
export type AnyReviewRow = AsJson<Published> | AsJson<Removed>;

/** The newest reviews of a listing and what is left of removed ones, as a column of a statement that reads the listing. */
export function newestOf(db: Reader, listingId: RawBuilder<string>): RawBuilder<AnyReviewRow[]> {
  const newest = published(db)
    .where('listing_id', '=', listingId)
    .orderBy('reviews.created_at', 'desc')
    .orderBy('reviews.id', 'desc')
    .limit(sql.lit(maxReviewsOfDetail));
  return sql`(
    (select coalesce(jsonb_agg(newest), '[]') from ${newest} as newest)
    || (select coalesce(jsonb_agg(removed), '[]') from ${removed(db, listingId)} as removed)
  )`;
}

type Wanted = { order: ReviewOrder; stars: number | undefined; skip: number; take: number };

/** One page of the published reviews of a listing. */
export function listPublished(db: Reader, listingId: string, { order, stars, skip, take }: Wanted): Promise<Published[]> {
  const ofListing = published(db)
    .where('listing_id', '=', listingId)
    .$if(stars !== undefined, (query) => query.where('rating', '=', stars ?? 0));
  const byRating = order === 'newest' ? ofListing : ofListing.orderBy('rating', order === 'highest' ? 'desc' : 'asc');
  return byRating.orderBy('reviews.created_at', 'desc').orderBy('reviews.id', 'desc').offset(skip).limit(take).execute();
}

/** How many published reviews of a listing gave 1, 2, 3, 4 and 5 stars. */
export const findRatingCounts = async (db: Reader, listingId: string) =>
  (await db.selectFrom('listings').select('rating_counts').where('id', '=', listingId).executeTakeFirstOrThrow()).rating_counts;

export const listRemoved = (db: Reader, listingId: string) => removed(db, sql<string>`${listingId}`).execute();

export const insertReview = (tx: Tx, review: { listing_id: string; author_id: string; rating: number; comment: string }) =>
  tx.insertInto('reviews').values(review).returning('id').executeTakeFirstOrThrow();

/** How many reviews somebody has written since, whatever became of them. */
export const countWritten = async (tx: Tx, authorId: string, since: Date) => {
  const { count } = await tx
    .selectFrom('reviews')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
    .where('author_id', '=', authorId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
};

/** How many reviews of a seller’s listings were written since, and by how many accounts. */
export const countReviewsOfSeller = (tx: Tx, sellerId: string, since: Date) =>
  tx
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(({ cast, fn }) => [
      cast<number>(fn.countAll(), 'integer').as('reviews'),
      cast<number>(fn.count('author_id').distinct(), 'integer').as('authors'),
    ])
    .where('seller_id', '=', sellerId)
    .where('reviews.created_at', '>', since)
    .executeTakeFirstOrThrow();

export const findOwn = (db: Reader, listingId: string, authorId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'author_id')
    .select(['reviews.id', 'rating', 'comment', 'reviews.created_at', 'edited_at', 'answer', 'answered_at', 'removed_because'])
    .select(['username', 'full_name', 'avatar', contact])
    .where('listing_id', '=', listingId)
    .where('author_id', '=', authorId)
    .executeTakeFirst();

const lockedColumns = ['id', 'listing_id', 'author_id', 'created_at', 'removed_because', 'answer'] as const;

export const lockReview = (tx: Tx, id: string) =>
  tx.selectFrom('reviews').select(lockedColumns).where('id', '=', id).forUpdate().executeTakeFirst();

export const updateWords = (tx: Tx, id: string, words: { rating: number; comment: string }) =>
  tx
    .updateTable('reviews')
    .set({ ...words, edited_at: sql<Date>`now()`, removed_at: null, removed_because: null })
    .where('id', '=', id)
    .execute();

export const setRemoved = (tx: Tx, id: string, because: RemovalReason | null) =>
  tx
    .updateTable('reviews')
    .set({ removed_at: because === null ? null : sql<Date>`now()`, removed_because: because })
    .where('id', '=', id)
    .execute();

export const setAnswer = (tx: Tx, id: string, answer: string) =>
  tx
    .updateTable('reviews')
    .set({ answer, answered_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

/** Reviews by the month in which they were written, in New Zealand, and by what became of them; null: published. */
export const countByMonth = (db: Reader) =>
  db
    .selectFrom('reviews')
    .select([sql<string>`to_char(created_at at time zone ${sql.lit(siteTimeZone)}, 'YYYY-MM')`.as('month'), 'removed_because as because'])
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('reviews'))
    .groupBy(['month', 'because'])
    .orderBy('month', 'desc')
    .orderBy('because')
    .execute();

export const listCategoryRatings = (db: Reader) => db.selectFrom('category_ratings').selectAll().execute();

/** All that a user has written of others, by the names that the API has for it. */
export const listOwnReviews = (db: Reader, userId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['reviews.id', 'listing_id as listingId', 'service_title as serviceTitle', 'rating', 'comment'])
    .select(['reviews.created_at as createdAt', 'edited_at as editedAt', 'removed_at as removedAt', 'removed_because as removedBecause'])
    .where('author_id', '=', userId)
    .orderBy('reviews.created_at')
    .execute();

/** What a seller has answered to reviews. */
export const listOwnAnswers = (db: Reader, userId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['reviews.id as reviewId', 'listing_id as listingId', 'answer', 'answered_at as answeredAt'])
    .where('seller_id', '=', userId)
    .where('answer', 'is not', null)
    .orderBy('answered_at')
    .execute();
