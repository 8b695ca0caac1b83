import { type Insertable, type Selectable, type Updateable, sql } from 'kysely';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import { cardColumns } from '../listings/listings.service.ts';
import { pendingRenewalStatuses } from '../plans/plans.service.ts';
import { addToVocabulary, selectCategoryMean } from '../search/search.service.ts';

const ownColumns = [
  'id',
  'seller_id',
  'subscription_id',
  'subscription_ends_at',
  'status',
  'plan_rank',
  'country',
  'region_code',
  'category_code',
  'sub_category_code',
  'licence_register',
  'licence_number',
  'licence_name',
  'licence_class',
  'licence_exemption',
  'licence_below_limit',
  'licence_limit_minor',
  'base_locality_code',
  'service_radius_km',
  'service_districts',
  'service_title',
  'business_title',
  'business_number',
  'pictures',
  'logo',
  'logo_color',
  'available_from',
  'available_until',
  'booked_until',
] as const;

export type OwnListing = Pick<Selectable<DB['listings']>, (typeof ownColumns)[number]>;

const selectOwn = (db: Reader, id: string, sellerId: string) =>
  db.selectFrom('listings').select(ownColumns).where('id', '=', id).where('seller_id', '=', sellerId);

export const findOwnListing = (db: Reader, id: string, sellerId: string) => selectOwn(db, id, sellerId).executeTakeFirst();

export const lockOwnListing = (tx: Tx, id: string, sellerId: string) => selectOwn(tx, id, sellerId).forUpdate().executeTakeFirst();

export const findSubmission = (db: Reader, submissionId: string) =>
  db.selectFrom('listings').select(['id', 'seller_id']).where('submission_id', '=', submissionId).executeTakeFirst();

export const isPaymentUsed = async (db: Reader, paymentId: string) =>
  (await db.selectFrom('listings').select('id').where('payment_id', '=', paymentId).executeTakeFirst()) !== undefined;

export async function insertListing(tx: Tx, listing: Insertable<DB['listings']> & { category_code: number }) {
  const inserted = await tx
    .insertInto('listings')
    .values({ ...listing, group_mean: selectCategoryMean(listing.category_code) })
    .returning(['id', 'listing_number'])
    .executeTakeFirstOrThrow();
  await addToVocabulary(tx, inserted.id);
  return inserted;
}

