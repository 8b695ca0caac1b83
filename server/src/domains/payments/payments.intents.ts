import { offeredMethods } from '@handwise/contract/payments/calls';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { AppError, invalidField } from '../../kit/errors.ts';
import {
  type ProviderError,
  isProviderFault,
  isInvalidProviderRequest,
  isIdempotencyConflict,
  isMissingAtProvider,
} from '../../kit/integrations/provider-error.ts';
import { callProvider, findAtProvider } from '../../kit/integrations/stripe.ts';
import { findCard, findCustomerId } from './payments.cards.queries.ts';
import type { Intent, Payments } from './payments.context.ts';
import { ensureCustomer, forgetCustomer } from './payments.customers.ts';
import { type PaymentRow, incrementProviderFaults, setPaymentIntent } from './payments.queries.ts';

/** A payment method as the provider takes it: a single-use token of its form, or a stored method. */
export type PaymentMethod = { confirmation_token: string } | { payment_method: string };

/** How we confirm a payment or a setup: the method, and where the bank's own page returns to. */
export type Confirmation = { method: PaymentMethod; returnUrl: string };

/** Without a `returnUrl` the cardholder is not there: a bank that wants them to confirm declines. */
type Charge = { method: PaymentMethod; returnUrl: string | null };

type CollectedMethod = { confirmationToken?: string | null | undefined; paymentMethodId?: string | null | undefined };
/** `paymentId`: the id of a saved card. */
export type PaymentMethodInput = CollectedMethod & { paymentId?: string | null | undefined };

/** Undefined when none was given; throws when both were. */
export function parsePaymentMethod({ confirmationToken, paymentMethodId }: CollectedMethod): PaymentMethod | undefined {
  if (confirmationToken && paymentMethodId) throw invalidField('confirmationToken', 'Give one way to pay');
  if (confirmationToken) return { confirmation_token: confirmationToken };
  return paymentMethodId ? { payment_method: paymentMethodId } : undefined;
}

/** Also accepts a saved card. Throws `card_not_found`, and when not exactly one method was given. */
export async function resolvePaymentMethod(deps: Payments, userId: string, input: PaymentMethodInput): Promise<PaymentMethod> {
  const method = parsePaymentMethod(input);
  if (!input.paymentId) {
    if (!method) throw invalidField('confirmationToken', 'Give a way to pay');
    return method;
  }
  if (method) throw invalidField('paymentId', 'Give one way to pay');
  const card = await findCard(deps.context.db, userId, input.paymentId);
  if (!card) throw new AppError('card_not_found');
  return { payment_method: card.payment_method_id };
}

/** The provider's script handles the next action; a bank that needs its own page returns to `returnUrl`. */
export const confirmParams = ({ method, returnUrl }: Confirmation) => ({
  ...method,
  use_stripe_sdk: true,
  return_url: returnUrl,
  ...expandCard,
});

const chargeParams = ({ method, returnUrl }: Charge) => ({
  confirm: true,
  ...(returnUrl === null ? { ...method, off_session: true, ...expandCard } : confirmParams({ method, returnUrl })),
});

/** A token is used once, so that a retry after a lost answer gets the same result; a saved card may be tried again. */
export const confirmOnce = (intentId: string, method: PaymentMethod) =>
  'confirmation_token' in method ? { idempotencyKey: `confirm-${intentId}-${method.confirmation_token}` } : {};

const usedMethodText = 'These payment details cannot be used any more. Nothing was charged; please enter them again.';

/** Maps errors about a payment method that is used up, expired, missing or another user's; returns any other error unchanged. */
export function toMethodError(error: unknown): unknown {
  if (!isInvalidProviderRequest(error)) return error;
  const isOfMeans = error.log.param === 'confirmation_token' || error.log.param === 'payment_method';
  return isOfMeans ? new AppError('card_not_found', { message: usedMethodText }) : error;
}

/** Another request has confirmed the intent: its current state is the answer. */
export const isStateChanged = (error: unknown) =>
  isInvalidProviderRequest(error) && (error.log.code?.endsWith('_unexpected_state') ?? false);

const unconfirmedStatuses = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action']);

export const isAwaitingMethod = (status: string): boolean => unconfirmedStatuses.has(status);

export const expandCard = { expand: ['payment_method'] };

export const getIntent = ({ stripe }: Payments, intentId: string) => callProvider(stripe.paymentIntents.retrieve(intentId, expandCard));

/** The intent of a payment, even if its id was never stored. Undefined when there is none. */
export async function findIntent(deps: Payments, payment: PaymentRow): Promise<Intent | undefined> {
  if (!payment.intent_id) return findLostIntent(deps, payment);
  return findAtProvider(deps.stripe.paymentIntents.retrieve(payment.intent_id, expandCard));
}

