import { type RawBuilder, sql } from 'kysely';
import { factColumns } from '@handwise/contract/facts/facts';
import type { AvailabilityState } from '@handwise/contract/listings/availability';
import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { prepared, type Reader, type Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import {
  licenceCheckedBy,
  ownLicenceCheck,
  registerCheck,
  verifiedBy,
  type Business,
  type ClaimingBusiness,
} from '../registers/registers.service.ts';

/** What the availability is now, by the clock; `ends` is the midnight that ends it. */
const availability = sql<{ state: AvailabilityState; ends: string } | null>`case
  when listings.available_until > now() then jsonb_build_object(
    'state', case when listings.available_from <= now() then 'this_week' else 'next_week' end, 'ends', listings.available_until)
  when listings.booked_until > now() then jsonb_build_object('state', 'booked_until', 'ends', listings.booked_until)
end`;

/** Columns of a card, which a listing in full needs too. */
export const cardColumns = [
  'listings.id',
  'listings.listing_number',
  'listings.seller_id',
  'listings.status',
  'listings.plan_rank',
  'listings.subscription_ends_at',
  'listings.country',
  'listings.region_code',
  'listings.district_code',
  'listings.base_locality_code',
  'listings.service_radius_km',
  'listings.service_districts',
  'listings.main_category',
  'listings.category_code',
  'listings.sub_category_code',
  'listings.service_title',
  'listings.service_description',
  'listings.services',
  'listings.pictures',
  'listings.business_title',
  'listings.logo',
  'listings.logo_color',
  'listings.rating_counts',
  'listings.created_at',
  ...factColumns.map((column) => `listings.${column}` as const),
  'listings.answers_within_day',
  'listings.answer_minutes',
  'listings.answers_given',
  'listings.answers_of',
  'listings.licence_limit_minor',
  'listings.licence_hidden',
  licenceCheckedBy.as('licence_checked_by'),
  verifiedBy.as('verified_by'),
  availability.as('availability'),
] as const;

const selectCards = (db: Reader) => db.selectFrom('listings').select(cardColumns);
const selectDetail = (db: Reader) =>
  selectCards(db)
    .innerJoin('users', 'users.id', 'listings.seller_id')
    .select([
      'business_info',
      'business_email',
      'business_phone',
      'website',
      'users.created_at as seller_since',
      registerCheck.as('register_check'),
      ownLicenceCheck.as('licence_check'),
    ]);

type RowOf<Query extends (db: Reader) => { execute: () => Promise<unknown[]> }> = Awaited<ReturnType<ReturnType<Query>['execute']>>[number];
export type ListingCardRow = RowOf<typeof selectCards>;
export type DetailRow = RowOf<typeof selectDetail>;

/** One listing in any state, with its reviews from the SQL of `reviewsOf`. */
export const findListing = <ReviewRow>(db: Reader, id: string, reviewsOf: (listingId: RawBuilder<string>) => RawBuilder<ReviewRow[]>) =>
  selectDetail(db)
    .modifyFront(prepared)
    .select(reviewsOf(sql.ref('listings.id')).as('reviews'))
    .where('listings.id', '=', id)
    .executeTakeFirst();

/** Unordered. */
export const listListingCardRows = (db: Reader, ids: readonly string[]) => selectCards(db).where('id', '=', anyId(ids)).execute();

/** Active listings only, unordered. */
export const listListingCardRowsByNumber = (db: Reader, numbers: readonly number[]) =>
  selectCards(db)
    .where('listing_number', '=', sql<number>`any(${[...numbers]}::int[])`)
    .where('status', '=', 'active')
    .execute();

/** The number of active listings per category and region. */
export const countByCategoryAndRegion = (db: Reader) =>
  db
    .selectFrom('listings')
    .select(['category_code', 'region_code', 'country'])
    .select(rowCount.as('listings'))
    .where('status', '=', 'active')
    .groupBy(['category_code', 'region_code', 'country'])
    .execute();

/** The number of active listings per sub-category and district. */
export const countByDistrict = (db: Reader) =>
  db
    .selectFrom('listings')
    .select(['category_code', 'sub_category_code', 'district_code'])
    .select(rowCount.as('listings'))
    .where('status', '=', 'active')
    .groupBy(['category_code', 'sub_category_code', 'district_code'])
    .execute();

/** Active listings with numbers from `from` up to but excluding `until`. */
export const listForSiteMap = (db: Reader, from: number, until: number) =>
  db
    .selectFrom('listings')
    .select(['id', 'updated_at'])
    .where('listing_number', '>=', from)
    .where('listing_number', '<', until)
    .where('status', '=', 'active')
    .orderBy('listing_number')
    .execute();

/** 0 if there is no listing. */
export async function getNewestListingNumber(db: Reader): Promise<number> {
  const row = await db.selectFrom('listings').select('listing_number').orderBy('listing_number', 'desc').limit(1).executeTakeFirst();
  return row?.listing_number ?? 0;
}

/** The first listing of each subscription that has one. */
export const listFirstListings = (db: Reader, subscriptionIds: readonly string[]) =>
  db
    .selectFrom('listings')
    .distinctOn('subscription_id')
    .select(['subscription_id', 'country', 'region_code'])
    .where('subscription_id', '=', anyId(subscriptionIds))
    .orderBy('subscription_id')
    .orderBy('listing_number')
    .execute();

/** A subscription's listings that moderators have not hidden, oldest first. */
export const listUnhiddenListings = (db: Reader, subscriptionId: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'service_title as title', 'category_code', 'country'])
    .where('subscription_id', '=', subscriptionId)
    .where('status', '<>', sql.lit('hidden' as const))
    .orderBy('listing_number')
    .execute();

