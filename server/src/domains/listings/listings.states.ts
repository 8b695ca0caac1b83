import { type RawBuilder, type Updateable, sql } from 'kysely';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import { type LifeCycle, canTransition, listStatesBefore } from '../../kit/life-cycle.ts';

/** Transitions by owners and by time. They cannot change a hidden listing. */
const ownSteps = {
  active: ['inactive', 'expired'],
  inactive: ['active', 'expired'],
  expired: ['active'],
  hidden: [],
} as const satisfies LifeCycle<ListingStatus>;

/** Transitions by moderators. */
const moderatorSteps = {
  active: ['hidden'],
  inactive: ['hidden'],
  expired: ['hidden'],
  hidden: ['active', 'inactive', 'expired'],
} as const satisfies LifeCycle<ListingStatus>;

/** The life cycle of a listing. The database has the same table (010-listings.sql). */
export const listingTransitions = {
  active: [...ownSteps.active, ...moderatorSteps.active],
  inactive: [...ownSteps.inactive, ...moderatorSteps.inactive],
  expired: [...ownSteps.expired, ...moderatorSteps.expired],
  hidden: [...ownSteps.hidden, ...moderatorSteps.hidden],
} as const satisfies LifeCycle<ListingStatus>;

/** Transitions by actor. Those by time count as the owner's. */
const stepsByActor = { owner: ownSteps, moderator: moderatorSteps } as const;
type Actor = keyof typeof stepsByActor;

/** Whether the listing is on the site. */
export const isLive = ({ status }: { status: ListingStatus }) => status === 'active';

/** Whether moderators have hidden the listing. */
export const isHidden = ({ status }: { status: ListingStatus }) => status === 'hidden';

type Listing = { id: string; status: ListingStatus };

/** Whether the owner or time can move a listing to this state. */
export const canBecome = ({ status }: { status: ListingStatus }, to: ListingStatus) => canTransition<ListingStatus>(ownSteps, status, to);

/** The error code for a listing that cannot be reactivated. */
export const getReactivationError = ({ status }: { status: ListingStatus }) =>
  isHidden({ status }) ? 'listing_hidden' : 'listing_already_active';

/** The states from which owners and time move a listing to this state. */
export const listStatusesBefore = (status: ListingStatus) => listStatesBefore<ListingStatus>(ownSteps, status);

/** A state that an SQL expression chooses for each listing, with all its possible values. */
type Chosen = { among: readonly ListingStatus[]; by: RawBuilder<ListingStatus> };

/** Moves one listing to a state for its owner, with the other columns that change. False, without a change, if the table has no such transition. */
export async function transitionListing(
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
 * Moves several listings to a state in one statement, so that triggers lock counter rows in order and cannot deadlock. Resolves to those
 * that were moved; the table has no such transition for the others.
 */
export function transitionListings(
  tx: Tx,
  listings: readonly { id: string }[],
  to: ListingStatus | Chosen,
  by: Actor,
  also: { hidden_from?: RawBuilder<Exclude<ListingStatus, 'hidden'>> | null } = {},
): Promise<{ id: string }[]> {
  const [among, status] = typeof to === 'string' ? [[to], to] : [to.among, to.by];
  const from = listStatesBefore<ListingStatus>(stepsByActor[by], ...among);
  if (listings.length === 0 || from.length === 0) return Promise.resolve([]);
  return tx
    .updateTable('listings')
    .set({
      ...also,
      status,
      updated_at: sql<Date>`now()`,
      // Unchanged. Without it, no generated column could have changed, and PostgreSQL would read all their expressions from its catalogue for each row.
      base_locality_code: sql.ref('listings.base_locality_code'),
    })
    .where('id', '=', anyId(listings.map(({ id }) => id)))
    .where('status', 'in', from)
    .returning('id')
    .execute();
}

/**
 * Assigns listings to another subscription and reactivates expired ones, in one statement as in `transitionListings`: a listing's plan counts
 * after its state.
 */
export const assignSubscription = (
  tx: Tx,
  ids: readonly string[],
  to: { subscription_id: string; subscription_ends_at: Date; plan_rank: number },
): Promise<unknown> =>
  tx
    .updateTable('listings')
    .set({ ...to, status: sql<ListingStatus>`case status when 'expired' then 'active' else status end`, updated_at: sql<Date>`now()` })
    .where('id', '=', anyId(ids))
    .execute();
