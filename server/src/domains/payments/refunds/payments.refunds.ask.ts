import type { RefundForm } from '@handwise/contract/admin/payments';
import { asActor } from '../../../kit/actor.ts';
import { violatedConstraint } from '../../../kit/database/database.ts';
import { AppError } from '../../../kit/errors.ts';
import { hasOpenDispute } from '../disputes/payments.disputes.queries.ts';
import type { Parts } from '../payments.parts.ts';
import { findPayment } from '../payments.queries.ts';
import { money } from '@handwise/contract/money';
import { refundPayment } from './payments.refunds.begin.ts';
import { addRefund, inBooks } from './payments.refunds.booking.ts';
import { findByRequest, type RefundRow } from './payments.refunds.queries.ts';
import { amountToReturn } from './payments.refunds.rules.ts';

/**
 * An administrator sends a payment back, whole or in part: once for each `requestId`, whose refund comes back when it is asked for again.
 * Throws `payment_not_found`, `own_matter`, `already_decided` where the request was another one, `nothing_to_refund`, `refund_too_large`,
 * `payment_disputed`.
 */
export async function askRefund(parts: Parts, administratorId: string, paymentId: string, form: RefundForm): Promise<RefundRow> {
  const { db, jobs, clock } = parts.context;
  const payment = await findPayment(db, paymentId);
  if (!payment) throw new AppError('payment_not_found');
  if (payment.user_id === administratorId) throw new AppError('own_matter');
  const { reason, requestId, transferred = false } = form;
  const made = inBooks(parts, paymentId, async (tx, books) => {
    const earlier = await findByRequest(tx, requestId);
    if (earlier) {
      const isSame =
        earlier.payment_id === paymentId &&
        (form.amountMinor ?? earlier.amount_minor) === earlier.amount_minor &&
        transferred === (earlier.source === 'transfer');
      if (!isSame) throw new AppError('already_decided');
      return earlier;
    }
    const left = books.bought + books.owed;
    if (left === 0) throw new AppError('nothing_to_refund');
    if (!transferred && (await hasOpenDispute(tx, paymentId))) {
      throw new AppError('payment_disputed', {
        message: 'The bank is deciding about this payment: until it has, nothing can be refunded to the card. A transfer can be booked.',
      });
    }
    const amount = form.amountMinor ?? amountToReturn(books);
    if (amount > left) {
      throw new AppError('refund_too_large', {
        message: `This is more than is left of the payment: ${money(left, books.payment.currency)}.`,
      });
    }
    await asActor(tx, administratorId);
    books.because = form.keep ? null : reason;
    const terms = { amount_minor: amount, reason, asked_by: administratorId, request_id: requestId } as const;
    const refund = transferred
      ? await addRefund(tx, books, { ...terms, source: 'transfer', status: 'succeeded', refunded_at: clock.now() })
      : await addRefund(tx, books, { ...terms, source: 'administrator' });
    if (!refund) throw new AppError('refund_too_large');
    if (transferred) books.news.push({ refund, became: 'refunded' });
    else await jobs.send(tx, refundPayment, { refundId: refund.id });
    books.isFraud = form.fraud ?? false;
    return refund;
  });
  const refund = await made.catch((error: unknown) => {
    // Of another payment, whose lock is another one: it was quicker.
    throw violatedConstraint(error) === 'refunds_request_id_key' ? new AppError('already_decided') : error;
  });
  if (!refund) throw new AppError('nothing_to_refund');
  return refund;
}
