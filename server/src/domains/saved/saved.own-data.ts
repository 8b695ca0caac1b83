import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';

/** What somebody has saved. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { 'saved-listings': () => listOwn(db, userId) },
  pictures: [],
});

const listOwn = (db: Reader, userId: string) =>
  db
    .selectFrom('saved_listings')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['listing_id as listingId', 'service_title as serviceTitle', 'saved_at as savedAt'])
    .where('user_id', '=', userId)
    .orderBy('saved_at')
    .execute();
