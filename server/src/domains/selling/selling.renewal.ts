import { formatDate } from '@handwise/contract/dates';
import { findCategoryByCode } from '@handwise/contract/listings/categories';
import { markets } from '@handwise/contract/markets';
import type { Plan } from '@handwise/contract/plans/calls';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { ChargeOutcome } from '@handwise/contract/selling/calls';
import { findClosedProblem } from '@handwise/contract/site/open';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import {
  canBecome,
  isHidden,
  isLive,
  listUnhiddenListings,
  transitionListing,
  getReactivationError,
} from '../listings/listings.service.ts';
import {
  type ChargeResult,
  type PaymentMethodInput,
  type PaymentStart,
  type Payments,
  findCard,
  findOpenChange,
  insertPayment,
  parsePaymentMethod,
  chargePayment,
  collectPayment,
  payOpenPayment,
} from '../payments/payments.service.ts';
import * as planService from '../plans/plans.service.ts';
import { checkLicenceAnswer } from '../registers/registers.service.ts';
import {
  findFreeCover,
  getCoveringSubscription,
  getOwnListing,
  getOwnRow,
  publishListingChange,
  replacePlanAndMoveListings,
  subscriptionColumns,
  timeZoneOfListing,
} from './selling.own-listing.ts';
import { type OwnListing, lockOwnListing } from './selling.queries.ts';

const nothingCharged = { status: 'done', amount: 0, clientSecret: null, paymentIntentId: null } as const;

const missingChoiceError = (field: 'planId' | 'paymentId') => invalidField(field, 'Please select a plan and payment method');

type ListingCharge = {
  listing: OwnListing;
  plan: Plan;
  amount: number;
  purpose: 'plan_change' | 'reactivation';
  by: PaymentChoice;
  message: string;
};

/** A saved card or another payment method, and the URL that the bank returns to. */
type PaymentChoice = PaymentMethodInput & { saveCard?: boolean | undefined; returnUrl: string };

/**
 * Charges a saved or new card for a listing. A listing has one open payment: the same request continues with it, another choice cancels and
 * replaces it. `fulfil…` in `selling.service.ts` books what the money buys.
 */
async function chargeForListing(context: Context, payments: Payments, viewer: Viewer, wanted: ListingCharge): Promise<ChargeOutcome> {
  const { db } = context;
  const { listing, plan, amount, purpose } = wanted;
  const { saveCard = false, returnUrl, paymentId } = wanted.by;
  const method = parsePaymentMethod(wanted.by);
  // Exactly one of them is required.
  if (Boolean(method) === Boolean(paymentId)) throw missingChoiceError('paymentId');
  const card = paymentId ? await findCard(db, viewer.id, paymentId) : undefined;
  if (paymentId && !card) throw new AppError('card_not_found');
  const terms = {
    user_id: viewer.id,
    purpose,
    plan_id: plan._id,
    country: listing.country,
    listing_id: listing.id,
    replaces_id: purpose === 'plan_change' ? listing.subscription_id : null,
    card_id: card?.id ?? null,
    amount_minor: amount,
    currency: markets[listing.country].currency,
  } as const;
  const begin = () =>
    db.transaction().execute(async (tx): Promise<PaymentStart<ChargeResult | null>> => {
      await lockUser(tx, viewer.id);
      const now = await lockOwnListing(tx, listing.id, viewer.id);
      if (!now) throw new AppError('listing_not_found');
      const isDone = purpose === 'reactivation' ? !canBecome(now, 'active') : now.subscription_id !== listing.subscription_id;
      if (isDone) {
        // A concurrent request has finished: if it did the same, nothing is left to pay; otherwise the seller must not be told that their
        // choice succeeded.
        if (isLive(now) && now.plan_rank === plan.rank) return { answer: null };
        throw new AppError(purpose === 'reactivation' ? getReactivationError(now) : 'payment_processing');
      }
      if (purpose === 'plan_change' && !isLive(now)) throw new AppError('listing_not_active');
      const open = await findOpenChange(tx, listing.id, terms.replaces_id);
      if (open) return { open };
      // A payment that was begun before the trade closed goes on.
      if (purpose === 'plan_change') await checkPlanOpen(tx, now);
      else checkOpen(now);
      return { open: await insertPayment(tx, terms) };
    });
  const charged = await collectPayment(payments, terms, begin, async (payment) => {
    if (card) return chargePayment(payments, payment, card, returnUrl);
    return method && payOpenPayment(payments, payment, { method, saveCard, returnUrl });
  });
  if (charged?.status === 'done') publishListingChange(context, 'many');
  const messages = {
    done: wanted.message,
    requires_action: 'Your bank asks you to confirm this payment.',
    processing: 'Your bank is still processing this payment.',
  };
  return {
    ...nothingCharged,
    ...(charged && { ...charged, amount }),
    message: messages[charged?.status ?? 'done'],
    listing: await getOwnListing(context, listing.id, viewer),
  };
}

