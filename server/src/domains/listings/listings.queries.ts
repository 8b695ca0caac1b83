import { type RawBuilder, sql } from 'kysely';
import { prepared, type Reader } from '../../kit/database/database.ts';
import { registerCheck, verifiedBy } from '../evidence/evidence.service.ts';

/** What a card needs, and a listing in full. */
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
  'listings.price_from_minor',
  'listings.price_unit',
  'listings.call_out_minor',
  'listings.in_trade_since',
  'listings.hours',
  'listings.emergency',
  'listings.insured',
  'listings.answers_within_day',
  'listings.licence_register',
  'listings.licence_number',
  'listings.licence_name',
  verifiedBy.as('verified_by'),
] as const;

const selectCards = (db: Reader) => db.selectFrom('listings').select(cardColumns);
const selectDetail = (db: Reader) =>
  selectCards(db)
    .innerJoin('users', 'users.id', 'listings.seller_id')
    .select(['business_info', 'business_email', 'website', 'users.created_at as seller_since', registerCheck.as('register_check')]);

type RowOf<Query extends (db: Reader) => { execute: () => Promise<unknown[]> }> = Awaited<ReturnType<ReturnType<Query>['execute']>>[number];
export type CardRow = RowOf<typeof selectCards>;
export type DetailRow = RowOf<typeof selectDetail>;

/** One listing whatever its status, with its reviews as `reviewsOf` reads them for the listing's id. */
export const findListing = <ReviewRow>(db: Reader, id: string, reviewsOf: (listingId: RawBuilder<string>) => RawBuilder<ReviewRow[]>) =>
  selectDetail(db)
    .modifyFront(prepared)
    .select(reviewsOf(sql.ref('listings.id')).as('reviews'))
    .where('listings.id', '=', id)
    .executeTakeFirst();

/** The listings of these ids, in no order. */
export const listByIds = (db: Reader, ids: readonly string[]) =>
  selectCards(db)
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();

/** The listings of these numbers that are active, in no order. */
export const listByNumbers = (db: Reader, numbers: readonly number[]) =>
  selectCards(db)
    .where('listing_number', '=', sql<number>`any(${[...numbers]}::int[])`)
    .where('status', '=', 'active')
    .execute();

/** How many active listings there are of each group in each region. */
export const countByCategoryAndRegion = (db: Reader) =>
  db
    .selectFrom('listings')
    .select(['category_code', 'region_code', 'country'])
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('listings'))
    .where('status', '=', 'active')
    .groupBy(['category_code', 'region_code', 'country'])
    .execute();

/** How many active listings there are of each sub-category in each district. */
export const countByDistrict = (db: Reader) =>
  db
    .selectFrom('listings')
    .select(['category_code', 'sub_category_code', 'district_code'])
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('listings'))
    .where('status', '=', 'active')
    .groupBy(['category_code', 'sub_category_code', 'district_code'])
    .execute();

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
export const listFirstOf = (db: Reader, subscriptionIds: readonly string[]) =>
  db
    .selectFrom('listings')
    .distinctOn('subscription_id')
    .select(['subscription_id', 'country', 'region_code'])
    .where('subscription_id', '=', sql<string>`any(${[...subscriptionIds]}::uuid[])`)
    .orderBy('subscription_id')
    .orderBy('listing_number')
    .execute();

export const findSellerAndStatus = (db: Reader, id: string) =>
  db.selectFrom('listings').select(['seller_id', 'status']).where('id', '=', id).executeTakeFirst();

const selectNamed = (db: Reader) => db.selectFrom('listings').select(['id', 'seller_id', 'status', 'service_title']);

export const findNamed = (db: Reader, id: string) => selectNamed(db).where('id', '=', id).executeTakeFirst();

/** A seller's newest active listing whose title stands in a text, else the newest active one. */
export const findNewestNamed = (db: Reader, sellerId: string, text: string) =>
  selectNamed(db)
    .where('seller_id', '=', sellerId)
    .where('status', '=', 'active')
    .orderBy(sql`position(service_title in ${text}) > 0`, 'desc')
    .orderBy('listing_number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Whose listings these are, where they lie and how they stand: those of these ids, or of a seller. */
export const listPlaces = (db: Reader, of: { ids: readonly string[] } | { sellerId: string }) =>
  db
    .selectFrom('listings')
    .select(['id', 'seller_id', 'status', 'service_title', 'region_code', 'country'])
    .$if('ids' in of, (query) => query.where('id', '=', sql<string>`any(${'ids' in of ? [...of.ids] : []}::uuid[])`))
    .$if('sellerId' in of, (query) => query.where('seller_id', '=', 'sellerId' in of ? of.sellerId : ''))
    .orderBy('listing_number')
    .execute();

/** In which country somebody last published; undefined where they never did. */
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
