import { dayMs } from '@handwise/contract/dates';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';

/** The end of a period that starts now. */
export const periodEnd = (startsAt: Date) => new Date(startsAt.getTime() + subscriptionDays * dayMs);

/** Whole days left of what was paid from then on, 0 after its end. A server's clock may be behind that of the one that sold it. */
export const wholeDaysLeft = (endsAt: Date, now: Date, paidFrom: Date) =>
  Math.max(0, Math.floor((endsAt.getTime() - Math.max(now.getTime(), paidFrom.getTime())) / dayMs));

const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;

/**
 * The price of a plan change: the new plan less the unused part of what the old one was bought for, in whole cents, at least 0. `reason` explains it.
 */
export function calculateChangePrice(
  from: PlanType,
  to: PlanType,
  daysLeft: number,
  boughtMinor: number = plans[from].priceMinor,
): { amount: number; reason: string } {
  const unused = (boughtMinor * daysLeft) / subscriptionDays;
  const amount = Math.max(0, Math.round(plans[to].priceMinor - unused));
  const days = `${daysLeft} unused ${daysLeft === 1 ? 'day' : 'days'} of ${plans[from].name}`;
  const reason = `${plans[to].name} ${dollars(plans[to].priceMinor)} less ${dollars(Math.round(unused))} for ${days}.`;
  return { amount, reason: amount === 0 ? `${reason} Nothing to pay.` : reason };
}

/** The price of a change from a free period: the full new plan, because nothing was paid for the old one. */
export function calculateFreeChangePrice(from: PlanType, to: PlanType): { amount: number; reason: string } {
  const { name, priceMinor } = plans[to];
  return { amount: priceMinor, reason: `${name} ${dollars(priceMinor)}. A free month of ${plans[from].name} takes nothing off it.` };
}

/** Why a plan has too few slots for the listings; undefined if it has enough. */
export function planTooSmallReason(planType: PlanType, listings: number): string | undefined {
  const { slots } = plans[planType];
  return listings > slots ? `This plan covers ${slots} listing(s); you have ${listings}.` : undefined;
}
