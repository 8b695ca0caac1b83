import type { ListingStatus } from '@handwise/contract/listings';
import { type Updateable, sql } from 'kysely';
import type { DB } from '../../kit/database.generated.ts';
import type { Tx } from '../../kit/database.ts';
import { type LifeCycle, mayBecome, statesBefore } from '../../kit/life-cycle.ts';

/** The life of a listing. The database holds the same table (migration 005). */
export const listingTransitions = {
  active: ['inactive', 'expired'],
  inactive: ['active', 'expired'],
  expired: ['active'],
} as const satisfies LifeCycle<ListingStatus>;

/** Whether it is on the site. */
export const isLive = ({ status }: { status: ListingStatus }) => status === 'active';

type Listing = { id: string; status: ListingStatus };

export const canBecome = ({ status }: { status: ListingStatus }, to: ListingStatus) =>
  mayBecome<ListingStatus>(listingTransitions, status, to);

/** From where a listing gets into this state. */
export const statusesBefore = (status: ListingStatus) => statesBefore<ListingStatus>(listingTransitions, status);

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
