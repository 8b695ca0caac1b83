import type { Stripe } from 'stripe';
import { type Card, offeredMethods } from '@handwise/contract/payments/calls';
import { describeDecline } from '@handwise/contract/payments/decline-words';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { ProviderError, isInvalidProviderRequest, isMissingAtProvider } from '../../kit/integrations/provider-error.ts';
import { callProvider, findAtProvider, getExpandableId } from '../../kit/integrations/stripe.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { lockAccount } from '../accounts/accounts.service.ts';
import {
  type CardRow,
  findCardByMethodId,
  findCustomerId,
  findUserByCustomer,
  listCardRows,
  removeCard,
  upsertCard,
} from './payments.cards.queries.ts';
import type { Payments } from './payments.context.ts';
import { ensureCustomer, forgetCustomer } from './payments.customers.ts';
import {
  type Confirmation,
  toMethodError,
  confirmOnce,
  confirmParams,
  expandCard,
  isAwaitingMethod,
  isStateChanged,
  type PaymentMethodInput,
  resolvePaymentMethod,
} from './payments.intents.ts';
import { isOfAccount } from './payments.provider-account.ts';
import { providerRetry } from './payments.rules.ts';

export const detachCardJob = defineJob<{ paymentMethodId: string }>('payments.detach-card', providerRetry);

const toCard = (row: CardRow): Card => ({
  _id: row.id,
  fullName: row.full_name,
  cardNumber: `•••• •••• •••• ${row.last4}`,
  cardBrand: row.brand,
  cardLast4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
});

