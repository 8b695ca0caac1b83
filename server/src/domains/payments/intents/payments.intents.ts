import { AppError } from '../../../kit/errors.ts';
import { isInvalidAtProvider, isKeyTakenAtProvider } from '../../../kit/outside/provider-error.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import type { PaymentRow } from '../payments.queries.ts';
import type { Confirmation } from './payments.means.ts';
import { findIntentOf, findLostIntent, retrieveIntent } from './payments.known-intents.ts';
import { BeginAnew, makeIntent } from './payments.new-intents.ts';

/** The intent of a payment: made at the provider on the first call, the same one afterwards. With a card it is charged as it is made. */
export const intentOf = (parts: Parts, payment: PaymentRow, confirmation?: Confirmation): Promise<Intent> =>
  payment.intent_id ? retrieveIntent(parts, payment.intent_id) : makeIntent(parts, payment, confirmation);

/**
 * The intent of a payment that is to be given up. A payment without an intent may have a request on its way that is about to
 * charge a card for it. So the intent is made here: it takes the payment's key at the provider, and that request then comes
 * too late instead of charging what was given up.
 */
export async function takeIntent(parts: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  const known = await findIntentOf(parts, payment);
  if (known || payment.intent_id) return known;
  try {
    return await intentOf(parts, payment);
  } catch (error) {
    // That request would be answered the same.
    if (error instanceof BeginAnew) return undefined;
    // Refused as it is, with the same customer, the charge would be as well.
    if (isInvalidAtProvider(error)) return undefined;
    if (!isKeyTakenAtProvider(error)) throw error;
    const charged = await findLostIntent(parts, payment);
    if (!charged) throw new AppError('payment_processing');
    return charged;
  }
}
