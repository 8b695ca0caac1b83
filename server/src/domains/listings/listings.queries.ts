import type { CountryCode } from '@handwise/contract/markets';
import { type RawBuilder, sql } from 'kysely';
import { prepared, type Reader } from '../../kit/database.ts';
import type { StoredPicture } from '../../kit/stored-files.ts';

/** A row as a card needs it. */
export type CardRow = {
  id: string;
  listing_number: number;
  seller_id: string;
  status: string;
  plan_rank: number;
  subscription_ends_at: Date;
  country: string;
  region_code: number;
  district_code: number;
  main_category: string;
  category_code: number;
  sub_category_code: number | null;
  service_title: string;
  service_description: string;
  services: string[];
  pictures: StoredPicture[];
  business_title: string;
  logo: string;
  logo_color: string;
  rating_counts: number[];
  created_at: Date;
};

export type DetailRow = CardRow & {
  business_info: string;
  business_email: string;
  website: string;
  seller_since: Date;
};

export const cardColumns = sql.raw(
  `id, listing_number, seller_id, status, plan_rank, subscription_ends_at, country, region_code, district_code, main_category,
   category_code, sub_category_code, service_title, service_description, services, pictures, business_title, logo, logo_color,
   rating_counts, created_at`,
);

/** One listing whatever its status, with its reviews as `reviewsOf` reads them for the listing's id. */
export async function findListing<ReviewRow>(
  db: Reader,
  id: string,
  reviewsOf: (listingId: RawBuilder<unknown>) => RawBuilder<ReviewRow[]>,
): Promise<(DetailRow & { reviews: ReviewRow[] }) | undefined> {
  const { rows } = await sql<DetailRow & { reviews: ReviewRow[] }>`${sql.raw(prepared)}
    select listings.*, users.created_at as seller_since, ${reviewsOf(sql`listings.id`)} as reviews
    from (
      select ${cardColumns}, business_info, business_email, website from listings where id = ${id}
    ) as listings
    join users on users.id = listings.seller_id`.execute(db);
  return rows[0];
}

export type CategoryCount = { category_code: number; region_code: number; country: string; listings: number };

export async function countByCategoryAndRegion(db: Reader): Promise<CategoryCount[]> {
  const { rows } = await sql<CategoryCount>`${sql.raw(prepared)}
    select category_code, region_code, country, sum(listings)::int as listings
    from listing_counts group by category_code, region_code, country having sum(listings) > 0`.execute(db);
  return rows;
}

/** The active listings of a range of numbers, without `until`. */
export const listForSiteMap = (db: Reader, from: number, until: number) =>
  db
    .selectFrom('listings')
    .select(['id', 'updated_at'])
    .where('listing_number', '>=', from)
    .where('listing_number', '<', until)
    .where('status', '=', 'active')
    .orderBy('listing_number')
    .execute();

/** The highest number given so far, 0 where there is no listing. */
export async function newestListingNumber(db: Reader): Promise<number> {
  const row = await db.selectFrom('listings').select('listing_number').orderBy('listing_number', 'desc').limit(1).executeTakeFirst();
  return row?.listing_number ?? 0;
}

/** The first listing of each of these subscriptions that has one. */
export async function listFirstOf(
  db: Reader,
  subscriptionIds: readonly string[],
): Promise<{ subscription_id: string; country: CountryCode; region_code: number }[]> {
  const { rows } = await sql<{ subscription_id: string; country: CountryCode; region_code: number }>`
    select distinct on (subscription_id) subscription_id, country, region_code from listings
    where subscription_id = any(${[...subscriptionIds]}::uuid[]) order by subscription_id, listing_number`.execute(db);
  return rows;
}

export const findSellerAndStatus = (db: Reader, id: string) =>
  db.selectFrom('listings').select(['seller_id', 'status']).where('id', '=', id).executeTakeFirst();
