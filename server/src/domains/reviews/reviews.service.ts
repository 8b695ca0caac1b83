import { publicName } from '@handwise/contract/public-name';
import type { Review } from '@handwise/contract/reviews';
import type { ReviewsOf } from '../listings/listings.service.ts';
import * as queries from './reviews.queries.ts';
import type { ReviewRow } from './reviews.queries.ts';

export const { listCategoryRatings } = queries;

const asReview = (row: ReviewRow): Review => ({
  _id: row.id,
  rating: row.rating,
  comment: row.comment,
  createdAt: new Date(row.created_at).toISOString(),
  username: row.username,
  buyerName: publicName(row.full_name),
  buyerAvatar: row.avatar,
});

/** The reviews that a listing in full shows, the newest first. */
export const newestReviews: ReviewsOf<ReviewRow> = { column: queries.newestOf, show: asReview };
