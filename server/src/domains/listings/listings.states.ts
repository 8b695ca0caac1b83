import type { ListingStatus } from '@handwise/contract/listings';
import { type Updateable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, mayBecome, statesBefore } from '../../kit/life-cycle.ts';

/** What owners and the clock do with a listing. What is hidden is no longer theirs. */
const ownSteps = {
  active: ['inactive', 'expired'],
  inactive: ['active', 'expired'],
  expired: ['active'],
  hidden: [],
} as const satisfies LifeCycle<ListingStatus>;

/**
 * The life of a listing, with what moderators do. The database holds the same table (migration 014).
 * @internal
 */
export const listingTransitions = {
  active: [...ownSteps.active, 'hidden'],
  inactive: [...ownSteps.inactive, 'hidden'],
  expired: [...ownSteps.expired, 'hidden'],
  hidden: ['active', 'inactive', 'expired'],
} as const satisfies LifeCycle<ListingStatus>;

/** Whether it is on the site. */
export const isLive = ({ status }: { status: ListingStatus }) => status === 'active';

type Listing = { id: string; status: ListingStatus };

/** Whether its owner or the clock can bring it there. */
export const canBecome = ({ status }: { status: ListingStatus }, to: ListingStatus) => mayBecome<ListingStatus>(ownSteps, status, to);

/** Why a listing cannot be reactivated. */
export const refusalOf = ({ status }: { status: ListingStatus }) => (status === 'hidden' ? 'listing_hidden' : 'listing_already_active');

/** From where owners and the clock bring a listing into this state. */
export const statusesBefore = (status: ListingStatus) => statesBefore<ListingStatus>(ownSteps, status);

/** The one way along the table, with what else changes by it. False where the table has no such step: then nothing was changed. */
export async function moveTo(
  tx: Tx,
  listing: Listing,
  status: ListingStatus,
  also: Pick<Updateable<DB['listings']>, 'subscription_id' | 'subscription_ends_at' | 'plan_rank'> = {},
): Promise<boolean> {
  if (!canBecome(listing, status)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('listings')
    .set({ ...also, status, updated_at: sql<Date>`now()` })
    .where('id', '=', listing.id)
    .where('status', '=', listing.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * As `moveTo`, for several listings in one statement: the triggers then take the rows of all counters in their order, and
 * never wait for each other in a circle with somebody else's.
 */
export async function moveAllTo(tx: Tx, listings: readonly Listing[], status: ListingStatus): Promise<void> {
  const movable = listings.filter((listing) => canBecome(listing, status));
  if (movable.length === 0) return;
  await tx
    .updateTable('listings')
    .set({ status, updated_at: sql<Date>`now()` })
    .where(
      'id',
      'in',
      movable.map(({ id }) => id),
    )
    .where('status', 'in', statusesBefore(status))
    .execute();
}

/**
 * Puts listings under another subscription; those that had expired come back. All in one statement, as in `moveAllTo`: what a listing's plan
 * counts for comes after what its state does.
 */
export const moveUnder = (
  tx: Tx,
  ids: readonly string[],
  to: { subscription_id: string; subscription_ends_at: Date; plan_rank: number },
): Promise<unknown> =>
  tx
    .updateTable('listings')
    .set({ ...to, status: sql<ListingStatus>`case status when 'expired' then 'active' else status end`, updated_at: sql<Date>`now()` })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
