import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { findUserOfCustomer } from '../customers/payments.customer-queries.ts';
import { withCard } from '../intents/payments.known-intents.ts';
import type { Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import { keepCard } from './payments.cards.ts';

/** A card was set up: kept also where its tab was closed before the browser could say so. */
export async function hearOfSetup(parts: Parts, setupIntentId: string): Promise<void> {
  const { db } = parts.context;
  const intent = await unlessMissing(atProvider(parts.stripe.setupIntents.retrieve(setupIntentId, withCard)));
  if (intent?.status !== 'succeeded' || typeof intent.customer !== 'string') return;
  const userId = await findUserOfCustomer(db, intent.customer);
  if (userId !== undefined) await keepCard(db, userId, intent.payment_method);
}

/** Something happened to a card: it is offered with what the provider says of it now, or no longer where it can charge nobody. */
export async function hearOfCard({ context: { db, clock }, stripe }: Parts, paymentMethodId: string): Promise<void> {
  const known = await queries.findCardOfMethod(db, paymentMethodId);
  if (!known) return;
  const method = await unlessMissing(atProvider(stripe.paymentMethods.retrieve(paymentMethodId)));
  if (method?.card && method.customer !== null) await keepCard(db, known.user_id, method);
  else await queries.removeCard(db, known.user_id, known.id, clock.now());
}

async function unlessMissing<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  }
}
