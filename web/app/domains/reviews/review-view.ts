import { dateText } from '@handwise/contract/dates';
import type { Listing } from '@handwise/contract/listings';
import { age } from '../../lib/format.ts';

type ReviewView = {
  id: string;
  name: string;
  avatar: string;
  rating: number;
  comment: string;
  age: string;
  date: string;
  createdAt: string;
};

/** What the reviews' part of a page shows. `counts` are the reviews with 1, 2, 3, 4 and 5 stars, all of them; `newest` may be fewer. */
export type ReviewsView = { average: number; total: number; counts: readonly number[]; newest: readonly ReviewView[] };

/** Made where the data is loaded, so that server and browser show the same "5 days ago". */
export const reviewsView = (
  listing: Pick<Listing, 'averageRating' | 'reviewCount' | 'ratingCounts' | 'reviews' | 'timeZone'>,
  now: Date,
): ReviewsView => ({
  average: listing.averageRating,
  total: listing.reviewCount,
  counts: listing.ratingCounts,
  newest: listing.reviews.map((review) => ({
    id: review._id,
    name: review.buyerName || review.username,
    avatar: review.buyerAvatar,
    rating: review.rating,
    comment: review.comment,
    age: age(review.createdAt, now, listing.timeZone),
    date: dateText(review.createdAt, listing.timeZone),
    createdAt: review.createdAt,
  })),
});

/** The share of each number of stars, five first, in whole percent of all reviews. */
export const distribution = ({ counts, total }: Pick<ReviewsView, 'counts' | 'total'>) =>
  [5, 4, 3, 2, 1].map((stars) => {
    const reviews = counts[stars - 1] ?? 0;
    return { stars, reviews, percent: total === 0 ? 0 : Math.round((100 * reviews) / total) };
  });
