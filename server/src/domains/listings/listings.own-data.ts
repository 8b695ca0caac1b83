import { type FactColumn, factColumns } from '@handwise/contract/facts/facts';
import type { Reader } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { type OwnData, toOwnPicture } from '../../kit/own-data.ts';
import { registerCheck } from '../registers/registers.service.ts';
import { toServiceArea } from './listings.views.ts';

/** "priceFromCents" of `price_from_minor`. */
const toExportName = (column: FactColumn) =>
  column.replace(/_minor$/, '_cents').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const listOwnListings = (db: Reader, sellerId: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'listing_number as listingNumber', 'status', 'subscription_id as subscriptionId'])
    .select(['subscription_ends_at as subscriptionEndsAt', 'country', 'main_category as mainCategory', 'service_title as serviceTitle'])
    .select(['service_description as serviceDescription', 'services', 'business_title as businessTitle'])
    .select([
      'business_email as businessEmailAddress',
      'business_phone as businessPhone',
      'business_info as businessInfo',
      'website',
      'logo',
      'pictures',
    ])
    .select(factColumns.map((column) => `${column} as ${toExportName(column)}` as const))
    .select(registerCheck.as('registerCheck'))
    .select(['available_from as availableFrom', 'available_until as availableUntil', 'booked_until as bookedUntil'])
    .select(['base_locality_code', 'service_radius_km', 'service_districts'])
    .select(['rating_counts as ratingCounts', 'created_at as createdAt', 'updated_at as updatedAt'])
    .where('seller_id', '=', sellerId)
    .orderBy('listing_number')
    .execute();

/** A user's data in this domain, with pictures and logos. */
export async function getOwnListingData(db: Reader, userId: string): Promise<OwnData> {
  const rows = await listOwnListings(db, userId);
  return {
    lists: {
      listings: () =>
        rows.map(({ base_locality_code, service_radius_km, service_districts, ...row }) => ({
          ...row,
          ...toServiceArea({ base_locality_code, service_radius_km, service_districts }),
          pictures: row.pictures.map((picture) => ({ file: toOwnPicture('listings', picture).name, alt: picture.alt })),
        })),
    },
    files: rows.flatMap(({ pictures, logo }) => {
      const key = fileKey(logo);
      const own = pictures.map((picture) => toOwnPicture('listings', picture));
      return key === undefined ? own : [...own, { name: `pictures/logos/${key.split('/').at(-1)}`, key }];
    }),
  };
}