/** Throws `invalid_input` if the listing's trade or country takes no new listings. */
function checkOpen({ category_code: code, country }: OwnListing): void {
  const category = findCategoryByCode(code);
  const problem = category && findClosedProblem({ ...category, country });
  if (problem) throw invalidField('planId', problem);
}

/** Throws `invalid_input` if no listing of the active listing's plan is of an open trade and country; one is enough, as for a renewal. */
async function checkPlanOpen(db: Reader, listing: OwnListing): Promise<void> {
  if (!(await listUnhiddenListings(db, listing.subscription_id)).some(({ isOpen }) => isOpen)) checkOpen(listing);
}

type PlanChoice = { planId?: string | null | undefined; by: PaymentChoice };

/** Changes the plan of the subscription that covers the listing, with all its listings. Throws `listing_not_active`, `plan_too_small`. */
export async function changePlan(
  context: Context,
  payments: Payments,
  viewer: Viewer,
  id: string,
  choice: PlanChoice & { planId: string },
): Promise<ChargeOutcome> {
  const { db, clock } = context;
  const listing = await getOwnRow(db, id, viewer);
  if (!isLive(listing)) throw new AppError('listing_not_active');
  const plan = await planService.getPlan(db, choice.planId);
  const { amount } = planService.getChangePrice(await getCoveringSubscription(db, listing), plan, clock.now());
  const message = 'Plan updated successfully';
  if (amount > 0) {
    return chargeForListing(context, payments, viewer, { listing, plan, amount, purpose: 'plan_change', by: choice.by, message });
  }
  const moved = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const now = clock.now();
    const current = await lockOwnListing(tx, id, viewer.id);
    if (!current) throw new AppError('listing_not_found');
    const old = await planService.lockSubscription(tx, current.subscription_id);
    // Calculated again under lock, because a day may have passed or a concurrent request may have won. A repeated request after a lost
    // answer finds the plan just started.
    if (planService.hasJustStarted(old, plan, now)) return [];
    if (planService.getChangePrice(old, plan, now).amount > 0) throw new AppError('payment_processing');
    const outcome = await replacePlanAndMoveListings(context, tx, old, { plan, timeZone: timeZoneOfListing(current) });
    if ('rejection' in outcome) throw new AppError('plan_too_small', { message: outcome.rejection });
    return outcome.moved;
  });
  publishListingChange(context, moved);
  return { ...nothingCharged, message, listing: await getOwnListing(context, id, viewer) };
}

