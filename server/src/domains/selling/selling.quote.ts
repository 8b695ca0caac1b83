import { dateText } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { isHidden, isLive } from '../listings/listings.service.ts';
import * as planService from '../plans/plans.service.ts';
import { coveringSubscription, freeCover, getOwn, timeZoneOf } from './selling.cover.ts';

/** What a change of plan (of an active listing) or a reactivation (of another one) would cost now. */
export async function quote({ db, clock }: Context, viewer: Viewer, listingId: string, planId: string) {
  const listing = await getOwn(db, listingId, viewer);
  const plan = await planService.getPlan(db, planId);
  const now = clock.now();
  const { currency } = markets[listing.country];
  const timeZone = timeZoneOf(listing);
  if (isLive(listing)) {
    const { endDate, ...change } = planService.quoteChange(await coveringSubscription(db, listing), plan, now);
    return { ...change, currency, endDate: endDate.toISOString(), timeZone, free: null };
  }
  if (isHidden(listing)) throw new AppError('listing_hidden');
  const cover = await freeCover(db, listing, now);
  if (cover) {
    const reason = `Your ${plans[cover.plan_type].name} plan runs until ${dateText(cover.ends_at, timeZone)} and covers this listing. Nothing to pay.`;
    return { amount: 0, currency, reason, endDate: cover.ends_at.toISOString(), timeZone, free: null };
  }
  const { name, priceMinor } = plans[plan.planType];
  const endDate = planService.endOfNewPeriod(now).toISOString();
  const businessNumber = listing.business_number ?? undefined;
  const free = await planService.freeMonthOf(db, viewer.id, { planType: plan.planType, businessNumber, now });
  if (free) {
    const { source, needs } = free;
    const reason = `Your free month pays for ${subscriptionDays} days of ${name}. Nothing to pay.`;
    return { amount: 0, currency, reason, endDate, timeZone, free: { source, needs } };
  }
  return { amount: priceMinor, currency, reason: `${name} for a new period of ${subscriptionDays} days.`, endDate, timeZone, free: null };
}
