import { AppError } from '../../../kit/errors.ts';
import { isInvalidAtProvider, isMissingAtProvider, ProviderError } from '../../../kit/outside/provider-error.ts';
import { forgetIfGone } from '../cards/payments.cards.ts';
import { giveUp } from './payments.give-up.ts';
import { intentOf } from './payments.intents.ts';
import { BeginAnew } from './payments.new-intents.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { CardRow, PaymentRow } from '../payments.queries.ts';
import { isReturned } from '../refunds/payments.refunds.queries.ts';
import { settle } from './payments.settle.ts';
import { moveTo } from './payments.states.ts';

/** What the browser needs to have the provider take the money. */
export type Payable = { clientSecret: string | null; paymentIntentId: string };

/**
 * What the browser is to pay, the same each time it is asked for. Undefined where the payment is over: paid, and then it is
 * booked, or given up. Throws `payment_processing` while the bank decides.
 */
export async function handOut(parts: Parts, payment: PaymentRow): Promise<Payable | undefined> {
  const intent = await openIntentOf(parts, payment);
  if (!intent) return undefined;
  if (intent.status === 'processing') throw new AppError('payment_processing');
  if (intent.status === 'succeeded' || intent.status === 'canceled') {
    await settle(parts, intent);
    return undefined;
  }
  return { clientSecret: intent.client_secret, paymentIntentId: intent.id };
}

/** Undefined where the provider does not know it any more: the payment is then given up. */
export async function openIntentOf(parts: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  try {
    return await intentOf(parts, payment);
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
    await giveUp(parts, payment, 'canceled');
    return undefined;
  }
}

/** How the charge of a saved card stands. */
export type Charged = Payable & { status: 'done' | 'requires_action' | 'processing' };

/**
 * Charges a saved card, once for each payment, and books it. Undefined where the cardholder did not confirm an earlier
 * attempt: the payment has then failed. Throws `card_declined` with what its code says, `card_not_found` where the provider has
 * lost the card, `payment_processing` where another
 * request works on the payment or has given it up, and `payment_incomplete` where the money goes back.
 */
export async function charge(parts: Parts, payment: PaymentRow, card: CardRow, returnUrl: string): Promise<Charged | undefined> {
  const charged = await bookCharge(parts, payment, await chargeCard(parts, payment, card, returnUrl));
  if (!charged) await giveUp(parts, payment, 'failed');
  return charged;
}

/** How an intent stands that was just confirmed. What it paid is booked. Undefined where it is to be paid by something else. */
export async function bookCharge(parts: Parts, payment: PaymentRow, intent: Intent): Promise<Charged | undefined> {
  const payable = { clientSecret: intent.client_secret, paymentIntentId: intent.id };
  if (intent.status === 'requires_action') return { ...payable, status: 'requires_action' };
  if (intent.status === 'processing') return { ...payable, status: 'processing' };
  if (intent.status !== 'succeeded') return undefined;
  await settle(parts, intent);
  if (await isReturned(parts.context.db, payment.id)) {
    throw new AppError('payment_incomplete', {
      message: 'Something changed in the meantime, so your payment is going back to your card. Please try again.',
    });
  }
  return { ...payable, clientSecret: null, status: 'done' };
}

const goneText = 'The payment service no longer has this card, so it cannot be charged. Nothing was charged; please use another card.';

async function chargeCard(parts: Parts, payment: PaymentRow, card: CardRow, returnUrl: string): Promise<Intent> {
  const { db } = parts.context;
  try {
    return await intentOf(parts, payment, { means: { payment_method: card.payment_method_id }, returnUrl });
  } catch (error) {
    // With the customer its cards are gone: there is nothing to begin anew with.
    if (error instanceof BeginAnew && !(await queries.findCard(db, payment.user_id, card.id))) {
      await moveTo(db, payment, 'failed');
      throw new AppError('card_not_found', { message: goneText });
    }
    if (!(error instanceof ProviderError) || (error.code !== 'card_declined' && !isInvalidAtProvider(error))) throw error;
    if (error.intentId) {
      await queries.setIntent(db, payment.id, error.intentId, await parts.account.ask());
      await giveUp(parts, { ...payment, intent_id: error.intentId }, 'failed');
    } else {
      // The call itself was refused: it left no intent that could still be paid.
      await moveTo(db, payment, 'failed');
    }
    if (isInvalidAtProvider(error) && (await forgetIfGone(parts, card))) throw new AppError('card_not_found', { message: goneText });
    throw error;
  }
}
