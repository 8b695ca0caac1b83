import { maxReviewsOfDetail } from '@handwise/contract/listings';
import type { RemovalReason, ReviewOrder } from '@handwise/contract/reviews';
import { type RawBuilder, sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database.ts';

/** A published review with its author. Times are dates, or texts where the row came as JSON. */
export type ReviewRow = {
  id: string;
  rating: number;
  comment: string;
  created_at: Date | string;
  edited_at: Date | string | null;
  answer: string | null;
  answered_at: Date | string | null;
  username: string;
  full_name: string;
  avatar: string;
};

const shown = sql.raw('reviews.id, rating, comment, reviews.created_at, edited_at, answer, answered_at, username, full_name, avatar');

/** The newest reviews of a listing as a column of a statement that reads the listing. */
export const newestOf = (listingId: RawBuilder<unknown>): RawBuilder<ReviewRow[]> => sql`(
  select coalesce(json_agg(newest), '[]') from (
    select ${shown} from reviews join users on users.id = author_id
    where listing_id = ${listingId} and removed_at is null
    order by reviews.created_at desc, reviews.id desc
    limit ${maxReviewsOfDetail}
  ) as newest
)`;

const orders: Record<ReviewOrder, RawBuilder<unknown>> = {
  newest: sql`reviews.created_at desc, reviews.id desc`,
  highest: sql`rating desc, reviews.created_at desc, reviews.id desc`,
  lowest: sql`rating, reviews.created_at desc, reviews.id desc`,
};

type Wanted = { order: ReviewOrder; stars: number | undefined; skip: number; take: number };

/** One page of the published reviews of a listing. */
export async function listPublished(db: Reader, listingId: string, { order, stars, skip, take }: Wanted): Promise<ReviewRow[]> {
  const { rows } = await sql<ReviewRow>`
    select ${shown} from reviews join users on users.id = author_id
    where listing_id = ${listingId} and removed_at is null ${stars === undefined ? sql`` : sql`and rating = ${stars}`}
    order by ${orders[order]} offset ${skip} limit ${take}`.execute(db);
  return rows;
}

/** How many published reviews of a listing gave 1, 2, 3, 4 and 5 stars. */
export const findRatingCounts = async (db: Reader, listingId: string) =>
  (await db.selectFrom('listings').select('rating_counts').where('id', '=', listingId).executeTakeFirstOrThrow()).rating_counts;

export const listRemoved = (db: Reader, listingId: string) =>
  db
    .selectFrom('reviews')
    .select(['id', 'removed_at', 'removed_because'])
    .where('listing_id', '=', listingId)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at', 'desc')
    .limit(maxReviewsOfDetail)
    .execute();

export const insertReview = (tx: Tx, review: { listing_id: string; author_id: string; rating: number; comment: string }) =>
  tx.insertInto('reviews').values(review).returning('id').executeTakeFirstOrThrow();

export const findOwn = (db: Reader, listingId: string, authorId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'author_id')
    .select(['reviews.id', 'rating', 'comment', 'reviews.created_at', 'edited_at', 'answer', 'answered_at', 'removed_because'])
    .select(['username', 'full_name', 'avatar'])
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
export async function countByMonth(db: Reader): Promise<{ month: string; because: RemovalReason | null; reviews: number }[]> {
  const { rows } = await sql<{ month: string; because: RemovalReason | null; reviews: number }>`
    select to_char(created_at at time zone 'Pacific/Auckland', 'YYYY-MM') as month, removed_because as because, count(*)::int as reviews
    from reviews group by month, because order by month desc, because`.execute(db);
  return rows;
}

export const listCategoryRatings = (db: Reader) => db.selectFrom('category_ratings').selectAll().execute();