/** Reactivates an inactive or expired listing, for free if a subscription or a free month covers it. Throws `listing_already_active`. */
export async function reactivate(
  context: Context,
  payments: Payments,
  viewer: Viewer,
  id: string,
  choice: PlanChoice,
): Promise<ChargeOutcome> {
  const { db, clock } = context;
  const message = 'Listing reactivated successfully';
  const done = async () => {
    publishListingChange(context, [id]);
    return { ...nothingCharged, message, listing: await getOwnListing(context, id, viewer) };
  };
  const isDone = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const listing = await lockOwnListing(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (!canBecome(listing, 'active')) throw new AppError(getReactivationError(listing));
    // Before anything is paid.
    await checkLicenceAnswer(tx, listing);
    const free = await findFreeCover(tx, listing, clock.now());
    // What was bought for it runs on; anything else would be a new listing.
    if (free && free.id !== listing.subscription_id) checkOpen(listing);
    return free !== undefined && transitionListing(tx, listing, 'active', subscriptionColumns(free));
  });
  if (isDone) return done();
  if (!choice.planId) throw missingChoiceError('planId');
  const listing = await getOwnRow(db, id, viewer);
  const plan = await planService.getPlan(db, choice.planId);
  const isFree = await db.transaction().execute(async (tx) => {
    await lockUser(tx, viewer.id);
    const current = await lockOwnListing(tx, id, viewer.id);
    if (!current) throw new AppError('listing_not_found');
    if (!canBecome(current, 'active')) throw new AppError(getReactivationError(current));
    const terms = { plan, country: current.country, businessNumber: current.business_number ?? undefined, now: clock.now() };
    if (!(await planService.findFreeMonth(tx, viewer.id, { ...terms, planType: plan.planType }))) return false;
    checkOpen(current);
    const subscription = await planService.startFreeMonth(tx, viewer.id, terms);
    return transitionListing(tx, current, 'active', subscriptionColumns(subscription));
  });
  if (isFree) return done();
  const amount = plans[plan.planType].priceMinor;
  return chargeForListing(context, payments, viewer, { listing, plan, amount, purpose: 'reactivation', by: choice.by, message });
}

/** The price of a plan change (of an active listing) or a reactivation (of any other) now. */
export async function getPlanPrice({ db, clock }: Context, viewer: Viewer, listingId: string, planId: string) {
  const listing = await getOwnRow(db, listingId, viewer);
  const plan = await planService.getPlan(db, planId);
  const now = clock.now();
  const { currency } = markets[listing.country];
  const timeZone = timeZoneOfListing(listing);
  if (isLive(listing)) {
    const subscription = await getCoveringSubscription(db, listing);
    const { endDate, ...change } = planService.getChangePrice(subscription, plan, now);
    if (change.amount > 0) await checkPlanOpen(db, listing);
    const ended = planService.hasJustStarted(subscription, plan, now) ? undefined : await planService.findRenewal(db, subscription.id);
    const renewal =
      ended && planService.isRenewalPending(ended) ? { cardId: ended.card_id, amount: plans[plan.planType].priceMinor, currency } : null;
    return { ...change, currency, endDate: endDate.toISOString(), timeZone, free: null, renewal };
  }
  if (isHidden(listing)) throw new AppError('listing_hidden');
  const cover = await findFreeCover(db, listing, now);
  if (cover?.id !== listing.subscription_id) checkOpen(listing);
  if (cover) {
    const reason = `Your ${plans[cover.plan_type].name} plan runs until ${formatDate(cover.ends_at, timeZone)} and covers this listing. Nothing to pay.`;
    return { amount: 0, currency, reason, endDate: cover.ends_at.toISOString(), timeZone, free: null, renewal: null };
  }
  const { name, priceMinor } = plans[plan.planType];
  const endDate = planService.endOfNewPeriod(now).toISOString();
  const businessNumber = listing.business_number ?? undefined;
  const free = await planService.findFreeMonth(db, viewer.id, { planType: plan.planType, businessNumber, now });
  if (free) {
    const { source, needs } = free;
    const reason = `Your free month pays for ${subscriptionDays} days of ${name}. Nothing to pay.`;
    return { amount: 0, currency, reason, endDate, timeZone, free: { source, needs }, renewal: null };
  }
  const reason = `${name} for a new period of ${subscriptionDays} days.`;
  return { amount: priceMinor, currency, reason, endDate, timeZone, free: null, renewal: null };
}
