import { AppError } from '../../../kit/errors.ts';
import { isInvalidAtProvider, isKeyTakenAtProvider, isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { findContact } from '../../accounts/accounts.service.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { CardRow, PaymentRow } from '../payments.queries.ts';

export const withCard = { expand: ['payment_method'] };

export const retrieveIntent = ({ stripe }: Parts, intentId: string) => atProvider(stripe.paymentIntents.retrieve(intentId, withCard));

export async function customerOf({ context: { db }, stripe }: Parts, userId: string): Promise<string> {
  const known = await queries.findCustomer(db, userId);
  if (known) return known;
  const user = await findContact(db, userId);
  const { id } = await atProvider(stripe.customers.create({ email: user.email, name: user.full_name, metadata: { userId } }));
  await queries.insertCustomer(db, userId, id);
  return (await queries.findCustomer(db, userId)) ?? id;
}

const intentTerms = (payment: PaymentRow, customer: string) => ({
  amount: payment.amount_minor,
  currency: payment.currency.toLowerCase(),
  customer,
  allowed_payment_method_types: ['card'],
  metadata: { paymentId: payment.id, userId: payment.user_id, purpose: payment.purpose },
});

// The key is the payment's own id: asked again after a crash or in parallel, the provider gives the intent that it made.
const onceFor = (payment: PaymentRow) => ({ idempotencyKey: `payment-${payment.id}` });

/** The intent of a payment: made at the provider on the first call, the same one afterwards. */
export async function intentOf(parts: Parts, payment: PaymentRow): Promise<Intent> {
  if (payment.intent_id) return retrieveIntent(parts, payment.intent_id);
  const customer = await customerOf(parts, payment.user_id);
  return written(parts, payment, parts.stripe.paymentIntents.create(intentTerms(payment, customer), onceFor(payment)));
}

/** As `intentOf`, with a saved card that is charged at once. */
export async function chargedIntentOf(parts: Parts, payment: PaymentRow, card: CardRow): Promise<Intent> {
  if (payment.intent_id) return retrieveIntent(parts, payment.intent_id);
  const customer = await customerOf(parts, payment.user_id);
  const charge = { ...intentTerms(payment, customer), payment_method: card.payment_method_id, confirm: true, ...withCard };
  return written(parts, payment, parts.stripe.paymentIntents.create(charge, onceFor(payment)));
}

async function written({ context: { db } }: Parts, payment: PaymentRow, making: Promise<Intent>): Promise<Intent> {
  const intent = await atProvider(making);
  await queries.setIntent(db, payment.id, intent.id);
  return intent;
}

/** The intent of a payment at the provider, also where its id was never written down. Undefined where there is none. */
export async function findIntentOf(parts: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  if (!payment.intent_id) return findLostIntent(parts, payment);
  return retrieveIntent(parts, payment.intent_id).catch((error: unknown) => {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  });
}

// The provider may have charged a card in the moment in which this server died: the intent then knows its payment.
async function findLostIntent({ context: { db }, stripe }: Parts, payment: PaymentRow): Promise<Intent | undefined> {
  const customer = await queries.findCustomer(db, payment.user_id);
  if (!customer) return undefined;
  const { data } = await atProvider(stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.payment_method'] }));
  return data.find((intent) => intent.metadata['paymentId'] === payment.id);
}

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
    // Refused as it is, with the same customer, the charge would be as well.
    if (isInvalidAtProvider(error)) return undefined;
    if (!isKeyTakenAtProvider(error)) throw error;
    const charged = await findLostIntent(parts, payment);
    if (!charged) throw new AppError('payment_processing');
    return charged;
  }
}
