import { isInvalidAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import type { Parts } from '../payments.parts.ts';
import { findPayment } from '../payments.queries.ts';
import { bookMade, inBooks } from './payments.refunds.booking.ts';
import { hearOfRefundsOf } from './payments.refunds.hear.ts';
import * as queries from './payments.refunds.queries.ts';
import { isUnsent } from './payments.refunds.states.ts';

/** Asks the provider to send money back, once: the refund's id and amount are the key there, and its id stands in the metadata. */
export async function sendRefund(parts: Parts, refundId: string): Promise<void> {
  const { db } = parts.context;
  const refund = await queries.findRefund(db, refundId);
  if (!refund || !isUnsent(refund)) return;
  const payment = await findPayment(db, refund.payment_id);
  const intentId = payment?.intent_id;
  if (!intentId) throw new Error(`the payment of refund ${refundId} has no intent`);
  try {
    const made = await atProvider(
      parts.stripe.refunds.create(
        { payment_intent: intentId, amount: refund.amount_minor, metadata: { refundId, paymentId: payment.id } },
        { idempotencyKey: `refund-${refundId}-${refund.amount_minor}` },
      ),
    );
    await inBooks(parts, payment.id, (tx, books) => bookMade(parts, tx, books, [made]));
  } catch (error) {
    if (!isInvalidAtProvider(error)) throw error;
    // Refused, perhaps because somebody has sent it back by hand: then the books follow, and there is nothing left to send.
    await hearOfRefundsOf(parts, intentId);
    const after = await queries.findRefund(db, refundId);
    if (after && isUnsent(after)) throw error;
  }
}
