import { isId } from '@handwise/contract/ids';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { anywhere } from '../../kit/database/search-text.ts';

type Wanted = {
  q: string | undefined;
  /** Whose listings match as well. */
  sellerIds: readonly string[];
  status: ListingStatus | 'all';
  skip: number;
  take: number;
  counted: number;
};

const shown = [
  'id',
  'listing_number',
  'service_title',
  'business_title',
  'status',
  'created_at',
  'subscription_ends_at',
  'seller_id',
] as const;

const numberOf = (text: string) => (/^#?\d{1,9}$/.test(text) ? Number(text.replace('#', '')) : undefined);

/** Listings in whichever state, the newest first; how many there are is counted up to `counted`. */
export async function searchForAdmin(db: Reader, { q, sellerIds, status, skip, take, counted }: Wanted) {
  const wanted = db
    .selectFrom('listings')
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const part = anywhere(text);
      const number = numberOf(text);
      return query.where((is) =>
        is.or([
          ...(number === undefined ? [] : [is('listing_number', '=', number)]),
          ...(isId(text) ? [is('id', '=', text)] : []),
          ...(sellerIds.length > 0 ? [is('seller_id', '=', sql<string>`any(${[...sellerIds]}::uuid[])`)] : []),
          is('service_title', 'ilike', part),
          is('business_title', 'ilike', part),
        ]),
      );
    })
    .$if(status !== 'all', (query) => query.where('status', '=', status === 'all' ? 'active' : status));
  const [rows, { total }] = await Promise.all([
    wanted.select(shown).orderBy('listing_number', 'desc').offset(skip).limit(take).execute(),
    db
      .selectFrom(wanted.select('id').limit(counted).as('found'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type DirectoryRow = Awaited<ReturnType<typeof searchForAdmin>>['rows'][number];

/** The newest listings of a seller, in whichever state. */
export const listForAdmin = (db: Reader, sellerId: string, most: number) =>
  db.selectFrom('listings').select(shown).where('seller_id', '=', sellerId).orderBy('listing_number', 'desc').limit(most).execute();

/** The listings that a subscription covers, in whichever state. */
export const listCovered = (db: Reader, subscriptionId: string) =>
  db.selectFrom('listings').select(shown).where('subscription_id', '=', subscriptionId).orderBy('listing_number').execute();

/** How many listings each of these people has, in whichever state. */
export async function countListingsOf(db: Reader, sellerIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('listings')
    .select('seller_id')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('listings'))
    .where('seller_id', '=', sql<string>`any(${[...sellerIds]}::uuid[])`)
    .groupBy('seller_id')
    .execute();
  return new Map(rows.map((row) => [row.seller_id, row.listings]));
}

/** What a listing is called, by its id. */
export async function titlesOf(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { _id: string; listingNumber: number; serviceTitle: string }>> {
  const rows = await db
    .selectFrom('listings')
    .select(['id as _id', 'listing_number as listingNumber', 'service_title as serviceTitle'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row._id, row]));
}

/** The ids of listings that a text names: by number (with or without #) or id. */
export async function findIdsByNumber(db: Reader, q: string): Promise<string[]> {
  const number = numberOf(q);
  if (number === undefined) return isId(q) ? [q] : [];
  return (await db.selectFrom('listings').select('id').where('listing_number', '=', number).execute()).map(({ id }) => id);
}
