import type { RawBuilder } from 'kysely';
import type { Listing, ListingCard, ListingStatus } from '@handwise/contract/listings/calls';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import { isCountryOpen, isTradeOpen } from '@handwise/contract/site/open';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import type { Db, Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import * as queries from './listings.queries.ts';
import { isLive } from './listings.states.ts';
import { toCard, toListing } from './listings.views.ts';

export {
  type AdminListingRow,
  countHiddenListings,
  countListingsBySeller,
  findListingForModerators,
  getTitlesById,
  hideListings,
  listListingsOfSubscription,
  listListingIdsByNumber,
  listListingsForAdmin,
  lockListingIds,
  searchListingsForAdmin,
  unhideListings,
} from './listings.admin.ts';
export { getOwnListingData } from './listings.own-data.ts';
export { listClaimingBusinesses, lockBusiness, setLicenceHidden, setVerified, syncReferenceData } from './listings.queries.ts';
export {
  canBecome,
  isHidden,
  isLive,
  transitionListings,
  transitionListing,
  assignSubscription,
  getReactivationError,
  listStatusesBefore,
} from './listings.states.ts';
export { type ListChange, anyListingTag, limitToAvailability, listChangedTags, listCacheTags } from './listings.cache-tags.ts';
export { toCard, toListingPage, toPicture, buildListingPage, getPlanTypeByRank } from './listings.views.ts';
export const {
  findLastCountry,
  findListingTitle,
  findNewestListingTitle,
  cardColumns,
  countByCategoryAndRegion,
  listForSiteMap,
  getNewestListingNumber,
  listListedBusinesses,
} = queries;

/** Port for the reviews of a listing in full: the SQL column for a listing's id, and the mapping of its rows to the API. */
export type ReviewsOf<Row> = {
  column: (db: Reader, listingId: RawBuilder<string>) => RawBuilder<Row[]>;
  show: (rows: Row[]) => Pick<Listing, 'reviews' | 'removedReviews'>;
};

/** One listing in full. Others see active listings only; the owner sees theirs in any state, with the business email address. */
export async function getListing<Row>(db: Db, id: string, viewer: Viewer | null, reviews: ReviewsOf<Row>): Promise<Listing> {
  const row = await queries.findListing(db, id, (listingId) => reviews.column(db, listingId));
  const isOwner = row !== undefined && viewer?.id === row.seller_id;
  if (!row) throw new AppError('listing_not_found');
  if (!isLive(row) && !isOwner) throw new AppError('listing_gone');
  return toListing(row, reviews.show(row.reviews), isOwner);
}

/** The listings of these ids as cards, in that order and in any state. Unknown ids are omitted. */
export async function listListingCards(db: Reader, ids: readonly string[]): Promise<ListingCard[]> {
  const cards = new Map((await queries.listListingCardRows(db, ids)).map((row) => [row.id, toCard(row)]));
  return ids.flatMap((id) => cards.get(id) ?? []);
}

/** The active listings of these numbers, in that order. Others are omitted. */
export async function listActiveByNumbers(db: Reader, numbers: readonly number[]): Promise<queries.ListingCardRow[]> {
  if (numbers.length === 0) return [];
  const rows = new Map((await queries.listListingCardRowsByNumber(db, numbers)).map((row) => [row.listing_number, row]));
  return numbers.flatMap((number) => rows.get(number) ?? []);
}

/** Time zones of subscriptions, by the region of their first listing. Those without listings are omitted. */
export async function getTimeZonesOfSubscriptions(db: Reader, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const first = await queries.listFirstListings(db, subscriptionIds);
  return new Map(first.map((one) => [one.subscription_id, getRegionTimeZone(one.region_code, one.country)]));
}

/** Whether a listing is of a trade and country that take new ones. */
export const isOpen = ({ category_code: code, country }: { category_code: number; country: CountryCode }): boolean =>
  isCountryOpen(country) && isTradeOpen(findCategoryByCode(code)?.slug ?? '');

/** The listings of a subscription that moderators have not hidden, oldest first. */
export const listUnhiddenListings = async (db: Reader, subscriptionId: string) =>
  (await queries.listUnhiddenListings(db, subscriptionId)).map(({ id, title, ...kind }) => ({ id, title, isOpen: isOpen(kind) }));

/** The time zone of a seller's first listing. */
export const findSellerTimeZone = async (db: Reader, sellerId: string): Promise<string | undefined> =>
  (await listSummaries(db, { sellerId }))[0]?.timeZone;

/** Throws `listing_not_found`, or `listing_gone` if the listing is not active. */
export async function requireActive(db: Reader, id: string): Promise<void> {
  const listing = await queries.findSellerAndStatus(db, id);
  if (!listing) throw new AppError('listing_not_found');
  if (!isLive(listing)) throw new AppError('listing_gone');
}

/** The phone number in E.164. Throws as `requireActive` does, or `no_business_phone`. */
export async function getBusinessPhone(db: Reader, id: string): Promise<string> {
  await requireActive(db, id);
  const number = await queries.findBusinessPhone(db, id);
  if (!number) throw new AppError('no_business_phone');
  return number;
}

/** The opening hours of a listing, null without any, and its time zone. */
export async function findOpeningHours(db: Reader, id: string) {
  const { hours, country, region_code: region } = await queries.findHours(db, id);
  return { hours, timeZone: getRegionTimeZone(region, country) };
}

export const findSellerId = async (db: Reader, id: string) => (await queries.findSellerAndStatus(db, id))?.seller_id;

/** `timeZone` applies to the listing's dates. */
export type ListingSummary = { id: string; sellerId: string; status: ListingStatus; title: string; timeZone: string };

/** The listings of these ids, or all of a seller, oldest first. */
export const listSummaries = async (db: Reader, of: { ids: readonly string[] } | { sellerId: string }): Promise<ListingSummary[]> =>
  (await queries.listSummaryRows(db, of)).map(
    ({ id, seller_id: sellerId, status, service_title: title, region_code: region, country }) => ({
      id,
      sellerId,
      status,
      title,
      timeZone: getRegionTimeZone(region, country),
    }),
  );

type DistrictCount = Awaited<ReturnType<typeof queries.countByDistrict>>[number];

/** Numbers of active listings per sub-category and district, cached for a minute. */
export class ListingCounts {
  readonly #db: Reader;
  readonly #counts: ResultCache<DistrictCount[]>;

  constructor(db: Reader, seconds = 60) {
    this.#db = db;
    this.#counts = new ResultCache({ name: 'listingCounts', seconds });
  }

  /** Includes listings without a sub-category (null). */
  byDistrict(): Promise<DistrictCount[]> {
    return this.#counts.get('', () => queries.countByDistrict(this.#db));
  }
}