/** A server that died after creating an intent leaves the payment's id in the intent's metadata. */
async function findLostIntent({ context: { db }, stripe }: Payments, payment: PaymentRow): Promise<Intent | undefined> {
  const customer = await findCustomerId(db, payment.user_id);
  if (!customer) return undefined;
  const listed = await findAtProvider(stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.payment_method'] }));
  return listed?.data.find((intent) => intent.metadata['paymentId'] === payment.id);
}

/** After this many failures the idempotency key counts as spent, even if the provider does not say that it replays one. */
const maxProviderFaults = 3;

/**
 * The payment's idempotency key yields no intent: the provider replays a failure for a day, or the customer is gone. The purchase goes on
 * with a new payment under a new key; if the old one succeeds after all, it is booked like any other.
 */
export class PaymentExpiredError extends Error {
  readonly because: ProviderError;

  constructor(because: ProviderError) {
    super('the provider gives no intent for this payment');
    this.because = because;
  }
}

/** What the provider's dashboard and the payer's bank statement say; the account's name and the suffix share 22 characters. */
const descriptions: Record<PaymentRow['purpose'], string> = {
  listing: `Plan, ${subscriptionDays} days`,
  plan_change: `Change of plan, ${subscriptionDays} days`,
  reactivation: `Reactivation of a listing, ${subscriptionDays} days`,
  renewal: `Renewal, ${subscriptionDays} days`,
};
export const bankSuffix = 'PLAN';

const intentTerms = (payment: PaymentRow, customer: string, site: string) => ({
  amount: payment.amount_minor,
  currency: payment.currency.toLowerCase(),
  customer,
  allowed_payment_method_types: [...offeredMethods.pay],
  description: descriptions[payment.purpose],
  statement_descriptor_suffix: bankSuffix,
  // Enough to restore the payment if the database loses it.
  metadata: {
    paymentId: payment.id,
    userId: payment.user_id,
    purpose: payment.purpose,
    planId: payment.plan_id,
    ...(payment.listing_id && { listingId: payment.listing_id }),
    ...(payment.replaces_id && { replacesId: payment.replaces_id }),
    ...(payment.renews_id && { renewsId: payment.renews_id }),
    site,
  },
});

// The key is the payment's id, so that a retry after a crash or a parallel call gets the same intent.
const createOnce = (payment: PaymentRow) => ({ idempotencyKey: `payment-${payment.id}` });

/**
 * Creates the payment's intent once; with a payment method it is charged at once. Throws `PaymentExpiredError` when the key yields none.
 */
async function createPaymentIntent(deps: Payments, payment: PaymentRow, charge?: Charge): Promise<Intent> {
  const { context, stripe } = deps;
  const customer = await ensureCustomer(deps, payment.user_id);
  try {
    const intent = await callProvider(
      stripe.paymentIntents.create(
        { ...intentTerms(payment, customer, await deps.site()), ...(charge && chargeParams(charge)) },
        createOnce(payment),
      ),
    );
    await setPaymentIntent(context.db, payment.id, intent.id, await deps.account.load());
    return intent;
  } catch (error) {
    if (isMissingAtProvider(error, 'customer')) {
      await forgetCustomer(deps, payment.user_id, customer);
      throw new PaymentExpiredError(error);
    }
    if (!isProviderFault(error) && !isIdempotencyConflict(error)) throw error;
    const faults = await incrementProviderFaults(context.db, payment.id);
    if (!error.isReplayed && faults < maxProviderFaults) throw error;
    // The provider may have created the intent and failed to answer.
    const lost = await findLostIntent(deps, payment);
    if (!lost) throw new PaymentExpiredError(error);
    await setPaymentIntent(context.db, payment.id, lost.id, await deps.account.load());
    return lost;
  }
}

/** The intent of a payment, created on the first call; with a payment method it is charged as it is created. */
export const ensureIntent = (deps: Payments, payment: PaymentRow, charge?: Charge): Promise<Intent> =>
  payment.intent_id ? getIntent(deps, payment.intent_id) : createPaymentIntent(deps, payment, charge);

/**
 * Creates the intent of a payment that is to be cancelled if there is none, because a concurrent request may be about to charge a card for
 * it: this takes the idempotency key, so that request comes too late.
 */
export async function claimIntent(deps: Payments, payment: PaymentRow): Promise<Intent | undefined> {
  const known = await findIntent(deps, payment);
  if (known || payment.intent_id) return known;
  try {
    return await ensureIntent(deps, payment);
  } catch (error) {
    // The concurrent request would get the same error.
    if (error instanceof PaymentExpiredError) return undefined;
    // The charge would be rejected for the same reason.
    if (isInvalidProviderRequest(error)) return undefined;
    if (!isIdempotencyConflict(error)) throw error;
    const charged = await findLostIntent(deps, payment);
    if (!charged) throw new AppError('payment_processing');
    return charged;
  }
}
