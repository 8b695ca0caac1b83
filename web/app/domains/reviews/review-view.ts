import { dateText } from '@handwise/contract/dates';
import type { Listing } from '@handwise/contract/listings/calls';
import { reviewPageSize } from '@handwise/contract/reviews/words';
import type { Review, ReviewStub } from '@handwise/contract/reviews/shown';
import { age } from '../../lib/format.ts';
import { evidenceText } from './review-evidence.ts';

export type ReviewView = {
  id: string;
  name: string;
  avatar: string;
  rating: number;
  comment: string;
  age: string;
  date: string;
  createdAt: string;
  edited: boolean;
  /** Whether there was contact through the site, in words; and whether there was. */
  evidence: string;
  hasContact: boolean;
  answer: { comment: string; date: string } | null;
};

/** What the reviews' part of a page shows. `counts` are the reviews with 1, 2, 3, 4 and 5 stars, all of them; `newest` are the first few. */
export type ReviewsView = {
  average: number;
  total: number;
  counts: readonly number[];
  newest: readonly ReviewView[];
  removed: readonly ReviewStub[];
  timeZone: string;
};

export const reviewView = (review: Review, timeZone: string, now: Date): ReviewView => ({
  id: review._id,
  name: review.buyerName || review.username,
  avatar: review.buyerAvatar,
  rating: review.rating,
  comment: review.comment,
  age: age(review.createdAt, now, timeZone),
  date: dateText(review.createdAt, timeZone),
  createdAt: review.createdAt,
  edited: review.editedAt !== null,
  evidence: evidenceText(review.evidence, timeZone),
  hasContact: review.evidence !== null,
  answer: review.answer && { comment: review.answer.comment, date: dateText(review.answer.createdAt, timeZone) },
});

/** Made where the data is loaded, so that server and browser show the same "5 days ago". */
export const reviewsView = (
  listing: Pick<Listing, 'averageRating' | 'reviewCount' | 'ratingCounts' | 'reviews' | 'removedReviews' | 'timeZone'>,
  now: Date,
): ReviewsView => ({
  average: listing.averageRating,
  total: listing.reviewCount,
  counts: listing.ratingCounts,
  newest: listing.reviews.slice(0, reviewPageSize).map((review) => reviewView(review, listing.timeZone, now)),
  removed: listing.removedReviews,
  timeZone: listing.timeZone,
});
