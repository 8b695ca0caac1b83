import { AppError } from '../../../kit/errors.ts';
import { isInvalidAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { belongsTo } from '../customers/payments.account.ts';
import { takeIntent } from './payments.intents.ts';
import { retrieveIntent } from './payments.known-intents.ts';
import type { Parts } from '../payments.parts.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { settle } from './payments.settle.ts';
import { moveTo } from './payments.states.ts';

/**
 * Ends an open payment that nobody is to pay any more. Where it was paid meanwhile, it is booked instead. Throws
 * `payment_processing` while the bank decides.
 */
export async function giveUp(parts: Parts, payment: PaymentRow, status: 'failed' | 'canceled'): Promise<void> {
  const open = await takeIntent(parts, payment);
  if (open) {
    const intent = await atProvider(parts.stripe.paymentIntents.cancel(open.id)).catch((error: unknown) => {
      if (isInvalidAtProvider(error)) return retrieveIntent(parts, open.id);
      throw error;
    });
    if (intent.status === 'succeeded') {
      await settle(parts, intent);
      return;
    }
    if (intent.status !== 'canceled') throw new AppError('payment_processing');
  } else if (payment.intent_id) warnOfOtherAccount(parts, payment);
  await moveTo(parts.context.db, payment, status);
}

/** What was begun with other keys may have been paid there, where ours do not look. */
function warnOfOtherAccount({ account, context: { logger } }: Parts, payment: PaymentRow): void {
  if (belongsTo(payment, account.known())) return;
  const { id, intent_id: intentId, account: madeIn, livemode } = payment;
  logger.error(
    { payment: id, intentId, account: madeIn, livemode },
    'a payment that was begun under another account or mode of the payment provider is given up: look there whether it was paid',
  );
}
