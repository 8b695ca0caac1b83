import { maxReviewsOfDetail } from '@handwise/contract/listings';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../kit/database.ts';

export type ReviewRow = {
  id: string;
  rating: number;
  comment: string;
  created_at: string;
  username: string;
  full_name: string;
  avatar: string;
};

/** The newest reviews of a listing as a column of a statement that reads the listing. */
export const newestOf = (listingId: RawBuilder<unknown>): RawBuilder<ReviewRow[]> => sql`(
  select coalesce(json_agg(newest), '[]') from (
    select reviews.id, rating, comment, reviews.created_at, username, full_name, avatar
    from reviews join users on users.id = author_id
    where listing_id = ${listingId}
    order by reviews.created_at desc, reviews.id desc
    limit ${maxReviewsOfDetail}
  ) as newest
)`;

export const listCategoryRatings = (db: Reader) => db.selectFrom('category_ratings').selectAll().execute();
