import { timeZoneOfRegion } from '@handwise/contract/places';
import { plans } from '@handwise/contract/plans';
import type { Db, Tx } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import * as queries from './selling.queries.ts';
import type { OwnListing } from './selling.queries.ts';

/** Throws `listing_not_found`, also for somebody else's. */
export async function getOwn(db: Db, id: string, viewer: Viewer): Promise<OwnListing> {
  const listing = await queries.findOwn(db, id, viewer.id);
  if (!listing) throw new AppError('listing_not_found');
  return listing;
}

/** A running subscription that would bring the listing back at no cost: its own, or another one with a free slot. */
export async function freeCover(db: Db | Tx, listing: OwnListing): Promise<SubscriptionRow | undefined> {
  const own = await planService.findSubscription(db, listing.subscription_id);
  if (own && !own.replaced_by && own.ends_at.getTime() > Date.now()) return own;
  return planService.findFreeSlot(db, listing.seller_id, listing.country);
}

export const timeZoneOf = (listing: OwnListing) => timeZoneOfRegion(listing.region_code, listing.country);

/** The columns of a listing that follow its subscription. */
export const underSubscription = (row: SubscriptionRow) => ({
  subscription_id: row.id,
  subscription_ends_at: row.ends_at,
  plan_rank: plans[row.plan_type].rank,
});

export async function coveringSubscription(db: Db | Tx, listing: OwnListing): Promise<SubscriptionRow> {
  const subscription = await planService.findSubscription(db, listing.subscription_id);
  if (!subscription) throw new Error(`listing ${listing.id} has no subscription`);
  return subscription;
}

/** Moves all listings of one subscription under another. */
export const moveAll = (tx: Tx, from: SubscriptionRow, to: SubscriptionRow) =>
  queries.moveListings(tx, from.id, { id: to.id, rank: plans[to.plan_type].rank, endsAt: to.ends_at });
