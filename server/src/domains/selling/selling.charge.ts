import { markets } from '@handwise/contract/markets';
import type { Plan } from '@handwise/contract/plans';
import type { ChargeOutcome } from '@handwise/contract/selling';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import type { Payment } from '../payments/payments.service.ts';
import * as payments from '../payments/payments.service.ts';
import { type Selling, showOwn } from './selling.context.ts';
import * as queries from './selling.queries.ts';
import type { OwnListing } from './selling.queries.ts';

export const nothingCharged = { status: 'done', amount: 0, clientSecret: null, paymentIntentId: null } as const;

export const chooseBoth = (field: 'planId' | 'paymentId') => invalidField(field, 'Please select a plan and payment method');

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
 * another choice takes its place once it is given up. What the money buys is booked by `fulfil…` of `selling.service.ts`.
 */
export async function charge(selling: Selling, viewer: Viewer, wanted: Charge): Promise<ChargeOutcome> {
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
    if (!payment) return { ...nothingCharged, message: wanted.message, listing: await showOwn(db, listing.id, viewer) };
    if (!isSame(payment)) {
      await payments.giveUp(checkout, payment, 'canceled');
      continue;
    }
    const intent = await payments.chargeCard(checkout, payment, card);
    const shown = {
      amount,
      listing: await showOwn(db, listing.id, viewer),
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
      listing: await showOwn(db, listing.id, viewer),
    };
  }
  throw new AppError('payment_processing');
}
