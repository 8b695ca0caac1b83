import { site } from '@handwise/contract/site/site';
import { formatDate } from '@handwise/contract/dates';
import type { Listing } from '@handwise/contract/listings/calls';
import type { Picture } from '@handwise/contract/listings/picture';
import { reviewPageSize } from '@handwise/contract/reviews/words';
import type { Review, ReviewStub, ReviewEvidence } from '@handwise/contract/reviews/shown';
import { formatAge } from '../../lib/format.ts';
import { counted } from '@handwise/contract/numbers';

const minuteMs = 60_000;

/** "40 minutes", "2 hours", "3 days": rounded in the largest unit of which there is at least one. */
export function formatSpan(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  if (minutes < 60) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 24 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

/** The evidence of a review: its author accepted a quote here, or contacted the business, and how fast it answered. */
export function describeReviewEvidence(evidence: ReviewEvidence | null, timeZone: string): string {
  if (!evidence) return `No contact through ${site.name}`;
  const { messagedAt, answeredAt, quoteAcceptedAt } = evidence;
  if (quoteAcceptedAt !== null) return `Accepted a quote here on ${formatDate(quoteAcceptedAt, timeZone)}`;
  const answer = answeredAt === null ? 'no answer yet' : `answered in ${formatSpan(Date.parse(answeredAt) - Date.parse(messagedAt))}`;
  return `Messaged here on ${formatDate(messagedAt, timeZone)}, ${answer}`;
}

export type ReviewView = {
  id: string;
  name: string;
  avatar: string;
  rating: number;
  comment: string;
  pictures: readonly Picture[];
  age: string;
  date: string;
  createdAt: string;
  edited: boolean;
  /** The text about contact through the site, and whether there was any. */
  evidence: string;
  hasContact: boolean;
  answer: { comment: string; date: string } | null;
};

/** The reviews on a page. `counts` are the numbers of all reviews with 1, 2, 3, 4 and 5 stars; `newest` are the first few. */
export type ReviewsView = {
  average: number;
  total: number;
  counts: readonly number[];
  newest: readonly ReviewView[];
  removed: readonly ReviewStub[];
  timeZone: string;
};

export const toReviewView = (review: Review, timeZone: string, now: Date): ReviewView => ({
  id: review._id,
  name: review.buyerName || review.username,
  avatar: review.buyerAvatar,
  rating: review.rating,
  comment: review.comment,
  pictures: review.pictures,
  age: formatAge(review.createdAt, now, timeZone),
  date: formatDate(review.createdAt, timeZone),
  createdAt: review.createdAt,
  edited: review.editedAt !== null,
  evidence: describeReviewEvidence(review.evidence, timeZone),
  hasContact: review.evidence !== null,
  answer: review.answer && { comment: review.answer.comment, date: formatDate(review.answer.createdAt, timeZone) },
});

/** Built in the loader, so that server and browser show the same "5 days ago". */
export const toReviewsView = (
  listing: Pick<Listing, 'averageRating' | 'reviewCount' | 'ratingCounts' | 'reviews' | 'removedReviews' | 'timeZone'>,
  now: Date,
): ReviewsView => ({
  average: listing.averageRating,
  total: listing.reviewCount,
  counts: listing.ratingCounts,
  newest: listing.reviews.slice(0, reviewPageSize).map((review) => toReviewView(review, listing.timeZone, now)),
  removed: listing.removedReviews,
  timeZone: listing.timeZone,
});
