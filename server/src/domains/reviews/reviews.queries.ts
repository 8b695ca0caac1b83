import { type RawBuilder, sql } from 'kysely';
import { siteTimeZone } from '@handwise/contract/dates';
import { isId } from '@handwise/contract/ids';
import { maxReviewsOfDetail } from '@handwise/contract/listings/calls';
import type { RemovalReason, ReviewOrder } from '@handwise/contract/reviews/words';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { toContainsPattern, anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import type { StoredPicture } from '../../kit/files/stored-files.ts';
import { firstContactColumn } from '../messages/messages.service.ts';
import { acceptedQuoteColumn } from '../quotes/quotes.service.ts';

const publicColumns = [
  'reviews.id',
  'rating',
  'comment',
  'pictures',
  'reviews.created_at',
  'edited_at',
  'answer',
  'answered_at',
  'username',
  'full_name',
  'avatar',
] as const;

/** Contact between author and seller about the listing, as of now, not as of the review. */
const contact = firstContactColumn(sql.ref('reviews.listing_id'), sql.ref('reviews.author_id')).as('contact');

const accepted = acceptedQuoteColumn(sql.ref('reviews.listing_id'), sql.ref('reviews.author_id')).as('quote_accepted_at');

const published = (db: Reader) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'author_id')
    .select([...publicColumns, contact, accepted])
    .where('removed_at', 'is', null);

type Published = Awaited<ReturnType<ReturnType<typeof published>['execute']>>[number];
type AsJson<Row> = {
  [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] extends Date | null ? string | null : Row[Column];
};

/** A published review with its author. Times are strings if the row comes from a JSON column. */
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

/** A published or removed review; the text of a removed one is never read. */
export type AnyReviewRow = AsJson<Published> | AsJson<Removed>;

