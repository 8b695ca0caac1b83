import { timeZoneOfRegion } from '@handwise/contract/places/regions';
import { plans } from '@handwise/contract/plans/table';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { moveUnder } from '../listings/listings.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import * as queries from './selling.queries.ts';
import type { OwnListing } from './selling.queries.ts';

/** Throws `listing_not_found`, also for somebody else's. */
export async function getOwn(db: Reader, id: string, viewer: Viewer): Promise<OwnListing> {
  const listing = await queries.findOwn(db, id, viewer.id);
  if (!listing) throw new AppError('listing_not_found');
  return listing;
}

/** A running subscription that would bring the listing back at no cost: its own, or another one with a free slot. */
export async function freeCover(db: Reader, listing: OwnListing, now: Date): Promise<SubscriptionRow | undefined> {
  const own = await planService.findSubscription(db, listing.subscription_id);
  if (own && planService.isRunning(own, now)) return own;
  return planService.findFreeSlot(db, listing.seller_id, now, listing.country);
}

export const timeZoneOf = (listing: OwnListing) => timeZoneOfRegion(listing.region_code, listing.country);

/** The columns of a listing that follow its subscription. */
export const underSubscription = (row: SubscriptionRow) => ({
  subscription_id: row.id,
  subscription_ends_at: row.ends_at,
  plan_rank: plans[row.plan_type].rank,
});

export async function coveringSubscription(db: Reader, listing: OwnListing): Promise<SubscriptionRow> {
  const subscription = await planService.findSubscription(db, listing.subscription_id);
  if (!subscription) throw new Error(`listing ${listing.id} has no subscription`);
  return subscription;
}

/** Moves all listings of one subscription under another; those that had expired come back. */
export async function moveAll(tx: Tx, from: SubscriptionRow, to: SubscriptionRow): Promise<string[]> {
  const ids = (await queries.lockOfSubscription(tx, from.id)).map(({ id }) => id);
  await moveUnder(tx, ids, underSubscription(to));
  return ids;
}
