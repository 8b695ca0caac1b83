import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';

export const withCard = { expand: ['payment_method'] };

export const retrieveIntent = ({ stripe }: Parts, intentId: string) => atProvider(stripe.paymentIntents.retrieve(intentId, withCard));

/** The intent of a payment at the provider, also where its id was never written down. Undefined where there is none. */
export async function findIntentOf(parts: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  if (!payment.intent_id) return findLostIntent(parts, payment);
  return retrieveIntent(parts, payment.intent_id).catch((error: unknown) => {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  });
}

/** The provider may have charged a card in the moment in which this server died: the intent then knows its payment. */
export async function findLostIntent({ context: { db }, stripe }: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  const customer = await queries.findCustomer(db, payment.user_id);
  if (!customer) return undefined;
  try {
    const { data } = await atProvider(stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.payment_method'] }));
    return data.find((intent) => intent.metadata['paymentId'] === payment.id);
  } catch (error) {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  }
}
