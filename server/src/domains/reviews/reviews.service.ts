import { dayMs } from '@handwise/contract/dates';
import { removedPhotoMonths } from '@handwise/contract/periods';
import { maxSharedPhotos } from '@handwise/contract/pictures';
import type { ReviewForm } from '@handwise/contract/reviews/calls';
import {
  type RemovalReason,
  type ReviewOrder,
  maxReviewsPerDay,
  photosGoAtOnce,
  reviewEditWeeks,
  reviewPageSize,
} from '@handwise/contract/reviews/words';
import type { Context } from '../../kit/context.ts';
import { type Db, type Reader, type Tx, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPicture, attachFiles, discardFiles, storePictures } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { processPictures } from '../../kit/images/images.ts';
import { type OwnData, toOwnPicture } from '../../kit/own-data.ts';
import { isConfirmed, lockUser } from '../accounts/accounts.service.ts';
import { type ReviewsOf, findSellerId, requireActive, toPicture } from '../listings/listings.service.ts';
import type { ReviewHooks } from './reviews.context.ts';
import { type AnyReviewRow, lockReview, setReviewRemoved } from './reviews.queries.ts';
import * as queries from './reviews.queries.ts';
import { toReview, toReviewStub, toReviewLedger } from './reviews.views.ts';
export type { ReviewHooks } from './reviews.context.ts';

export { isReviewWanted } from './reviews.invitations.ts';
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
  { db, clock, store }: Context,
  userId: string,
  listingId: string,
  form: ReviewForm,
  files: readonly UploadedFile[],
  onReviewed: ReviewHooks['onReviewed'],
): Promise<string> {
  // Checked again by the transaction; checked here to reject before photos are processed.
  if (files.length > 0 && (await queries.findReviewOfAuthor(db, listingId, userId))) throw new AppError('already_reviewed');
  const pictures = await storePhotos({ db, store }, userId, files);
  const keys = pictures.map(({ key }) => key);
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
      const { id } = await queries.insertReview(tx, { listing_id: listingId, author_id: userId, rating, comment, pictures });
      await attachFiles(tx, keys);
      await onReviewed(tx, { id, authorId: userId, sellerId });
      return id;
    });
  } catch (error) {
    await discardFiles(db, store, keys);
    if (getViolatedConstraint(error) === 'reviews_listing_id_author_id_key') throw new AppError('already_reviewed');
    throw error;
  }
}

/**
 * Changes the author's review and republishes a withdrawn one; a review removed by moderators stays removed. Photos that are taken out
 * are deleted. Throws `review_not_found`, `review_removed`, `review_too_old`, `too_many_files`, `invalid_input` for a photo to keep that the
 * review does not have, and what photos throw.
 */
