import type { Listing, ListingCard, ListingStatus } from '@handwise/contract/listings/calls';
import { timeZoneOfRegion } from '@handwise/contract/places/regions';
import type { RawBuilder } from 'kysely';
import type { Db, Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import * as queries from './listings.queries.ts';
import { isLive } from './listings.states.ts';
import { asCard, asListing } from './listings.views.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { countByDistrict } from './listings.queries.ts';

export { lockBusiness, setVerified } from './listings.verified.ts';
export { ownDataOf } from './listings.own-data.ts';
export { syncReferenceData } from './listings.reference-data.ts';
export {
  countListingsOf,
  type DirectoryRow,
  findIdsByNumber,
  listCovered,
  listForAdmin,
  searchForAdmin,
  titlesOf,
} from './listings.desk.ts';
export { countHidden, findForModerators, hide, lockIdsOf, show } from './listings.moderation.ts';
export { canBecome, isHidden, isLive, moveAllTo, moveTo, moveUnder, refusalOf, statusesBefore } from './listings.states.ts';
export { type ListChange, anyListing, tagsChangedBy, tagsOfList } from './listings.shown.ts';
export { asCard, asPage, asPicture, pageOf, planTypeOfRank } from './listings.views.ts';
export const { findLastCountry, findNamed, findNewestNamed, cardColumns, countByCategoryAndRegion, listForSiteMap, newestListingNumber } =
  queries;

/** The reviews that a listing in full shows: a column of SQL for its id, and what is read there as the API shows it. */
export type ReviewsOf<Row> = {
  column: (db: Reader, listingId: RawBuilder<string>) => RawBuilder<Row[]>;
  show: (rows: Row[]) => Pick<Listing, 'reviews' | 'removedReviews'>;
};

/**
 * One listing in full. The public finds active ones; an owner also sees theirs while it is inactive or expired, and with
 * the business's address of mail.
 */
export async function getListing<Row>(db: Db, id: string, viewer: Viewer | null, reviews: ReviewsOf<Row>): Promise<Listing> {
  const row = await queries.findListing(db, id, (listingId) => reviews.column(db, listingId));
  const isOwner = row !== undefined && viewer?.id === row.seller_id;
  if (!row) throw new AppError('listing_not_found');
  if (!isLive(row) && !isOwner) throw new AppError('listing_gone');
  return asListing(row, reviews.show(row.reviews), isOwner);
}

/** The listings of these ids as cards, in their order and whatever their status. An id that none has is left out. */
export async function listByIds(db: Reader, ids: readonly string[]): Promise<ListingCard[]> {
  const cards = new Map((await queries.listByIds(db, ids)).map((row) => [row.id, asCard(row)]));
  return ids.flatMap((id) => cards.get(id) ?? []);
}

/** The active listings of these numbers in their order. One that has ended is left out. */
export async function listByNumbers(db: Reader, numbers: readonly number[]): Promise<queries.CardRow[]> {
  if (numbers.length === 0) return [];
  const rows = new Map((await queries.listByNumbers(db, numbers)).map((row) => [row.listing_number, row]));
  return numbers.flatMap((number) => rows.get(number) ?? []);
}

/** By whose clocks subscriptions end: those of their first listings' regions. Without a listing, none. */
export async function timeZonesOf(db: Reader, subscriptionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const first = await queries.listFirstOf(db, subscriptionIds);
  return new Map(first.map((one) => [one.subscription_id, timeZoneOfRegion(one.region_code, one.country)]));
}

/** By whose clocks a member does business: those of their first listing's region. Without a listing, none. */
export const timeZoneOfSeller = async (db: Reader, sellerId: string): Promise<string | undefined> =>
  (await listPlaces(db, { sellerId }))[0]?.timeZone;

/** Throws `listing_not_found`, or `listing_gone` where the public cannot see the listing. */
export async function requireActive(db: Reader, id: string): Promise<void> {
  const listing = await queries.findSellerAndStatus(db, id);
  if (!listing) throw new AppError('listing_not_found');
  if (!isLive(listing)) throw new AppError('listing_gone');
}

/** Whose listing it is; undefined where there is none. */
export const findSeller = async (db: Reader, id: string) => (await queries.findSellerAndStatus(db, id))?.seller_id;

/** Whose a listing is, how it stands, and by whose clocks its days are reckoned. */
export type ListingPlace = { id: string; sellerId: string; status: ListingStatus; title: string; timeZone: string };

/** The listings of these ids, or all of a seller, the oldest first. */
export const listPlaces = async (db: Reader, of: { ids: readonly string[] } | { sellerId: string }): Promise<ListingPlace[]> =>
  (await queries.listPlaces(db, of)).map(({ id, seller_id: sellerId, status, service_title: title, region_code: region, country }) => ({
    id,
    sellerId,
    status,
    title,
    timeZone: timeZoneOfRegion(region, country),
  }));

type DistrictCount = Awaited<ReturnType<typeof countByDistrict>>[number];

/** How many active listings there are of each kind in each place, counted together and cached for a minute. */
export class ListingCounts {
  readonly #db: Reader;
  readonly #counts: ResultCache<DistrictCount[]>;

  constructor(db: Reader, seconds = 60) {
    this.#db = db;
    this.#counts = new ResultCache({ name: 'listingCounts', seconds });
  }

  /** Of each sub-category (null: none chosen) in each district. */
  byDistrict(): Promise<DistrictCount[]> {
    return this.#counts.get('', () => countByDistrict(this.#db));
  }
}
