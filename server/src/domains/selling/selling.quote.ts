import { dateText } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { plans } from '@handwise/contract/plans';
import type { Db } from '../../kit/database.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import * as planService from '../plans/plans.service.ts';
import { coveringSubscription, freeCover, getOwn, timeZoneOf } from './selling.cover.ts';

/** What a change of plan (of an active listing) or a reactivation (of another one) would cost now. */
export async function quote(db: Db, viewer: Viewer, listingId: string, planId: string) {
  const listing = await getOwn(db, listingId, viewer);
  const plan = await planService.getPlan(db, planId);
  const { currency } = markets[listing.country];
  const timeZone = timeZoneOf(listing);
  if (listing.status === 'active') {
    const { endDate, ...change } = planService.quoteChange(await coveringSubscription(db, listing), plan);
    return { ...change, currency, endDate: endDate.toISOString(), timeZone };
  }
  const free = await freeCover(db, listing);
  if (free) {
    const reason = `Your ${plans[free.plan_type].name} plan runs until ${dateText(free.ends_at, timeZone)} and covers this listing. Nothing to pay.`;
    return { amount: 0, currency, reason, endDate: free.ends_at.toISOString(), timeZone };
  }
  const { name, priceMinor } = plans[plan.planType];
  const endDate = planService.endOfNewPeriod().toISOString();
  return { amount: priceMinor, currency, reason: `${name} for a new period of 30 days.`, endDate, timeZone };
}