export async function updateReview(
  { db, clock, store }: Context,
  userId: string,
  reviewId: string,
  { rating, comment, keptPictures }: ReviewForm & { keptPictures?: readonly string[] | undefined },
  files: readonly UploadedFile[],
): Promise<void> {
  const lockChangeable = async (tx: Tx) => {
    const review = await lockOwnReview(tx, userId, reviewId);
    if (review.removed_because !== null && review.removed_because !== 'withdrawn') throw new AppError('review_removed');
    if (clock.now() >= editableUntil(review.created_at)) throw new AppError('review_too_old');
    return { ...review, kept: keepPictures(review.pictures, keptPictures, files.length) };
  };
  // Checked again with what is written; checked here to reject before photos are processed.
  if (files.length > 0) await db.transaction().execute(lockChangeable);
  const added = await storePhotos({ db, store }, userId, files);
  const keys = added.map(({ key }) => key);
  try {
    await db.transaction().execute(async (tx) => {
      const { kept } = await lockChangeable(tx);
      await queries.updateReviewContent(tx, reviewId, { rating, comment, pictures: [...kept, ...added] });
      await attachFiles(tx, keys);
    });
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

/** The photos that stay, in their order; all without a list. */
function keepPictures(pictures: readonly StoredPicture[], wanted: readonly string[] | undefined, added: number): StoredPicture[] {
  const names = wanted && new Set(wanted);
  const kept = pictures.filter((picture) => !names || names.delete(toPicture(picture).src));
  if (names && names.size > 0) {
    throw invalidField('keptPictures', 'One of these photos could not be found. Please reload the page and try again.');
  }
  if (kept.length + added <= maxSharedPhotos) return kept;
  throw new AppError('too_many_files', { fields: [{ field: 'pictures', message: `Choose at most ${maxSharedPhotos} photos` }] });
}

/** Uploads of photos per author, including rejected ones, because each is work. */
const photoLimit = { max: 30, windowSeconds: 600 };

async function storePhotos({ db, store }: Pick<Context, 'db' | 'store'>, userId: string, files: readonly UploadedFile[]) {
  if (files.length > 0) await countAttempt(db, `review-photos-by:${userId}`, photoLimit);
  const processed = await processPictures(files, userId);
  const alt = (index: number) => (processed.length > 1 ? `Photo ${index + 1} from a customer` : 'Photo from a customer');
  return storePictures(
    db,
    store,
    processed.map((picture, index) => ({ ...picture, alt: alt(index) })),
  );
}

async function setRemoved(tx: Tx, { id }: { id: string }, because: RemovalReason): Promise<void> {
  await setReviewRemoved(tx, id, because);
  if (photosGoAtOnce.includes(because)) await queries.deletePictures(tx, id);
}

const photosPerRun = 500;

/** Deletes the photos of reviews that were removed so long ago that no objection can bring them back, unless one is still unanswered. */
export async function deleteRemovedPhotos(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { hasOpenAppeal }: Pick<ReviewHooks, 'hasOpenAppeal'>,
): Promise<void> {
  const before = new Date(clock.now());
  before.setUTCMonth(before.getUTCMonth() - removedPhotoMonths);
  for (const id of await queries.listRemovedWithPhotos(db, { before, reasons: photosGoAtOnce }, photosPerRun)) {
    await db.transaction().execute(async (tx) => {
      const review = await lockReview(tx, id);
      if (review && review.removed_because !== null && !(await hasOpenAppeal(tx, id))) await queries.deletePictures(tx, id);
    });
  }
}

/** Idempotent; a moderator's removal reason is kept. Photos do not come back with a review that its author shows again. */
export const withdrawReview = ({ db }: Context, userId: string, reviewId: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const review = await lockOwnReview(tx, userId, reviewId);
    if (review.removed_because === null) await setRemoved(tx, review, 'withdrawn');
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

/** A user's reviews with their photos, and their answers as a seller. */
export async function getOwnReviewData(db: Reader, userId: string): Promise<OwnData> {
  const reviews = await queries.listOwnReviews(db, userId);
  const photosOf = (pictures: readonly StoredPicture[]) => pictures.map((picture) => toOwnPicture('reviews', picture));
  return {
    lists: {
      reviews: () => reviews.map(({ pictures, ...review }) => ({ ...review, pictures: photosOf(pictures).map(({ name }) => name) })),
      answers: () => queries.listOwnAnswers(db, userId),
    },
    files: reviews.flatMap(({ pictures }) => photosOf(pictures)),
  };
}

/** Finds a review in any state. */
export const findReviewForModeration = (db: Reader, id: string) =>
  db
    .selectFrom('reviews')
    .select(['id', 'author_id', 'listing_id', 'comment', 'pictures', 'rating', 'removed_because'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Returns false if the review is missing or already removed. */
export async function removeReview(tx: Tx, id: string, because: Exclude<RemovalReason, 'withdrawn'>): Promise<boolean> {
  const review = await lockReview(tx, id);
  if (!review || review.removed_because !== null) return false;
  await setRemoved(tx, review, because);
  return true;
}

/** Republishes a review removed by moderators; a withdrawn review stays withdrawn. */
export async function restoreReview(tx: Tx, id: string): Promise<void> {
  const review = await lockReview(tx, id);
  if (review && review.removed_because !== null && review.removed_because !== 'withdrawn') await setReviewRemoved(tx, id, null);
}