/** Edits a listing; its status only changes through `transitionListing`. */
export async function updateListingRow(
  tx: Tx,
  id: string,
  changes: Omit<Updateable<DB['listings']>, 'status' | 'hidden_from'> & { category_code: number },
): Promise<void> {
  await tx
    .updateTable('listings')
    .set({ ...changes, group_mean: selectCategoryMean(changes.category_code), updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
  await addToVocabulary(tx, id);
}

/** In the order of their ids, for locking. */
export const lockListingsOfSubscription = (tx: Tx, subscriptionId: string) =>
  tx
    .selectFrom('listings')
    .select(['id', 'status', 'service_title', 'category_code', 'country'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('id')
    .forUpdate()
    .execute();

export const setSubscriptionEnd = (tx: Tx, subscriptionId: string, endsAt: Date) =>
  tx.updateTable('listings').set({ subscription_ends_at: endsAt }).where('subscription_id', '=', subscriptionId).execute();

/** Active listings first and expired ones last. */
const statusOrder = sql`array_position(array['active', 'hidden', 'inactive', 'expired'], status)`;

export async function listOwnListings(db: Reader, sellerId: string, status: ListingStatus | null, page: { skip: number; take: number }) {
  const own = db
    .selectFrom('listings')
    .where('seller_id', '=', sellerId)
    .$if(status !== null, (query) => query.where('status', '=', status));
  const rows = await own
    .select(cardColumns)
    .orderBy(statusOrder)
    .orderBy('listing_number', 'desc')
    .offset(page.skip)
    .limit(page.take)
    .execute();
  const { total } = await own.select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}

// Literals rather than parameters, so that the partial index applies.
const active = sql.lit('active' as const);
const pendingRenewals = pendingRenewalStatuses.map((status) => sql.lit(status));
const endingStatuses = [active, sql.lit('inactive' as const)];

/**
 * Ended subscriptions with listings to expire, oldest first, up to `most`; sorted by the columns that counters use, so that a batch changes
 * few counters.
 */
export async function listEndedSubscriptions(db: Reader, now: Date, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('listings')
        .select(['subscription_id', 'category_code', 'sub_category_code', 'region_code'])
        .where('status', 'in', endingStatuses)
        .where('subscription_ends_at', '<=', now)
        .orderBy('subscription_ends_at')
        .limit(most)
        .as('due'),
    )
    .select('subscription_id')
    .groupBy('subscription_id')
    .orderBy(({ fn }) => fn.min('category_code'))
    .orderBy(({ fn }) => fn.min('sub_category_code'))
    .orderBy(({ fn }) => fn.min('region_code'))
    .orderBy('subscription_id')
    .execute();
  return rows.map((row) => row.subscription_id);
}

/**
 * Locks the ended listings of these subscriptions, each subscription by one server; listings locked by other transactions are left for the
 * next run.
 */
export const lockEndedListings = (tx: Tx, subscriptionIds: readonly string[], from: readonly ListingStatus[], now: Date) =>
  tx
    .with(
      (cte) => cte('locked').materialized(),
      (db) => db.selectFrom('subscriptions').select('id').where('id', '=', anyId(subscriptionIds)).forUpdate().skipLocked(),
    )
    .selectFrom('listings')
    .select(['id', 'subscription_id', 'seller_id', 'service_title', 'business_email', 'category_code', 'country', 'status'])
    .where('subscription_id', 'in', (eb) => eb.selectFrom('locked').select('locked.id'))
    .where('status', 'in', from)
    .where('subscription_ends_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .execute();

type NoticeKind = DB['expiry_notices']['kind'];

/** Records the notices and returns the subscriptions that had none before. */
export async function insertNotices(tx: Tx, kind: NoticeKind, subscriptionIds: readonly string[]): Promise<Set<string>> {
  if (subscriptionIds.length === 0) return new Set();
  const rows = await tx
    .insertInto('expiry_notices')
    .values(subscriptionIds.map((id) => ({ subscription_id: id, kind })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('subscription_id')
    .execute();
  return new Set(rows.map((row) => row.subscription_id));
}

/** Notes that sellers know of the end of a subscription's listings. */
export const noteListingsEnded = (tx: Tx, subscriptionId: string) => insertNotices(tx, 'ended', [subscriptionId]);

/** Subscriptions with active listings that end in this period and were not warned yet. */
export const listEndingSoon = (db: Reader, kind: NoticeKind, from: Date, until: Date, most: number) =>
  db
    .selectFrom('subscriptions')
    .select(['id', 'user_id', 'ends_at'])
    .where('slots_used', '>', sql.lit(0))
    .where('ends_at', '>', from)
    .where('ends_at', '<=', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(selectFrom('expiry_notices').select('kind').whereRef('subscription_id', '=', 'subscriptions.id').where('kind', '=', kind)),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('listings').select('listings.id').whereRef('subscription_id', '=', 'subscriptions.id').where('status', '=', active),
      ),
    )
    // The emails about a renewal take their place.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('renewals')
            .select('subscription_id')
            .whereRef('subscription_id', '=', 'subscriptions.id')
            .where('renewals.status', 'in', pendingRenewals),
        ),
      ),
    )
    .orderBy('ends_at')
    // A fixed order prevents deadlocks between servers.
    .orderBy('id')
    .limit(most)
    .execute();

/** Oldest first. */
export const listActiveListings = (db: Reader, subscriptionIds: readonly string[]) =>
  db
    .selectFrom('listings')
    .select(['id', 'subscription_id', 'service_title', 'business_email', 'category_code', 'country', 'region_code'])
    .where('subscription_id', '=', anyId(subscriptionIds))
    .where('status', '=', active)
    .orderBy('listing_number')
    .execute();