/** Saves the card of a payment or a confirmed setup. */
export async function saveCard(db: Reader, userId: string, method: string | Stripe.PaymentMethod | null): Promise<CardRow | undefined> {
  if (typeof method === 'string' || !method?.card) return undefined;
  return upsertCard(db, {
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

/** The cards that our keys can charge; cards of another account or mode are not offered. */
export async function listCards({ context: { db }, account }: Payments, userId: string): Promise<Card[]> {
  const here = account.current();
  return (await listCardRows(db, userId)).filter((card) => isOfAccount(card, here)).map(toCard);
}

export async function createSetupIntent(deps: Payments, userId: string) {
  const intent = await createProviderSetup(deps, userId, await ensureCustomer(deps, userId));
  if (!intent.client_secret) throw new Error('the provider gave a setup intent without a secret');
  return { clientSecret: intent.client_secret, setupIntentId: intent.id };
}

/** Creates a new customer when the provider has lost the known one. */
async function createProviderSetup(deps: Payments, userId: string, customer: string): Promise<Stripe.SetupIntent> {
  const begin = (of: string) =>
    callProvider(
      deps.stripe.setupIntents.create({
        customer: of,
        // Charged only while the cardholder is present.
        usage: 'on_session',
        allowed_payment_method_types: [...offeredMethods.save],
        metadata: { userId },
      }),
    );
  try {
    return await begin(customer);
  } catch (error) {
    if (!isMissingAtProvider(error, 'customer')) throw error;
    await forgetCustomer(deps, userId, customer);
    return begin(await ensureCustomer(deps, userId));
  }
}

/** Throws `payment_not_found`, also for another user's setup. */
async function getSetup(deps: Payments, userId: string, setupIntentId: string): Promise<Stripe.SetupIntent> {
  const customer = await findCustomerId(deps.context.db, userId);
  const intent = await findAtProvider(deps.stripe.setupIntents.retrieve(setupIntentId, expandCard));
  if (!intent || !customer || intent.customer !== customer) throw new AppError('payment_not_found');
  return intent;
}

const saveSetupCard = (deps: Payments, userId: string, method: string | Stripe.PaymentMethod | null) =>
  deps.context.db.transaction().execute(async (tx) => {
    await lockAccount(tx, userId);
    const row = await saveCard(tx, userId, method);
    if (row) await deps.onCardSaved(tx, userId);
    return row;
  });

/** Saves the card of the user's own confirmed setup. */
export async function addCard(deps: Payments, userId: string, setupIntentId: string): Promise<Card> {
  const intent = await getSetup(deps, userId, setupIntentId);
  const row = intent.status === 'succeeded' ? await saveSetupCard(deps, userId, intent.payment_method) : undefined;
  if (!row) throw new AppError('payment_incomplete');
  return toCard(row);
}

/** Throws `card_not_found`, also for another user's card. */
export async function deleteCard({ context: { db, clock, jobs } }: Payments, userId: string, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const removed = await removeCard(tx, userId, id, clock.now());
    if (!removed) throw new AppError('card_not_found');
    await jobs.send(tx, detachCardJob, { paymentMethodId: removed.payment_method_id });
  });
}

/** Removes a card that the provider no longer has for this payer. True when it was removed. */
export async function removeIfGone({ context: { db, clock }, stripe }: Payments, card: CardRow): Promise<boolean> {
  const method = await findAtProvider(stripe.paymentMethods.retrieve(card.payment_method_id));
  if (method && method.customer === (await findCustomerId(db, card.user_id))) return false;
  await removeCard(db, card.user_id, card.id, clock.now());
  return true;
}

/** Detaches a removed card at the provider. */
export async function detachCard({ stripe }: Payments, paymentMethodId: string): Promise<void> {
  try {
    await callProvider(stripe.paymentMethods.detach(paymentMethodId));
  } catch (error) {
    // The card is already gone or detached.
    if (!isInvalidProviderRequest(error)) throw error;
  }
}

const setupStatuses = { succeeded: 'done', requires_action: 'requires_action', processing: 'processing' } as const;

/**
 * Confirms the user's own setup with a card, or returns its state. Throws `payment_not_found`, `payment_incomplete` for a setup that is
 * over, `card_declined`, and `card_not_found` when the payment method is used up.
 */
export async function confirmSetup(deps: Payments, userId: string, setupIntentId: string, input: PaymentMethodInput, returnUrl: string) {
  const by = { method: await resolvePaymentMethod(deps, userId, input), returnUrl };
  const open = await getSetup(deps, userId, setupIntentId);
  const intent = isAwaitingMethod(open.status) ? await confirmSetupIntent(deps, userId, open.id, by) : open;
  const status = Object.entries(setupStatuses).find(([name]) => name === intent.status)?.[1];
  if (!status) throw new AppError('payment_incomplete');
  return { status, clientSecret: status === 'requires_action' ? intent.client_secret : null, setupIntentId };
}

async function confirmSetupIntent(deps: Payments, userId: string, id: string, by: Confirmation): Promise<Stripe.SetupIntent> {
  try {
    return await callProvider(deps.stripe.setupIntents.confirm(id, confirmParams(by), confirmOnce(id, by.method)));
  } catch (error) {
    if (isStateChanged(error)) return getSetup(deps, userId, id);
    if (error instanceof ProviderError && error.code === 'card_declined') {
      throw new AppError('card_declined', { message: describeDecline(error.log, 'save'), log: error.log });
    }
    throw toMethodError(error);
  }
}

/** Saves the card of a finished setup even if its tab was closed before the browser reported it. */
export async function syncSetup(deps: Payments, setupIntentId: string): Promise<void> {
  const intent = await findAtProvider(deps.stripe.setupIntents.retrieve(setupIntentId, expandCard));
  const customerId = getExpandableId(intent?.customer);
  if (intent?.status !== 'succeeded' || !customerId) return;
  const userId = await findUserByCustomer(deps.context.db, customerId);
  if (userId !== undefined) await saveSetupCard(deps, userId, intent.payment_method);
}

/** Updates a saved card from the provider, or removes it when it can no longer be charged. */
export async function syncCard({ context: { db, clock }, stripe }: Payments, paymentMethodId: string): Promise<void> {
  const known = await findCardByMethodId(db, paymentMethodId);
  if (!known) return;
  const method = await findAtProvider(stripe.paymentMethods.retrieve(paymentMethodId));
  if (method?.card && method.customer !== null) await saveCard(db, known.user_id, method);
  else await removeCard(db, known.user_id, known.id, clock.now());
}
