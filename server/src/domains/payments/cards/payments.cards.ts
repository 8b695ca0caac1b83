import { type Card, offeredMethods } from '@handwise/contract/payments/calls';
import type { Stripe } from 'stripe';
import type { Reader } from '../../../kit/database/database.ts';
import { AppError } from '../../../kit/errors.ts';
import { defineJob } from '../../../kit/jobs/jobs.ts';
import { isInvalidAtProvider, isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { belongsTo } from '../customers/payments.account.ts';
import { customerOf, forgetCustomerOf } from '../customers/payments.customers.ts';
import { withCard } from '../intents/payments.known-intents.ts';
import type { Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import { patientJob } from '../payments.rules.ts';

export const detachCard = defineJob<{ paymentMethodId: string }>('payments.detach-card', patientJob);

const asCard = (row: queries.CardRow): Card => ({
  _id: row.id,
  fullName: row.full_name,
  cardNumber: `•••• •••• •••• ${row.last4}`,
  cardBrand: row.brand,
  cardLast4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
});

/** Keeps the card that was paid with, or that a set-up confirmed. */
export async function keepCard(
  db: Reader,
  userId: string,
  method: string | Stripe.PaymentMethod | null,
): Promise<queries.CardRow | undefined> {
  if (!method || typeof method === 'string' || !method.card) return undefined;
  return queries.upsertCard(db, {
    user_id: userId,
    payment_method_id: method.id,
    full_name: method.billing_details.name ?? '',
    brand: method.card.brand,
    last4: method.card.last4,
    exp_month: method.card.exp_month,
    exp_year: method.card.exp_year,
    fingerprint: method.card.fingerprint ?? null,
    livemode: method.livemode,
  });
}

/** The cards that can be charged with our keys: those of another account or mode are not offered. */
export async function listCards({ context: { db }, account }: Parts, userId: string): Promise<Card[]> {
  const here = account.known();
  return (await queries.listCards(db, userId)).filter((card) => belongsTo(card, here)).map(asCard);
}

export async function createSetupIntent(parts: Parts, userId: string) {
  const intent = await beginSetup(parts, userId, await customerOf(parts, userId));
  if (!intent.client_secret) throw new Error('the provider gave a setup intent without a secret');
  return { clientSecret: intent.client_secret, setupIntentId: intent.id };
}

/** With a new customer where the provider has lost the one that we know. */
async function beginSetup(parts: Parts, userId: string, customer: string): Promise<Stripe.SetupIntent> {
  const begin = (of: string) =>
    atProvider(
      parts.stripe.setupIntents.create({
        customer: of,
        // Charged only while their holder is there.
        usage: 'on_session',
        allowed_payment_method_types: [...offeredMethods.save],
        metadata: { userId },
      }),
    );
  try {
    return await begin(customer);
  } catch (error) {
    if (!isMissingAtProvider(error, 'customer')) throw error;
    await forgetCustomerOf(parts, userId, customer);
    return begin(await customerOf(parts, userId));
  }
}

/** A set-up of one's own. Throws `payment_not_found`, also for somebody else's. */
export async function findSetup(parts: Parts, userId: string, setupIntentId: string): Promise<Stripe.SetupIntent> {
  const customer = await queries.findCustomer(parts.context.db, userId);
  const intent = await atProvider(parts.stripe.setupIntents.retrieve(setupIntentId, withCard)).catch((error: unknown) => {
    if (isMissingAtProvider(error)) throw new AppError('payment_not_found');
    throw error;
  });
  if (!customer || intent.customer !== customer) throw new AppError('payment_not_found');
  return intent;
}

/** Keeps the card of a confirmed setup intent of one's own. */
export async function addCard(parts: Parts, userId: string, setupIntentId: string): Promise<Card> {
  const intent = await findSetup(parts, userId, setupIntentId);
  const row = intent.status === 'succeeded' ? await keepCard(parts.context.db, userId, intent.payment_method) : undefined;
  if (!row) throw new AppError('payment_incomplete');
  return asCard(row);
}

/** Throws `card_not_found`, also for somebody else's. */
export async function deleteCard({ context: { db, clock, jobs } }: Parts, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const removed = await queries.removeCard(tx, userId, id, clock.now());
    if (!removed) throw new AppError('card_not_found');
    await jobs.send(tx, detachCard, { paymentMethodId: removed.payment_method_id });
  });
}

/** Whether the provider does not have the card any more, or not for this payer. It is then offered no longer. */
export async function forgetIfGone({ context: { db, clock }, stripe }: Parts, card: queries.CardRow): Promise<boolean> {
  const method = await atProvider(stripe.paymentMethods.retrieve(card.payment_method_id)).catch((error: unknown) => {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  });
  if (method && method.customer === (await queries.findCustomer(db, card.user_id))) return false;
  await queries.removeCard(db, card.user_id, card.id, clock.now());
  return true;
}

/** Forgets a removed card at the provider as well. */
export async function detach({ stripe }: Parts, paymentMethodId: string): Promise<void> {
  try {
    await atProvider(stripe.paymentMethods.detach(paymentMethodId));
  } catch (error) {
    // It is not there any more, or belongs to nobody: that is what was wanted.
    if (!isInvalidAtProvider(error)) throw error;
  }
}
