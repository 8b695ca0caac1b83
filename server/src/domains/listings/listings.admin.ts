import { sql } from 'kysely';
import { isId } from '@handwise/contract/ids';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { toContainsPattern, anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import { transitionListings } from './listings.states.ts';

type ListingFilter = {
  q: string | undefined;
  /** Sellers whose listings match too. */
  sellerIds: readonly string[];
  status: ListingStatus | 'all';
  skip: number;
  take: number;
  counted: number;
};

const adminColumns = [
  'id',
  'listing_number',
  'service_title',
  'business_title',
  'status',
  'created_at',
  'subscription_ends_at',
  'seller_id',
] as const;

const parseListingNumber = (text: string) => (/^#?\d{1,9}$/.test(text) ? Number(text.replace('#', '')) : undefined);

/** Searches listings in any state, newest first. The total stops at `counted`. */
export async function searchListingsForAdmin(db: Reader, { q, sellerIds, status, skip, take, counted }: ListingFilter) {
  const matching = db
    .selectFrom('listings')
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const part = toContainsPattern(text);
      const number = parseListingNumber(text);
      return query.where((is) =>
        is.or([
          ...(number === undefined ? [] : [is('listing_number', '=', number)]),
          ...(isId(text) ? [is('id', '=', text)] : []),
          ...(sellerIds.length > 0 ? [is('seller_id', '=', anyId(sellerIds))] : []),
          is('service_title', 'ilike', part),
          is('business_title', 'ilike', part),
        ]),
      );
    })
    .$if(status !== 'all', (query) => query.where('status', '=', status === 'all' ? 'active' : status));
  const [rows, { total }] = await Promise.all([
    matching.select(adminColumns).orderBy('listing_number', 'desc').offset(skip).limit(take).execute(),
    db.selectFrom(matching.select('id').limit(counted).as('found')).select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type AdminListingRow = Awaited<ReturnType<typeof searchListingsForAdmin>>['rows'][number];

/** The newest listings of a seller, in any state. */
export const listListingsForAdmin = (db: Reader, sellerId: string, limit: number) =>
  db.selectFrom('listings').select(adminColumns).where('seller_id', '=', sellerId).orderBy('listing_number', 'desc').limit(limit).execute();

/** The listings that a subscription covers, in any state. */
export const listListingsOfSubscription = (db: Reader, subscriptionId: string) =>
  db.selectFrom('listings').select(adminColumns).where('subscription_id', '=', subscriptionId).orderBy('listing_number').execute();

/** The number of listings of each of these sellers, in any state. */
export async function countListingsBySeller(db: Reader, sellerIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('listings')
    .select('seller_id')
    .select(rowCount.as('listings'))
    .where('seller_id', '=', anyId(sellerIds))
    .groupBy('seller_id')
    .execute();
  return new Map(rows.map((row) => [row.seller_id, row.listings]));
}

export async function getTitlesById(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { _id: string; listingNumber: number; serviceTitle: string }>> {
  const rows = await db
    .selectFrom('listings')
    .select(['id as _id', 'listing_number as listingNumber', 'service_title as serviceTitle'])
    .where('id', '=', anyId(ids))
    .execute();
  return new Map(rows.map((row) => [row._id, row]));
}

/** Finds listings whose number (with or without #) or id is this text. */
export async function listListingIdsByNumber(db: Reader, q: string): Promise<string[]> {
  const number = parseListingNumber(q);
  if (number === undefined) return isId(q) ? [q] : [];
  return (await db.selectFrom('listings').select('id').where('listing_number', '=', number).execute()).map(({ id }) => id);
}

/** Hides listings for moderators. Resolves to those that were not hidden before. */
export const hideListings = (tx: Tx, ids: readonly string[]): Promise<{ id: string }[]> =>
  transitionListings(tx, withIds(ids), 'hidden', 'moderator', { hidden_from: sql<Exclude<ListingStatus, 'hidden'>>`status` });

/** Restores the earlier state of hidden listings, unless the subscription has ended or was renewed meanwhile. Resolves to those that were hidden. */
export const unhideListings = (tx: Tx, ids: readonly string[], now: Date): Promise<{ id: string }[]> => {
  const by = sql<ListingStatus>`case when subscription_ends_at <= ${now} then 'expired' when hidden_from = 'expired' then 'active' else hidden_from end`;
  return transitionListings(tx, withIds(ids), { among: ['active', 'inactive', 'expired'], by }, 'moderator', { hidden_from: null });
};

const withIds = (ids: readonly string[]) => ids.map((id) => ({ id }));

/** A listing in any state, for moderators. */
export const findListingForModerators = (db: Reader, id: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'seller_id', 'status', 'service_title', 'service_description', 'business_title'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Locks all listings of a seller, ordered by id to avoid deadlocks with other transactions that lock several. */
export const lockListingIds = async (tx: Tx, sellerId: string) =>
  (await tx.selectFrom('listings').select('id').where('seller_id', '=', sellerId).orderBy('id').forNoKeyUpdate().execute()).map(
    ({ id }) => id,
  );

export const countHiddenListings = async (db: Reader) =>
  (
    await db
      .selectFrom('listings')
      .select(rowCount.as('listings'))
      .where('status', '=', sql.lit('hidden' as const))
      .executeTakeFirstOrThrow()
  ).listings;