/** A column for a statement that reads the listing: its newest reviews and the stubs of removed ones. */
export function newestReviewsColumn(db: Reader, listingId: RawBuilder<string>): RawBuilder<AnyReviewRow[]> {
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

type ReviewPage = { order: ReviewOrder; stars: number | undefined; skip: number; take: number };

export function listPublishedReviews(db: Reader, listingId: string, { order, stars, skip, take }: ReviewPage): Promise<Published[]> {
  const ofListing = published(db)
    .where('listing_id', '=', listingId)
    .$if(stars !== undefined, (query) => query.where('rating', '=', stars ?? 0));
  const byRating = order === 'newest' ? ofListing : ofListing.orderBy('rating', order === 'highest' ? 'desc' : 'asc');
  return byRating.orderBy('reviews.created_at', 'desc').orderBy('reviews.id', 'desc').offset(skip).limit(take).execute();
}

/** All published reviews of a listing, oldest first. */
export const listAllPublished = (db: Reader, listingId: string): Promise<Published[]> =>
  published(db).where('listing_id', '=', listingId).orderBy('reviews.created_at').orderBy('reviews.id').execute();

/** All stubs of a listing, first removed first. */
export const listAllRemoved = (db: Reader, listingId: string) =>
  db
    .selectFrom('reviews')
    .select(['id', 'removed_at', 'removed_because'])
    .where('listing_id', '=', listingId)
    .where('removed_at', 'is not', null)
    .orderBy('removed_at')
    .orderBy('id')
    .execute();

/** The names, state and ratings of a listing. */
export const findRatedListing = (db: Reader, id: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'status', 'business_title', 'service_title', 'rating_counts', 'country', 'region_code'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Counts of published reviews with 1, 2, 3, 4 and 5 stars. */
export const getRatingCounts = async (db: Reader, listingId: string) =>
  (await db.selectFrom('listings').select('rating_counts').where('id', '=', listingId).executeTakeFirstOrThrow()).rating_counts;

export const listRemovedReviews = (db: Reader, listingId: string) => removed(db, sql<string>`${listingId}`).execute();

export const insertReview = (
  tx: Tx,
  review: { listing_id: string; author_id: string; rating: number; comment: string; pictures: readonly StoredPicture[] },
) =>
  tx
    .insertInto('reviews')
    .values({ ...review, pictures: JSON.stringify(review.pictures) })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Includes removed reviews. */
export const countReviewsOfAuthor = async (tx: Tx, authorId: string, since: Date) => {
  const { count } = await tx
    .selectFrom('reviews')
    .select(rowCount.as('count'))
    .where('author_id', '=', authorId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
};

/** Counts reviews of a seller’s listings since a time, and their distinct authors. */
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

export const findReviewOfAuthor = (db: Reader, listingId: string, authorId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('users', 'users.id', 'author_id')
    .select(['reviews.id', 'rating', 'comment', 'pictures', 'reviews.created_at', 'edited_at', 'answer', 'answered_at', 'removed_because'])
    .select(['username', 'full_name', 'avatar', contact, accepted])
    .where('listing_id', '=', listingId)
    .where('author_id', '=', authorId)
    .executeTakeFirst();

const lockedColumns = ['id', 'listing_id', 'author_id', 'created_at', 'removed_because', 'answer', 'pictures'] as const;

export const lockReview = (tx: Tx, id: string) =>
  tx.selectFrom('reviews').select(lockedColumns).where('id', '=', id).forUpdate().executeTakeFirst();

type ReviewContent = { rating: number; comment: string; pictures: readonly StoredPicture[] };

export const updateReviewContent = (tx: Tx, id: string, { pictures, ...words }: ReviewContent) =>
  tx
    .updateTable('reviews')
    .set({ ...words, pictures: JSON.stringify(pictures), edited_at: sql<Date>`now()`, removed_at: null, removed_because: null })
    .where('id', '=', id)
    .execute();

export const setReviewRemoved = (tx: Tx, id: string, because: RemovalReason | null) =>
  tx
    .updateTable('reviews')
    .set({ removed_at: because === null ? null : sql<Date>`now()`, removed_because: because })
    .where('id', '=', id)
    .execute();

/** Reviews that were removed before a time, or for one of these reasons, and still have photos. */
export const listRemovedWithPhotos = async (
  db: Reader,
  { before, reasons }: { before: Date; reasons: readonly RemovalReason[] },
  take: number,
) =>
  (
    await db
      .selectFrom('reviews')
      .select('id')
      .where(sql<boolean>`pictures <> '[]'::jsonb`)
      .where((eb) => eb.or([eb('removed_at', '<', before), eb('removed_because', 'in', reasons)]))
      .limit(take)
      .execute()
  ).map(({ id }) => id);

export const deletePictures = (tx: Tx, id: string) => tx.updateTable('reviews').set({ pictures: '[]' }).where('id', '=', id).execute();

export const setReviewAnswer = (tx: Tx, id: string, answer: string) =>
  tx
    .updateTable('reviews')
    .set({ answer, answered_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();

/** Counts reviews by month of writing, in New Zealand time, and by removal reason; null means published. */
export const countReviewsByMonth = (db: Reader) =>
  db
    .selectFrom('reviews')
    .select([sql<string>`to_char(created_at at time zone ${sql.lit(siteTimeZone)}, 'YYYY-MM')`.as('month'), 'removed_because as because'])
    .select(rowCount.as('reviews'))
    .groupBy(['month', 'because'])
    .orderBy('month', 'desc')
    .orderBy('because')
    .execute();

export const listCategoryRatings = (db: Reader) => db.selectFrom('category_ratings').selectAll().execute();

/** For the export of the user's own data. */
export const listOwnReviews = (db: Reader, userId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['reviews.id', 'listing_id as listingId', 'service_title as serviceTitle', 'rating', 'comment', 'reviews.pictures'])
    .select(['reviews.created_at as createdAt', 'edited_at as editedAt', 'removed_at as removedAt', 'removed_because as removedBecause'])
    .where('author_id', '=', userId)
    .orderBy('reviews.created_at')
    .execute();

/** For the export of the user's own data. */
export const listOwnAnswers = (db: Reader, userId: string) =>
  db
    .selectFrom('reviews')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['reviews.id as reviewId', 'listing_id as listingId', 'answer', 'answered_at as answeredAt'])
    .where('seller_id', '=', userId)
    .where('answer', 'is not', null)
    .orderBy('answered_at')
    .execute();

export type ReviewStatus = 'all' | 'published' | 'answered' | 'removed' | 'withdrawn';

type ReviewSearch = {
  q: string | undefined;
  /** Reviews by these authors match too. */
  authorIds: readonly string[];
  /** Reviews of these listings match too. */
  listingIds: readonly string[];
  stars: number | undefined;
  status: ReviewStatus;
  skip: number;
  take: number;
  counted: number;
};

const searchColumns = [
  'id',
  'rating',
  'comment',
  'pictures',
  'answer',
  'created_at',
  'removed_because',
  'author_id',
  'listing_id',
] as const;

/** Reviews in any state, newest first; the total is counted up to `counted`. */
export async function searchReviewsForAdmin(db: Reader, { q, authorIds, listingIds, stars, status, skip, take, counted }: ReviewSearch) {
  const wanted = db
    .selectFrom('reviews')
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const part = toContainsPattern(text);
      return query.where((is) =>
        is.or([
          ...(isId(text) ? [is('id', '=', text)] : []),
          ...(authorIds.length > 0 ? [is('author_id', '=', anyId(authorIds))] : []),
          ...(listingIds.length > 0 ? [is('listing_id', '=', anyId(listingIds))] : []),
          is('comment', 'ilike', part),
          is('answer', 'ilike', part),
        ]),
      );
    })
    .$if(stars !== undefined, (query) => query.where('rating', '=', stars ?? 0))
    .$if(status === 'published' || status === 'answered', (query) => query.where('removed_at', 'is', null))
    .$if(status === 'answered', (query) => query.where('answer', 'is not', null))
    .$if(status === 'removed' || status === 'withdrawn', (query) => query.where('removed_at', 'is not', null))
    .$if(status === 'removed', (query) => query.where('removed_because', '<>', 'withdrawn'))
    .$if(status === 'withdrawn', (query) => query.where('removed_because', '=', 'withdrawn'));
  const [rows, { total }] = await Promise.all([
    wanted.select(searchColumns).orderBy('id', 'desc').offset(skip).limit(take).execute(),
    db.selectFrom(wanted.select('id').limit(counted).as('found')).select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type ReviewSearchRow = Awaited<ReturnType<typeof searchReviewsForAdmin>>['rows'][number];

/** Reviews that were written in a period, those that moderators removed in it, and the customers who were asked for one. */
export async function countReviewsIn(db: Reader, { from, until }: { from: Date; until: Date }) {
  const { rows } = await sql<{ written: number; removed: number; invited: number }>`
    select (count(*) filter (where created_at >= ${from} and created_at < ${until}))::int as written,
      (count(*) filter (where removed_at >= ${from} and removed_at < ${until} and removed_because <> 'withdrawn'))::int as removed,
      (select count(*)::int from review_invitations where invited_at >= ${from} and invited_at < ${until}) as invited
    from reviews`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count has a row');
  return row;
}