export const findSellerAndStatus = (db: Reader, id: string) =>
  db.selectFrom('listings').select(['seller_id', 'status']).where('id', '=', id).executeTakeFirst();

export const findHours = (db: Reader, id: string) =>
  db.selectFrom('listings').select(['hours', 'country', 'region_code']).where('id', '=', id).executeTakeFirstOrThrow();

/** In E.164; empty without one. */
export const findBusinessPhone = async (db: Reader, id: string) =>
  (await db.selectFrom('listings').select('business_phone').where('id', '=', id).executeTakeFirst())?.business_phone;

const selectTitles = (db: Reader) => db.selectFrom('listings').select(['id', 'seller_id', 'status', 'service_title', 'country']);

export const findListingTitle = (db: Reader, id: string) => selectTitles(db).where('id', '=', id).executeTakeFirst();

/** A seller's newest active listing whose title occurs in a text, else the newest active one. */
export const findNewestListingTitle = (db: Reader, sellerId: string, text: string) =>
  selectTitles(db)
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'active')
    .orderBy(sql`position(service_title in ${text}) > 0`, 'desc')
    .orderBy('listing_number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Seller, state, title and place of listings, by their ids or seller. */
export const listSummaryRows = (db: Reader, of: { ids: readonly string[] } | { sellerId: string }) =>
  db
    .selectFrom('listings')
    .select(['id', 'seller_id', 'status', 'service_title', 'region_code', 'country'])
    .$if('ids' in of, (query) => query.where('id', '=', anyId('ids' in of ? of.ids : [])))
    .$if('sellerId' in of, (query) => query.where('seller_id', '=', 'sellerId' in of ? of.sellerId : ''))
    .orderBy('listing_number')
    .execute();

/** The country of a seller's newest listing. */
export const findLastCountry = async (db: Reader, sellerId: string) =>
  (
    await db
      .selectFrom('listings')
      .select('country')
      .where('seller_id', '=', sellerId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.country;

/** Locks the listing until the transaction ends. */
export const lockBusiness = (tx: Tx, listingId: string): Promise<Business | undefined> =>
  tx
    .selectFrom('listings')
    .select(['seller_id as sellerId', 'business_title as businessTitle', 'service_title as serviceTitle'])
    .where('id', '=', listingId)
    .forUpdate()
    .executeTakeFirst();

/** Sets whether a listing is verified. Always writes, so that the trigger invalidates pages that show the date of the check. */
export async function setVerified(tx: Tx, listingId: string, isVerified: boolean): Promise<void> {
  await tx.updateTable('listings').set({ verified: isVerified }).where('id', '=', listingId).execute();
}

/** Sets whether a licence is hidden. Always writes, as `setVerified`. */
export async function setLicenceHidden(tx: Tx, listingId: string, isHidden: boolean): Promise<void> {
  await tx.updateTable('listings').set({ licence_hidden: isHidden }).where('id', '=', listingId).execute();
}

/** What listings say beside their licences, for those who look them up. */
export async function listClaimingBusinesses(db: Reader, ids: readonly string[]): Promise<Map<string, ClaimingBusiness>> {
  const rows = await db
    .selectFrom('listings')
    .select(['id', 'business_title as businessTitle', 'service_title as serviceTitle', 'licence_class as licenceClass'])
    .where('id', '=', anyId(ids))
    .execute();
  return new Map(rows.map(({ id, ...business }) => [id, business]));
}

/** Syncs the tables of places and categories with the contract. Codes are never deleted, because listings may reference them. */
export async function syncReferenceData(tx: Tx): Promise<void> {
  const districts = regions.flatMap((region) =>
    region.districts.map(({ code, name }) => ({ code, name, region_code: region.code, region_name: region.name, country: region.country })),
  );
  await tx
    .insertInto('districts')
    .values(districts)
    .onConflict((conflict) =>
      conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name'), region_name: ref('excluded.region_name') })),
    )
    .execute();
  await tx
    .insertInto('categories')
    .values(categories.map(({ code, name, mainCategory }) => ({ code, name, main_category: mainCategory })))
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
  await tx
    .insertInto('sub_categories')
    .values(
      categories.flatMap((category) => category.subCategories.map(({ code, name }) => ({ code, name, category_code: category.code }))),
    )
    .onConflict((conflict) => conflict.column('code').doUpdateSet(({ ref }) => ({ name: ref('excluded.name') })))
    .execute();
}

/** The email addresses and business numbers among these that a listing has, in any state. */
export async function listListedBusinesses(db: Reader, { emails, numbers }: { emails: readonly string[]; numbers: readonly string[] }) {
  const rows = await db
    .selectFrom('listings')
    .select(['business_email', 'business_number'])
    .where((eb) =>
      eb.or([
        eb(sql<string>`lower(business_email)`, '=', sql<string>`any(${emails.map((email) => email.toLowerCase())}::text[])`),
        eb('business_number', '=', sql<string>`any(${[...numbers]}::text[])`),
      ]),
    )
    .execute();
  return { emails: rows.map((row) => row.business_email), numbers: rows.flatMap((row) => row.business_number ?? []) };
}
