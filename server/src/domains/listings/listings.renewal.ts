import { dateText } from '@handwise/contract/dates';
import type { ChargeOutcome, Listing } from '@handwise/contract/listings';
import { markets } from '@handwise/contract/markets';
import { timeZoneOfRegion } from '@handwise/contract/places';
import { type Plan, plans } from '@handwise/contract/plans';
import type { Db, Tx } from '../../kit/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import type { Fulfilment, Payment } from '../payments/payments.service.ts';
import * as payments from '../payments/payments.service.ts';
import type { SubscriptionRow } from '../plans/plans.service.ts';
import * as planService from '../plans/plans.service.ts';
import type { Selling } from './listings.create.ts';
import type { OwnListing } from './listings.owner-queries.ts';
import * as queries from './listings.owner-queries.ts';
import { getListing } from './listings.service.ts';

async function getOwn(db: Db, id: string, viewer: Viewer): Promise<OwnListing> {
  const listing = await queries.findOwn(db, id, viewer.id);
  if (!listing) throw new AppError('listing_not_found');
  return listing;
}

/** Takes one's active listing out of the search. Throws `listing_not_active`. */
export async function deactivate({ checkout, events }: Selling, viewer: Viewer, id: string): Promise<Listing> {
  await checkout.db.transaction().execute(async (tx) => {
    const listing = await queries.lockOwn(tx, id, viewer.id);
    if (!listing) throw new AppError('listing_not_found');
    if (listing.status !== 'active') throw new AppError('listing_not_active');
    await queries.updateListing(tx, id, { status: 'inactive' });
  });
  events.emit('listings', [id]);
  return getListing(checkout.db, id, viewer);
}

/** A running subscription that would bring the listing back at no cost: its own, or another one with a free slot. */
async function freeCover(db: Db | Tx, listing: OwnListing): Promise<SubscriptionRow | undefined> {
  const own = await planService.findSubscription(db, listing.subscription_id);
  if (own && !own.replaced_by && own.ends_at.getTime() > Date.now()) return own;
  return planService.findFreeSlot(db, listing.seller_id, listing.country);
}

const timeZoneOf = (listing: OwnListing) => timeZoneOfRegion(listing.region_code, listing.country);

const underSubscription = (row: SubscriptionRow) => ({
  subscription_id: row.id,
  subscription_ends_at: row.ends_at,
  plan_rank: plans[row.plan_type].rank,
});

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

async function coveringSubscription(db: Db | Tx, listing: OwnListing): Promise<SubscriptionRow> {
  const subscription = await planService.findSubscription(db, listing.subscription_id);
  if (!subscription) throw new Error(`listing ${listing.id} has no subscription`);
  return subscription;
}

const nothingCharged = { status: 'done', amount: 0, clientSecret: null, paymentIntentId: null } as const;

type Choice = { planId?: string | null | undefined; cardId?: string | null | undefined };

const chooseBoth = (field: 'planId' | 'paymentId') => invalidField(field, 'Please select a plan and payment method');

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
  events.emit('listings', moved);
  return { ...nothingCharged, message, listing: await getListing(db, id, viewer) };
}

const moveAll = (tx: Tx, from: SubscriptionRow, to: SubscriptionRow) =>
  queries.moveListings(tx, from.id, { id: to.id, rank: plans[to.plan_type].rank, endsAt: to.ends_at });

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
    events.emit('listings', [id]);
    return { ...nothingCharged, message, listing: await getListing(db, id, viewer) };
  }
  if (!choice.planId) throw chooseBoth('planId');
  const listing = await getOwn(db, id, viewer);
  const plan = await planService.getPlan(db, choice.planId);
  const amount = plans[plan.planType].priceMinor;
  return charge(selling, viewer, { listing, plan, amount, purpose: 'reactivation', cardId: choice.cardId, message });
}

type Charge = {
  listing: OwnListing;
  plan: Plan;
  amount: number;
  purpose: 'plan_change' | 'reactivation';
  cardId: string | null | undefined;
  message: string;
};

/**
 * Charges a saved card for a listing. A listing has one open payment at a time: the same request sent again goes on with it,
 * another choice takes its place once it is given up. What the money buys is booked by `fulfil…` below.
 */
