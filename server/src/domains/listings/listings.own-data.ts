import type { Reader } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/file-store.ts';
import { type OwnData, toOwnPicture } from '../../kit/own-data.ts';
import { registerCheck } from '../evidence/evidence.service.ts';
import { toServiceArea } from './listings.views.ts';

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
    .select(['price_from_minor as priceFromCents', 'price_unit as priceUnit', 'call_out_minor as callOutCents'])
    .select(['minimum_charge_minor as minimumChargeCents', 'hours', 'emergency'])
    .select(['in_trade_since as inTradeSince', 'insured', 'licence_register as licenceRegister', 'licence_number as licenceNumber'])
    .select(['licence_class as licenceClass', 'licence_exemption as licenceExemption', 'licence_below_limit as licenceBelowLimit'])
    .select(['licence_name as licenceName', 'business_number as businessNumber', registerCheck.as('registerCheck')])
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
