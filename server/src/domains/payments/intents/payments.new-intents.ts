import { offeredMethods } from '@handwise/contract/payments/calls';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { isFaultAtProvider, isKeyTakenAtProvider, isMissingAtProvider, type ProviderError } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { customerOf, forgetCustomerOf } from '../customers/payments.customers.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { findLostIntent } from './payments.known-intents.ts';
import { type Confirmation, confirmParams } from './payments.means.ts';

/** So many failures without knowing whether they are kept, and the key counts as one that gives nothing else. */
const mostFaults = 3;

/**
 * Under its key a payment gets no intent any more, and has none: the provider keeps the failure for a day, or what the call named is gone.
 * Whoever pays begins anew under another key. Should the old one succeed after all, it is booked as any other.
 */
export class BeginAnew extends Error {
  readonly because: ProviderError;

  constructor(because: ProviderError) {
    super('no intent will come of this payment');
    this.because = because;
  }
}

/** What the provider's own pages and the payer's bank call it. The bank writes the account's own name before the suffix, all within 22. */
const descriptions: Record<PaymentRow['purpose'], string> = {
  listing: `Plan, ${subscriptionDays} days`,
  plan_change: `Change of plan, ${subscriptionDays} days`,
  reactivation: `Reactivation of a listing, ${subscriptionDays} days`,
};
export const bankSuffix = 'PLAN';

const intentTerms = (payment: PaymentRow, customer: string, site: string) => ({
  amount: payment.amount_minor,
  currency: payment.currency.toLowerCase(),
  customer,
  allowed_payment_method_types: [...offeredMethods.pay],
  description: descriptions[payment.purpose],
  statement_descriptor_suffix: bankSuffix,
  // All that the payment is written again from, should the database lose it.
  metadata: {
    paymentId: payment.id,
    userId: payment.user_id,
    purpose: payment.purpose,
    planId: payment.plan_id,
    ...(payment.listing_id && { listingId: payment.listing_id }),
    ...(payment.replaces_id && { replacesId: payment.replaces_id }),
    site,
  },
});

// The key is the payment's own id: asked again after a crash or in parallel, the provider gives the intent that it made.
const onceFor = (payment: PaymentRow) => ({ idempotencyKey: `payment-${payment.id}` });

/** Makes the intent of a payment, once. With a card it is charged at once. Throws `BeginAnew` where none can come of it. */
export async function makeIntent(parts: Parts, payment: PaymentRow, confirmation?: Confirmation): Promise<Intent> {
  const { context, stripe } = parts;
  const customer = await customerOf(parts, payment.user_id);
  const charge = confirmation && { confirm: true, ...confirmParams(confirmation) };
  try {
    const intent = await atProvider(
      stripe.paymentIntents.create({ ...intentTerms(payment, customer, await parts.site()), ...charge }, onceFor(payment)),
    );
    await queries.setIntent(context.db, payment.id, intent.id, await parts.account.ask());
    return intent;
  } catch (error) {
    if (isMissingAtProvider(error, 'customer')) {
      await forgetCustomerOf(parts, payment.user_id, customer);
      throw new BeginAnew(error);
    }
    if (!isFaultAtProvider(error) && !isKeyTakenAtProvider(error)) throw error;
    const faults = await queries.countFault(context.db, payment.id);
    if (!error.isReplayed && faults < mostFaults) throw error;
    // It may have done its work and failed to say so.
    const lost = await findLostIntent(parts, payment);
    if (!lost) throw new BeginAnew(error);
    await queries.setIntent(context.db, payment.id, lost.id, await parts.account.ask());
    return lost;
  }
}