async function charge(selling: Selling, viewer: Viewer, wanted: Charge): Promise<ChargeOutcome> {
  const { checkout, events } = selling;
  const { db } = checkout;
  const { listing, plan, amount, purpose } = wanted;
  if (!wanted.cardId) throw chooseBoth('paymentId');
  const card = await payments.findCard(db, viewer.id, wanted.cardId);
  if (!card) throw new AppError('card_not_found');
  const terms = {
    user_id: viewer.id,
    purpose,
    plan_id: plan._id,
    country: listing.country,
    listing_id: listing.id,
    replaces_id: purpose === 'plan_change' ? listing.subscription_id : null,
    card_id: card.id,
    amount_minor: amount,
    currency: markets[listing.country].currency,
  } as const;
  const isSame = (open: Payment) => (Object.keys(terms) as (keyof typeof terms)[]).every((name) => open[name] === terms[name]);

  for (let turn = 0; turn < 4; turn += 1) {
    const payment = await db.transaction().execute(async (tx) => {
      await lockUser(tx, viewer.id);
      const now = await queries.lockOwn(tx, listing.id, viewer.id);
      if (!now) throw new AppError('listing_not_found');
      const isDone = purpose === 'reactivation' ? now.status === 'active' : now.subscription_id !== listing.subscription_id;
      if (isDone) {
        // Another request has finished the very thing meanwhile: nothing is left to pay. Or something else, and then
        // nobody is told that they got what they chose.
        if (now.status === 'active' && now.plan_rank === plan.rank) return null;
        throw new AppError(purpose === 'reactivation' ? 'listing_already_active' : 'payment_processing');
      }
      if (purpose === 'plan_change' && now.status !== 'active') throw new AppError('listing_not_active');
      return (await payments.findOpenChange(tx, listing.id, terms.replaces_id)) ?? payments.insertPayment(tx, terms);
    });
    if (!payment) return { ...nothingCharged, message: wanted.message, listing: await getListing(db, listing.id, viewer) };
    if (!isSame(payment)) {
      await payments.giveUp(checkout, payment, 'canceled');
      continue;
    }
    const intent = await payments.chargeCard(checkout, payment, card);
    const shown = {
      amount,
      listing: await getListing(db, listing.id, viewer),
      clientSecret: intent.client_secret,
      paymentIntentId: intent.id,
    };
    if (intent.status === 'requires_action') {
      return { ...shown, status: 'requires_action', message: 'Your bank asks you to confirm this payment.' };
    }
    if (intent.status === 'processing') return { ...shown, status: 'processing', message: 'Your bank is still processing this payment.' };
    if (intent.status !== 'succeeded') {
      // The cardholder did not confirm an earlier attempt. This request begins a new one.
      await payments.giveUp(checkout, payment, 'failed');
      continue;
    }
    await payments.settle(checkout, intent);
    if (await payments.isRefunded(db, payment.id)) {
      throw new AppError('payment_incomplete', {
        message: 'Something changed meanwhile, so your payment goes back to your card. Please try again.',
      });
    }
    events.emit('listings', 'many');
    return {
      ...nothingCharged,
      amount,
      paymentIntentId: intent.id,
      message: wanted.message,
      listing: await getListing(db, listing.id, viewer),
    };
  }
  throw new AppError('payment_processing');
}

/** What a payment for a change of plan buys. */
export async function fulfilPlanChange(tx: Tx, payment: Payment): Promise<Fulfilment> {
  const old = payment.replaces_id ? await planService.lockSubscription(tx, payment.replaces_id) : undefined;
  if (!old) return { refund: 'The plan to be changed is not there any more.' };
  const outcome = await planService.replace(tx, old, { payment });
  if ('refusal' in outcome) return { refund: outcome.refusal };
  await moveAll(tx, old, outcome.subscription);
  const listing = payment.listing_id ? await queries.findOwn(tx, payment.listing_id, payment.user_id) : undefined;
  return planService.asFulfilment(outcome.subscription, listing ? timeZoneOf(listing) : markets[payment.country].timeZone);
}

/** What a payment for a reactivation buys. */
export async function fulfilReactivation(tx: Tx, payment: Payment): Promise<Fulfilment> {
  const listing = payment.listing_id ? await queries.lockOwn(tx, payment.listing_id, payment.user_id) : undefined;
  if (!listing) return { refund: 'The listing is not there any more.' };
  if (listing.status === 'active') return { refund: 'The listing was active already.' };
  const subscription = await planService.startPaid(tx, payment);
  await queries.updateListing(tx, listing.id, { status: 'active', ...underSubscription(subscription) });
  return planService.asFulfilment(subscription, timeZoneOf(listing));
}
