import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';

/** How often somebody's listings were looked at, day by day. Who looked is kept of nobody. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { 'listing-views': () => listOwn(db, userId) },
  pictures: [],
});

const listOwn = (db: Reader, sellerId: string) =>
  db
    .selectFrom('listing_views')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['listing_id as listingId', 'service_title as serviceTitle', sql<string>`day::text`.as('day'), 'views', 'visitors'])
    .where('seller_id', '=', sellerId)
    .orderBy('listing_number')
    .orderBy('day')
    .execute();
