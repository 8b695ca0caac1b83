import { dayMs } from '@handwise/contract/dates';
import type { ReviewForm } from '@handwise/contract/reviews/calls';
import { type RemovalReason, type ReviewOrder, maxReviewsPerDay, reviewEditWeeks, reviewPageSize } from '@handwise/contract/reviews/words';
import type { Context } from '../../kit/context.ts';
import { type Db, type Reader, type Tx, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { isConfirmed, lockUser } from '../accounts/accounts.service.ts';
import { type ReviewsOf, findSellerId, requireActive } from '../listings/listings.service.ts';
import { type AnyReviewRow, lockReview, setReviewRemoved } from './reviews.queries.ts';
import * as queries from './reviews.queries.ts';
import { toReview, toReviewStub, toReviewLedger } from './reviews.views.ts';

export { type InvitationPort, isReviewWanted } from './reviews.invitations.ts';
export { type ReviewSearchRow, type ReviewStatus, searchReviewsForAdmin } from './reviews.queries.ts';
export const { countReviewsIn, countReviewsOfSeller, listCategoryRatings } = queries;

/** The reviews of a listing's page, newest first, and the stubs of removed ones. */
export const newestReviews: ReviewsOf<AnyReviewRow> = {
  column: queries.newestReviewsColumn,
  show: (rows) => ({
    reviews: rows.flatMap((row) => ('removed_at' in row ? [] : toReview(row))),
    removedReviews: rows.flatMap((row) => ('removed_at' in row ? toReviewStub(row) : [])),
  }),
};

/** Runs in the transaction of a new review. */
export type OnReviewed = (tx: Tx, review: { id: string; authorId: string; sellerId: string }) => Promise<void>;

const weekMs = 7 * dayMs;
const editableUntil = (createdAt: Date) => new Date(createdAt.getTime() + reviewEditWeeks * weekMs);

/** One page of a listing's reviews; the first page includes the stubs of removed ones. */
export async function listReviews(
  db: Db,
  listingId: string,
  options: { page?: number | undefined; limit?: number | undefined; sort?: ReviewOrder | undefined; stars?: number | undefined },
) {
  await requireActive(db, listingId);
  const page = options.page ?? 1;
  const take = options.limit ?? reviewPageSize;
  const [rows, counts, removed] = await Promise.all([
    queries.listPublishedReviews(db, listingId, { order: options.sort ?? 'newest', stars: options.stars, skip: (page - 1) * take, take }),
    queries.getRatingCounts(db, listingId),
    page === 1 ? queries.listRemovedReviews(db, listingId) : [],
  ]);
  const total = counts.reduce((sum, count, index) => sum + (options.stars === undefined || options.stars === index + 1 ? count : 0), 0);
  return {
    reviews: rows.map(toReview),
    removed: removed.map(toReviewStub),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalReviews: total,
  };
}

export async function getOwnReview(db: Db, userId: string, listingId: string) {
  const [row, addressConfirmed] = await Promise.all([queries.findReviewOfAuthor(db, listingId, userId), isConfirmed(db, userId)]);
  const review = row && {
    ...toReview(row),
    removedBecause: row.removed_because as RemovalReason | null,
    editableUntil: editableUntil(row.created_at).toISOString(),
  };
  return { review: review ?? null, addressConfirmed };
}

/**
 * Publishes a user's only review of a listing. Throws `address_not_confirmed`, `own_listing`, `already_reviewed`,
 * `too_many_reviews`, and what a missing listing throws.
 */
export async function createReview(
  { db, clock }: Context,
  userId: string,
  listingId: string,
  form: ReviewForm,
  onReviewed: OnReviewed,
): Promise<string> {
  try {
    return await db.transaction().execute(async (tx) => {
      // Locked before the listing, in the same order as account deletion.
      await lockUser(tx, userId);
      await requireActive(tx, listingId);
      const sellerId = await findSellerId(tx, listingId);
      if (sellerId === undefined || sellerId === userId) throw new AppError('own_listing');
      if (!(await isConfirmed(tx, userId))) throw new AppError('address_not_confirmed');
      // The lock above serializes the author's reviews, so the count is exact.
      const written = await queries.countReviewsOfAuthor(tx, userId, new Date(clock.now().getTime() - dayMs));
      if (written >= maxReviewsPerDay) throw new AppError('too_many_reviews');
      const { rating, comment } = form;
      const { id } = await queries.insertReview(tx, { listing_id: listingId, author_id: userId, rating, comment });
      await onReviewed(tx, { id, authorId: userId, sellerId });
      return id;
    });
  } catch (error) {
    if (getViolatedConstraint(error) === 'reviews_listing_id_author_id_key') throw new AppError('already_reviewed');
    throw error;
  }
}

/** Changes the author's review and republishes a withdrawn one; a review removed by moderators stays removed. */
export const updateReview = ({ db, clock }: Context, userId: string, reviewId: string, { rating, comment }: ReviewForm): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await lockOwnReview(tx, userId, reviewId);
    if (review.removed_because !== null && review.removed_because !== 'withdrawn') throw new AppError('review_removed');
    if (clock.now() >= editableUntil(review.created_at)) throw new AppError('review_too_old');
    await queries.updateReviewContent(tx, reviewId, { rating, comment });
  });

/** Idempotent; a moderator's removal reason is kept. */
export const withdrawReview = ({ db }: Context, userId: string, reviewId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await lockOwnReview(tx, userId, reviewId);
    if (review.removed_because === null) await queries.setReviewRemoved(tx, reviewId, 'withdrawn');
  });

async function lockOwnReview(tx: Tx, userId: string, reviewId: string) {
  const review = await queries.lockReview(tx, reviewId);
  if (review?.author_id !== userId) throw new AppError('review_not_found');
  return review;
}

/** A seller can answer a published review once. */
export const answerReview = ({ db }: Context, userId: string, reviewId: string, comment: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await queries.lockReview(tx, reviewId);
    if (!review || review.removed_because !== null || (await findSellerId(tx, review.listing_id)) !== userId) {
      throw new AppError('review_not_found');
    }
    if (review.answer !== null) throw new AppError('already_answered');
    await queries.setReviewAnswer(tx, reviewId, comment);
  });

/** Counts of all reviews by month of writing and outcome, newest month first. */
export const getReviewLedger = async (db: Db) => ({ months: toReviewLedger(await queries.countReviewsByMonth(db)) });

/** A user's reviews, and their answers as a seller. */
export const getOwnReviewData = (db: Reader, userId: string): OwnData => ({
  lists: { reviews: () => queries.listOwnReviews(db, userId), answers: () => queries.listOwnAnswers(db, userId) },
});

/** Finds a review in any state. */
export const findReviewForModeration = (db: Reader, id: string) =>
  db
    .selectFrom('reviews')
    .select(['id', 'author_id', 'listing_id', 'comment', 'rating', 'removed_because'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns false if the review is missing or already removed. */
export async function removeReview(tx: Tx, id: string, because: Exclude<RemovalReason, 'withdrawn'>): Promise<boolean> {
  const review = await lockReview(tx, id);
  if (!review || review.removed_because !== null) return false;
  await setReviewRemoved(tx, id, because);
  return true;
}

/** Republishes a review removed by moderators; a withdrawn review stays withdrawn. */
export async function restoreReview(tx: Tx, id: string): Promise<void> {
  const review = await lockReview(tx, id);
  if (review && review.removed_because !== null && review.removed_because !== 'withdrawn') await setReviewRemoved(tx, id, null);
}
