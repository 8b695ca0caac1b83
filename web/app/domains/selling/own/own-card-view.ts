import { dateText, daysBetween } from '@handwise/contract/dates';
import type { ListingCard, ListingStatus } from '@handwise/contract/listings/calls';
import { counted } from '@handwise/contract/numbers';
import type { PlanType } from '@handwise/contract/plans/calls';
import { type CardView, cardView } from '../../listings/card-view.ts';

export type OwnCardView = CardView & {
  number: number;
  status: ListingStatus;
  statusName: string;
  planName: string;
  /** "Ends in 12 days, on Dec 3, 2026" */
  ends: string;
};

const statusNames: Record<ListingStatus, string> = { active: 'Active', inactive: 'Inactive', expired: 'Expired', hidden: 'Hidden' };
const planNames: Record<PlanType, string> = { basic: 'Basic', premium: 'Premium', featured: 'Featured' };

/** How long a period still runs, in days of the calendar by the listing’s clocks, or when it was over. */
export function endOf(endsAt: string, now: Date, timeZone: string): string {
  const day = dateText(endsAt, timeZone);
  if (Date.parse(endsAt) <= now.getTime()) return `Ended on ${day}`;
  const left = daysBetween(now, new Date(endsAt), timeZone);
  if (left < 2) return `Ends ${left === 1 ? 'tomorrow' : 'today'}, on ${day}`;
  return `Ends in ${counted(left, 'day')}, on ${day}`;
}

export const ownCardView = (listing: ListingCard, now: Date): OwnCardView => ({
  ...cardView(listing),
  number: listing.listingNumber,
  status: listing.status,
  statusName: statusNames[listing.status],
  planName: planNames[listing.plan.planType],
  ends: endOf(listing.subscriptionEndDate, now, listing.timeZone),
});
