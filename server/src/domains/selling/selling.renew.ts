import { plans } from '@handwise/contract/plans';
import type { ChargeOutcome } from '@handwise/contract/selling';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import * as planService from '../plans/plans.service.ts';
import { charge, chooseBoth, nothingCharged } from './selling.charge.ts';
import { type Selling, showOwn, tell } from './selling.context.ts';
import { coveringSubscription, freeCover, getOwn, moveAll, underSubscription } from './selling.cover.ts';
import * as queries from './selling.queries.ts';

type Choice = { planId?: string | null | undefined; cardId?: string | null | undefined };

/** Changes the plan of the subscription that covers the listing, with all its listings. Throws `listing_not_active`, `plan_too_small`. */
export async function changePlan(
  selling: Selling,
  viewer: Viewer,
  id: string,
  choice: Choice & { planId: string },
): Promise<ChargeOutcome> {
  const { checkout, events } = selling;
  const { db } = checkout;
  const listing = await getOwn(db, id, viewer);
  if (listing.status !== 'active') throw new AppError('listing_not_active');
  const plan = await planService.getPlan(db, choice.planId);
  const { amount } = planService.quoteChange(await coveringSubscription(db, listing), plan);
  const message = 'Plan updated successfully';
  if (amount > 0) {
    return charge(selling, viewer, { listing, plan, amount, purpose: 'plan_change', cardId: choice.cardId, message });
  }
  const moved = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const current = await queries.lockOwn(tx, id, viewer.id);
    const old = current && (await planService.lockSubscription(tx, current.subscription_id));
    // Worked out again under lock: a day may have passed, or another request may have been quicker.
    // It is there already: what a browser asks whose first answer was lost.
    if (old && planService.hasJustBegun(old, plan)) return [];
    if (!current || !old || planService.quoteChange(old, plan).amount > 0) throw new AppError('payment_processing');
    const outcome = await planService.replace(tx, old, { plan });
    if ('refusal' in outcome) throw new AppError('plan_too_small', { message: outcome.refusal });
    return moveAll(tx, old, outcome.subscription);
  });
  tell(events, moved);
  return { ...nothingCharged, message, listing: await showOwn(db, id, viewer) };
}

/** Brings an inactive or expired listing back, free where a subscription covers it. Throws `listing_already_active`. */
export async function reactivate(selling: Selling, viewer: Viewer, id: string, choice: Choice): Promise<ChargeOutcome> {
  const { checkout, events } = selling;
  const { db } = checkout;
  const message = 'Listing reactivated successfully';
  const isDone = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const listing = await queries.lockOwn(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (listing.status === 'active') throw new AppError('listing_already_active');
    const free = await freeCover(tx, listing);
    if (free) await queries.updateListing(tx, id, { status: 'active', ...underSubscription(free) });
    return free !== undefined;
  });
  if (isDone) {
    tell(events, [id]);
    return { ...nothingCharged, message, listing: await showOwn(db, id, viewer) };
  }
  if (!choice.planId) throw chooseBoth('planId');
  const listing = await getOwn(db, id, viewer);
  const plan = await planService.getPlan(db, choice.planId);
  const amount = plans[plan.planType].priceMinor;
  return charge(selling, viewer, { listing, plan, amount, purpose: 'reactivation', cardId: choice.cardId, message });
}
