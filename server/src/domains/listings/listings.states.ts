import type { ListingStatus } from '@handwise/contract/listings/calls';
import { type RawBuilder, type Updateable, sql } from 'kysely';
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

/** What moderators do with it. */
const moderatorSteps = {
  active: ['hidden'],
  inactive: ['hidden'],
  expired: ['hidden'],
  hidden: ['active', 'inactive', 'expired'],
} as const satisfies LifeCycle<ListingStatus>;

/**
 * The life of a listing. The database holds the same table (010-listings.sql).
 */
export const listingTransitions = {
  active: [...ownSteps.active, ...moderatorSteps.active],
  inactive: [...ownSteps.inactive, ...moderatorSteps.inactive],
  expired: [...ownSteps.expired, ...moderatorSteps.expired],
  hidden: [...ownSteps.hidden, ...moderatorSteps.hidden],
} as const satisfies LifeCycle<ListingStatus>;

/** Who takes a step. The clock does what owners may. */
const stepsOf = { owner: ownSteps, moderator: moderatorSteps } as const;
type Mover = keyof typeof stepsOf;

/** Whether it is on the site. */
export const isLive = ({ status }: { status: ListingStatus }) => status === 'active';

/** Whether moderators have taken it from the site. */
export const isHidden = ({ status }: { status: ListingStatus }) => status === 'hidden';

type Listing = { id: string; status: ListingStatus };

/** Whether its owner or the clock can bring it there. */
export const canBecome = ({ status }: { status: ListingStatus }, to: ListingStatus) => mayBecome<ListingStatus>(ownSteps, status, to);

/** Why a listing cannot be reactivated. */
export const refusalOf = ({ status }: { status: ListingStatus }) => (isHidden({ status }) ? 'listing_hidden' : 'listing_already_active');

/** From where owners and the clock bring a listing into this state. */
export const statusesBefore = (status: ListingStatus) => statesBefore<ListingStatus>(ownSteps, status);

/** A state that the database chooses for each listing, among these. */
type Chosen = { among: readonly ListingStatus[]; by: RawBuilder<ListingStatus> };

/** Takes one listing along the table for its owner, with what else changes by it. False where the table has no such step: then nothing was changed. */
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
 * Takes several listings along the table in one statement: the triggers then take the rows of all counters in their order, and
 * never wait for each other in a circle with somebody else's. Resolves to those that were moved: the table has no such step for the others.
 */
export function moveAllTo(
  tx: Tx,
  listings: readonly { id: string }[],
  to: ListingStatus | Chosen,
  by: Mover,
  also: { hidden_from?: RawBuilder<Exclude<ListingStatus, 'hidden'>> | null } = {},
): Promise<{ id: string }[]> {
  const [among, status] = typeof to === 'string' ? [[to], to] : [to.among, to.by];
  const from = statesBefore<ListingStatus>(stepsOf[by], ...among);
  if (listings.length === 0 || from.length === 0) return Promise.resolve([]);
  return tx
    .updateTable('listings')
    .set({
      ...also,
      status,
      updated_at: sql<Date>`now()`,
      // Stays as it is. Where no generated column can have changed, PostgreSQL reads the expressions of all of them from its catalogue anew for each row.
      base_locality_code: sql.ref('listings.base_locality_code'),
    })
    .where('id', '=', sql<string>`any(${listings.map(({ id }) => id)}::uuid[])`)
    .where('status', 'in', from)
    .returning('id')
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
