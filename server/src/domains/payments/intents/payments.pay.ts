import { AppError } from '../../../kit/errors.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { bookCharge, type Charged, openIntentOf } from './payments.charge.ts';
import { retrieveIntent } from './payments.known-intents.ts';
import { type Confirmation, awaitsMeans, confirmParams, isOvertaken, onceWith, refusedMeans } from './payments.means.ts';
import { isOpen, isPaid } from './payments.states.ts';

/** `saveCard`: kept for the next time that its holder is there to pay. */
export type PayBy = Confirmation & { saveCard: boolean };

/**
 * Pays an open payment and books it. Declined, it stays open for other means. Undefined where it was closed meanwhile. Throws `card_declined`, and
 * `card_not_found` where these means do not pay any more.
 */
export async function payBy(parts: Parts, payment: PaymentRow, by: PayBy): Promise<Charged | undefined> {
  const open = await openIntentOf(parts, payment);
  if (!open) return undefined;
  const intent = awaitsMeans(open.status) ? await confirmIntent(parts, open, by) : open;
  return bookCharge(parts, payment, intent);
}

async function confirmIntent(parts: Parts, { id }: Intent, by: PayBy): Promise<Intent> {
  const future = by.saveCard ? ({ setup_future_usage: 'on_session' } as const) : {};
  try {
    return await atProvider(parts.stripe.paymentIntents.confirm(id, { ...confirmParams(by), ...future }, onceWith(id, by.means)));
  } catch (error) {
    if (isOvertaken(error)) return retrieveIntent(parts, id);
    throw refusedMeans(error);
  }
}

/** Pays what one has begun by its intent's id: a new plan only, what else is paid has calls of its own. Throws as above, and `payment_not_found`. */
export async function payIntent(parts: Parts, userId: string, intentId: string, by: PayBy): Promise<Charged> {
  const payment = await queries.findPaymentOfIntent(parts.context.db, intentId);
  if (!payment || payment.user_id !== userId || payment.purpose !== 'listing') throw new AppError('payment_not_found');
  const paid = { clientSecret: null, paymentIntentId: intentId, status: 'done' } as const;
  if (isPaid(payment)) return paid;
  const charged = isOpen(payment) ? await payBy(parts, payment, by) : undefined;
  if (!charged) throw new AppError('payment_incomplete');
  return charged;
}
