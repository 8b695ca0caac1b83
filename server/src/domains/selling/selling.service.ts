import type { Listing, ListingPage, ListingStatus } from '@handwise/contract/listings/calls';
import { markets } from '@handwise/contract/markets';
import { myListingsPageSize } from '@handwise/contract/selling/calls';
import type { Context } from '../../kit/context.ts';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, loadMailAddresses } from '../accounts/accounts.service.ts';
import { toListingPage, canBecome, isHidden, transitionListing } from '../listings/listings.service.ts';
import type { Fulfilment, Payment } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import type { Published } from './selling.context.ts';
import { listingLiveEmail } from './selling.emails.ts';
import {
  getOwnListing,
  publishListingChange,
  replacePlanAndMoveListings,
  subscriptionColumns,
  timeZoneOfListing,
} from './selling.own-listing.ts';
import { findOwnListing, listOwnListings, lockOwnListing } from './selling.queries.ts';
export type { SellingHooks } from './selling.context.ts';

export { endListings, endReturnedPlan } from './selling.ending.ts';
export { tellOfLicences } from './selling.licences.ts';
export { moveListings } from './selling.own-listing.ts';
export { noteListingsEnded } from './selling.queries.ts';

/** The user's own listings, by status and newest first; of one status if it is given. */
export async function listMyListings(
  db: Db,
  sellerId: string,
  search: { page?: number | undefined; limit?: number | undefined; status?: ListingStatus | 'all' | undefined },
): Promise<ListingPage> {
  const { page = 1, limit = myListingsPageSize, status = 'all' } = search;
  const { rows, total } = await listOwnListings(db, sellerId, status === 'all' ? null : status, { skip: (page - 1) * limit, take: limit });
  return toListingPage(rows, total, { page, take: limit });
}

/** Deactivates the user's own active listing. Throws `listing_not_active`. */
export async function deactivate(context: Context, viewer: Viewer, id: string): Promise<Listing> {
  await context.db.transaction().execute(async (tx) => {
    const listing = await lockOwnListing(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (!(await transitionListing(tx, listing, 'inactive'))) throw new AppError('listing_not_active');
  });
  publishListingChange(context, [id]);
  return getOwnListing(context, id, viewer);
}

export async function fulfilPlanChange(context: Context, tx: Tx, payment: Payment): Promise<Fulfilment> {
  const old = payment.replaces_id ? await planService.lockSubscription(tx, payment.replaces_id) : undefined;
  if (!old) return { refund: 'The plan you wanted to change no longer exists.' };
  const listing = payment.listing_id ? await findOwnListing(tx, payment.listing_id, payment.user_id) : undefined;
  const timeZone = listing ? timeZoneOfListing(listing) : markets[payment.country].timeZone;
  const outcome = await replacePlanAndMoveListings(context, tx, old, { payment, timeZone });
  return 'rejection' in outcome ? { refund: outcome.rejection } : planService.toFulfilment(outcome.subscription, timeZone);
}

export async function fulfilReactivation(tx: Tx, payment: Payment, now: Date): Promise<Fulfilment> {
  const listing = payment.listing_id ? await lockOwnListing(tx, payment.listing_id, payment.user_id) : undefined;
  if (!listing) return { refund: 'The listing no longer exists.' };
  if (!canBecome(listing, 'active'))
    return { refund: isHidden(listing) ? 'The listing was hidden by moderators.' : 'The listing was already active.' };
  const subscription = await planService.startPaidSubscription(tx, payment, now);
  await transitionListing(tx, listing, 'active', subscriptionColumns(subscription));
  return planService.toFulfilment(subscription, timeZoneOfListing(listing));
}

/** Emails the seller that the listing is live, in the transaction that publishes it. */
export async function emailListingLive({ jobs, appUrl }: Context, tx: Tx, published: Published): Promise<void> {
  const seller = await findContact(tx, published.sellerId);
  const to = (await loadMailAddresses(tx, [seller.id]))(seller, published.businessEmail);
  await jobs.send(tx, sendMail, listingLiveEmail({ to, name: seller.full_name, appUrl }, published));
}
