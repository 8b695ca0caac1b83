import { dayMs } from '@handwise/contract/dates';
import type { RemovalReason, ReviewOrder } from '@handwise/contract/reviews/words';
import type { ReviewForm } from '@handwise/contract/reviews/calls';
import { maxReviewsPerDay, reviewEditWeeks, reviewPageSize } from '@handwise/contract/reviews/words';
import type { Context } from '../../kit/context.ts';
import { type Db, type Reader, type Tx, violatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { isConfirmed, lockUser } from '../accounts/accounts.service.ts';
import { type ReviewsOf, findSellerId, requireActive } from '../listings/listings.service.ts';
import * as queries from './reviews.queries.ts';
import type { AnyReviewRow } from './reviews.queries.ts';
import { asReview, asStub, ledgerOf } from './reviews.views.ts';

export { type DirectoryRow, type ReviewStatus, searchForAdmin } from './reviews.desk.ts';
export { findForModerators, remove, restore } from './reviews.moderation.ts';
export const { countReviewsOfSeller, listCategoryRatings } = queries;

/** The reviews that a listing in full shows, the newest first, and what is left of removed ones. */
export const newestReviews: ReviewsOf<AnyReviewRow> = {
  column: queries.newestOf,
  show: (rows) => ({
    reviews: rows.flatMap((row) => ('removed_at' in row ? [] : asReview(row))),
    removedReviews: rows.flatMap((row) => ('removed_at' in row ? asStub(row) : [])),
  }),
};

/** What follows a new review, in its transaction. */
export type OnReviewed = (tx: Tx, review: { id: string; authorId: string; sellerId: string }) => Promise<void>;

const weekMs = 7 * dayMs;
const editableUntil = (createdAt: Date) => new Date(createdAt.getTime() + reviewEditWeeks * weekMs);

/** One page of a listing's reviews. The stubs of removed ones come with the first page. */
export async function listReviews(
  db: Db,
  listingId: string,
  asked: { page?: number | undefined; limit?: number | undefined; sort?: ReviewOrder | undefined; stars?: number | undefined },
) {
  await requireActive(db, listingId);
  const page = asked.page ?? 1;
  const take = asked.limit ?? reviewPageSize;
  const [rows, counts, removed] = await Promise.all([
    queries.listPublished(db, listingId, { order: asked.sort ?? 'newest', stars: asked.stars, skip: (page - 1) * take, take }),
    queries.findRatingCounts(db, listingId),
    page === 1 ? queries.listRemoved(db, listingId) : [],
  ]);
  const total = counts.reduce((sum, count, index) => sum + (asked.stars === undefined || asked.stars === index + 1 ? count : 0), 0);
  return {
    reviews: rows.map(asReview),
    removed: removed.map(asStub),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalReviews: total,
  };
}

export async function getOwnReview(db: Db, userId: string, listingId: string) {
  const [row, addressConfirmed] = await Promise.all([queries.findOwn(db, listingId, userId), isConfirmed(db, userId)]);
  const review = row && {
    ...asReview(row),
    removedBecause: row.removed_because as RemovalReason | null,
    editableUntil: editableUntil(row.created_at).toISOString(),
  };
  return { review: review ?? null, addressConfirmed };
}

/**
 * Publishes a user's one review of somebody else's listing. Throws `address_not_confirmed`, `own_listing`, `already_reviewed`,
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
      // Before the listing: whoever deletes their account meanwhile waits with nothing that is counted, or is waited for.
      await lockUser(tx, userId);
      await requireActive(tx, listingId);
      const sellerId = await findSellerId(tx, listingId);
      if (sellerId === undefined || sellerId === userId) throw new AppError('own_listing');
      if (!(await isConfirmed(tx, userId))) throw new AppError('address_not_confirmed');
      // Exact, because others of the same author wait for the lock above.
      const written = await queries.countWritten(tx, userId, new Date(clock.now().getTime() - dayMs));
      if (written >= maxReviewsPerDay) throw new AppError('too_many_reviews');
      const { rating, comment } = form;
      const { id } = await queries.insertReview(tx, { listing_id: listingId, author_id: userId, rating, comment });
      await onReviewed(tx, { id, authorId: userId, sellerId });
      return id;
    });
  } catch (error) {
    if (violatedConstraint(error) === 'reviews_listing_id_author_id_key') throw new AppError('already_reviewed');
    throw error;
  }
}

/** Changes one's own review; one that its author took back is published again. What moderators removed stays removed. */
export const updateReview = ({ db, clock }: Context, userId: string, reviewId: string, { rating, comment }: ReviewForm): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await lockOwn(tx, userId, reviewId);
    if (review.removed_because !== null && review.removed_because !== 'withdrawn') throw new AppError('review_removed');
    if (clock.now() >= editableUntil(review.created_at)) throw new AppError('review_too_old');
    await queries.updateWords(tx, reviewId, { rating, comment });
  });

/** Takes one's own review back. Twice is once, and a moderator's reason stays. */
export const withdrawReview = ({ db }: Context, userId: string, reviewId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await lockOwn(tx, userId, reviewId);
    if (review.removed_because === null) await queries.setRemoved(tx, reviewId, 'withdrawn');
  });

async function lockOwn(tx: Tx, userId: string, reviewId: string) {
  const review = await queries.lockReview(tx, reviewId);
  if (review?.author_id !== userId) throw new AppError('review_not_found');
  return review;
}

/** The seller's one answer to a published review of their listing. */
export const answerReview = ({ db }: Context, userId: string, reviewId: string, comment: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await queries.lockReview(tx, reviewId);
    if (!review || review.removed_because !== null || (await findSellerId(tx, review.listing_id)) !== userId) {
      throw new AppError('review_not_found');
    }
    if (review.answer !== null) throw new AppError('already_answered');
    await queries.setAnswer(tx, reviewId, comment);
  });

/** What became of all reviews by the month in which they were written, the newest first. */
export const getLedger = async (db: Db) => ({ months: ledgerOf(await queries.countByMonth(db)) });

/** What somebody has written in reviews, and as a seller below them. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { reviews: () => queries.listOwnReviews(db, userId), answers: () => queries.listOwnAnswers(db, userId) },
  pictures: [],
});
