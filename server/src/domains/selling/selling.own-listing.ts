import type { Listing } from '@handwise/contract/listings/calls';
import { getRegionTimeZone } from '@handwise/contract/places/regions';
import type { Plan } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { getListing, assignSubscription } from '../listings/listings.service.ts';
import type { Payment } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import { newestReviews } from '../reviews/reviews.service.ts';
import { type OwnListing, findOwnListing, lockListingsOfSubscription } from './selling.queries.ts';

/** Publishes the seller's own changes at once, so that their next search includes them; other servers are notified by the database. */
export const publishListingChange = ({ events }: Context, ids: readonly string[] | 'many') => events.emit('listings', ids);

export const getOwnListing = ({ db }: Context, id: string, viewer: Viewer): Promise<Listing> => getListing(db, id, viewer, newestReviews);

/** Throws `listing_not_found`, also for another seller's listing. */
export async function getOwnRow(db: Reader, id: string, viewer: Viewer): Promise<OwnListing> {
  const listing = await findOwnListing(db, id, viewer.id);
  if (!listing) throw new AppError('listing_not_found');
  return listing;
}

/** A running subscription that covers the listing for free: its own, or another one with a free slot. */
export async function findFreeCover(db: Reader, listing: OwnListing, now: Date): Promise<SubscriptionRow | undefined> {
  const own = await planService.getSubscription(db, listing.subscription_id);
  if (planService.isRunning(own, now)) return own;
  return planService.findFreeSlot(db, listing.seller_id, now, listing.country);
}

export const timeZoneOfListing = (listing: OwnListing) => getRegionTimeZone(listing.region_code, listing.country);

export const subscriptionColumns = (row: SubscriptionRow) => ({
  subscription_id: row.id,
  subscription_ends_at: row.ends_at,
  plan_rank: plans[row.plan_type].rank,
});

export const getCoveringSubscription = (db: Reader, listing: OwnListing) => planService.getSubscription(db, listing.subscription_id);

/** Moves all listings of a subscription to another one; expired ones become active. */
export async function moveListings(tx: Tx, from: SubscriptionRow, to: SubscriptionRow): Promise<string[]> {
  const ids = (await lockListingsOfSubscription(tx, from.id)).map(({ id }) => id);
  await assignSubscription(tx, ids, subscriptionColumns(to));
  return ids;
}

/**
 * Changes the plan of a subscription with all its listings, and emails the seller if a renewal ended with it. The user and the
 * subscription must be locked. Returns a rejection when it is no longer possible; then nothing was changed.
 */
export async function replacePlanAndMoveListings(
  context: Context,
  tx: Tx,
  old: SubscriptionRow,
  { timeZone, ...by }: { timeZone: string } & ({ payment: Payment } | { plan: Plan }),
): Promise<{ subscription: SubscriptionRow; moved: string[] } | { rejection: string }> {
  const outcome = await planService.replacePlan(tx, old, by, context.clock.now());
  if ('rejection' in outcome) return outcome;
  const { subscription, hasEndedRenewal } = outcome;
  const moved = await moveListings(tx, old, subscription);
  if (hasEndedRenewal) await planService.emailRenewalEnded(context, tx, { old, next: subscription, timeZone });
  return { subscription, moved };
}
