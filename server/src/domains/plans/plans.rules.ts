import { dayMs } from '@handwise/contract/dates';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { PlanType } from '@handwise/contract/plans/calls';

/** When a period ends that begins now. */
export const periodEnd = (startsAt: Date) => new Date(startsAt.getTime() + subscriptionDays * dayMs);

/** Whole days that are left of a period, 0 after its end. */
export const wholeDaysLeft = (endsAt: Date, now: Date) =>
  Math.min(subscriptionDays, Math.max(0, Math.floor((endsAt.getTime() - now.getTime()) / dayMs)));

/** What a plan that still runs for so many days is worth, in cents, not rounded. */
const unusedPart = (planType: PlanType, daysLeft: number) => (plans[planType].priceMinor * daysLeft) / subscriptionDays;

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

/**
 * What a change of plan costs: the new plan less the unused part of the old one, in cents, rounded, never below 0. `reason`
 * shows how it came about.
 */
export function changeQuote(from: PlanType, to: PlanType, daysLeft: number): { amount: number; reason: string } {
  const unused = unusedPart(from, daysLeft);
  const amount = Math.max(0, Math.round(plans[to].priceMinor - unused));
  const days = `${daysLeft} unused ${daysLeft === 1 ? 'day' : 'days'} of ${plans[from].name}`;
  const reason = `${plans[to].name} ${dollars(plans[to].priceMinor)} less ${dollars(Math.round(unused))} for ${days}.`;
  return { amount, reason: amount === 0 ? `${reason} Nothing to pay.` : reason };
}

/** What a change from a free period costs: all of the new plan, because nothing was paid for what is given up. */
export function changeQuoteFromFree(from: PlanType, to: PlanType): { amount: number; reason: string } {
  const { name, priceMinor } = plans[to];
  return { amount: priceMinor, reason: `${name} ${dollars(priceMinor)}. A free month of ${plans[from].name} takes nothing off it.` };
}

/** Why a plan is refused that has fewer slots than there are listings; undefined where it fits. */
export function tooSmallFor(planType: PlanType, listings: number): string | undefined {
  const { slots } = plans[planType];
  return listings > slots ? `This plan covers ${slots} listing(s); you have ${listings}.` : undefined;
}
