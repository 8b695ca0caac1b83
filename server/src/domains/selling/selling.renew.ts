import { plans } from '@handwise/contract/plans/table';
import type { ChargeOutcome } from '@handwise/contract/selling/calls';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { canBecome, isLive, moveTo, refusalOf } from '../listings/listings.service.ts';
import type { Payments } from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import { charge, chooseBoth, nothingCharged, type WaysToPay } from './selling.charge.ts';
import { showOwn, tell } from './selling.answer.ts';
import { coveringSubscription, freeCover, getOwn, moveAll, underSubscription } from './selling.cover.ts';
import * as queries from './selling.queries.ts';

type Choice = { planId?: string | null | undefined; by: WaysToPay };

/** Changes the plan of the subscription that covers the listing, with all its listings. Throws `listing_not_active`, `plan_too_small`. */
export async function changePlan(
  context: Context,
  payments: Payments,
  viewer: Viewer,
  id: string,
  choice: Choice & { planId: string },
): Promise<ChargeOutcome> {
  const { db, clock } = context;
  const listing = await getOwn(db, id, viewer);
  if (!isLive(listing)) throw new AppError('listing_not_active');
  const plan = await planService.getPlan(db, choice.planId);
  const { amount } = planService.quoteChange(await coveringSubscription(db, listing), plan, clock.now());
  const message = 'Plan updated successfully';
  if (amount > 0) {
    return charge(context, payments, viewer, { listing, plan, amount, purpose: 'plan_change', by: choice.by, message });
  }
  const moved = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const now = clock.now();
    const current = await queries.lockOwn(tx, id, viewer.id);
    const old = current && (await planService.lockSubscription(tx, current.subscription_id));
    // Worked out again under lock: a day may have passed, or another request may have been quicker.
    // It is there already: what a browser asks whose first answer was lost.
    if (old && planService.hasJustBegun(old, plan, now)) return [];
    if (!current || !old || planService.quoteChange(old, plan, now).amount > 0) throw new AppError('payment_processing');
    const outcome = await planService.replace(tx, old, { plan }, now);
    if ('refusal' in outcome) throw new AppError('plan_too_small', { message: outcome.refusal });
    return moveAll(tx, old, outcome.subscription);
  });
  tell(context, moved);
  return { ...nothingCharged, message, listing: await showOwn(context, id, viewer) };
}

/** Brings an inactive or expired listing back, free where a subscription or a free month covers it. Throws `listing_already_active`. */
export async function reactivate(context: Context, payments: Payments, viewer: Viewer, id: string, choice: Choice): Promise<ChargeOutcome> {
  const { db, clock } = context;
  const message = 'Listing reactivated successfully';
  const back = async () => {
    tell(context, [id]);
    return { ...nothingCharged, message, listing: await showOwn(context, id, viewer) };
  };
  const isDone = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const listing = await queries.lockOwn(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (!canBecome(listing, 'active')) throw new AppError(refusalOf(listing));
    const free = await freeCover(tx, listing, clock.now());
    return free !== undefined && moveTo(tx, listing, 'active', underSubscription(free));
  });
  if (isDone) return back();
  if (!choice.planId) throw chooseBoth('planId');
  const listing = await getOwn(db, id, viewer);
  const plan = await planService.getPlan(db, choice.planId);
  const isFree = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const current = await queries.lockOwn(tx, id, viewer.id);
    if (!current) throw new AppError('listing_not_found');
    if (!canBecome(current, 'active')) throw new AppError(refusalOf(current));
    const terms = { plan, country: current.country, businessNumber: current.business_number ?? undefined, now: clock.now() };
    if (!(await planService.freeMonthOf(tx, viewer.id, { ...terms, planType: plan.planType }))) return false;
    const subscription = await planService.startFreeMonth(tx, viewer.id, terms);
    return moveTo(tx, current, 'active', underSubscription(subscription));
  });
  if (isFree) return back();
  const amount = plans[plan.planType].priceMinor;
  return charge(context, payments, viewer, { listing, plan, amount, purpose: 'reactivation', by: choice.by, message });
}
