import { AppError } from '../../../kit/errors.ts';
import { isInvalidAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { retrieveIntent, takeIntent } from './payments.intents.ts';
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
  }
  await moveTo(parts.context.db, payment, status);
}
