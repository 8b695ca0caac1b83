import { markets } from '@handwise/contract/markets';
import type { Plan } from '@handwise/contract/plans/calls';
import type { ChargeOutcome } from '@handwise/contract/selling/calls';
import type { Context } from '../../kit/context.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { canBecome, isLive, refusalOf } from '../listings/listings.service.ts';
import {
  type ChargeResult,
  type PaymentMethodInput,
  type PaymentStart,
  type Payments,
  findCard,
  findOpenChange,
  insertPayment,
  parsePaymentMethod,
} from '../payments/payments.service.ts';
import { showOwn, tell } from './selling.answer.ts';
import * as queries from './selling.queries.ts';
import type { OwnListing } from './selling.queries.ts';

export const nothingCharged = { status: 'done', amount: 0, clientSecret: null, paymentIntentId: null } as const;

export const chooseBoth = (field: 'planId' | 'paymentId') => invalidField(field, 'Please select a plan and payment method');

type Charge = {
  listing: OwnListing;
  plan: Plan;
  amount: number;
  purpose: 'plan_change' | 'reactivation';
  by: WaysToPay;
  message: string;
};

/** A saved card, or another one; and where the bank leads back to. */
export type WaysToPay = PaymentMethodInput & { saveCard?: boolean | undefined; returnUrl: string };

/**
 * Charges a card for a listing, a saved one or another. A listing has one open payment at a time: the same request sent again goes on with it,
 * another choice takes its place once it is given up. What the money buys is booked by `fulfil…` of `selling.service.ts`.
 */
export async function charge(context: Context, payments: Payments, viewer: Viewer, wanted: Charge): Promise<ChargeOutcome> {
  const { db } = context;
  const { listing, plan, amount, purpose } = wanted;
  const { saveCard = false, returnUrl, paymentId } = wanted.by;
  const method = parsePaymentMethod(wanted.by);
  // One of the two.
  if (Boolean(method) === Boolean(paymentId)) throw chooseBoth('paymentId');
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
      const now = await queries.lockOwn(tx, listing.id, viewer.id);
      if (!now) throw new AppError('listing_not_found');
      const isDone = purpose === 'reactivation' ? !canBecome(now, 'active') : now.subscription_id !== listing.subscription_id;
      if (isDone) {
        // Another request has finished the very thing meanwhile: nothing is left to pay. Or something else, and then
        // nobody is told that they got what they chose.
        if (isLive(now) && now.plan_rank === plan.rank) return { answer: null };
        throw new AppError(purpose === 'reactivation' ? refusalOf(now) : 'payment_processing');
      }
      if (purpose === 'plan_change' && !isLive(now)) throw new AppError('listing_not_active');
      return { open: (await findOpenChange(tx, listing.id, terms.replaces_id)) ?? (await insertPayment(tx, terms)) };
    });
  const charged = await payments.collect(terms, begin, async (payment) => {
    if (card) return payments.charge(payment, card, returnUrl);
    return method && payments.payOpenPayment(payment, { method, saveCard, returnUrl });
  });
  if (charged?.status === 'done') tell(context, 'many');
  const messages = {
    done: wanted.message,
    requires_action: 'Your bank asks you to confirm this payment.',
    processing: 'Your bank is still processing this payment.',
  };
  return {
    ...nothingCharged,
    ...(charged && { ...charged, amount }),
    message: messages[charged?.status ?? 'done'],
    listing: await showOwn(context, listing.id, viewer),
  };
}
