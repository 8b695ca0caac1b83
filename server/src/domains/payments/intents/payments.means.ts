import { AppError, invalidField } from '../../../kit/errors.ts';
import { isInvalidAtProvider } from '../../../kit/outside/provider-error.ts';
import type { Parts } from '../payments.parts.ts';
import { withCard } from './payments.known-intents.ts';
import { findCard } from '../payments.queries.ts';

/** What pays, as the provider takes it: collected by its form and good for once, or a payment method. */
export type Means = { confirmation_token: string } | { payment_method: string };

/** How a payment or a set-up is confirmed by us: with what, and where a bank's own page leads back to. */
export type Confirmation = { means: Means; returnUrl: string };

type Collected = { confirmationToken?: string | null | undefined; paymentMethodId?: string | null | undefined };
/** `paymentId`: a saved card's own id. */
export type GivenMeans = Collected & { paymentId?: string | null | undefined };

/** Undefined where nothing was given. Throws where both were. */
export function meansOf({ confirmationToken, paymentMethodId }: Collected): Means | undefined {
  if (confirmationToken && paymentMethodId) throw invalidField('confirmationToken', 'Give one way to pay');
  if (confirmationToken) return { confirmation_token: confirmationToken };
  return paymentMethodId ? { payment_method: paymentMethodId } : undefined;
}

/** The same, or a saved card of one's own. Throws `card_not_found`, and where not exactly one was given. */
export async function chosenMeans(parts: Parts, userId: string, given: GivenMeans): Promise<Means> {
  const means = meansOf(given);
  if (!given.paymentId) {
    if (!means) throw invalidField('confirmationToken', 'Give a way to pay');
    return means;
  }
  if (means) throw invalidField('paymentId', 'Give one way to pay');
  const card = await findCard(parts.context.db, userId, given.paymentId);
  if (!card) throw new AppError('card_not_found');
  return { payment_method: card.payment_method_id };
}

/** Whoever confirms leaves what comes next to the provider's own script; a bank that wants a page of its own leads back to us. */
export const confirmParams = ({ means, returnUrl }: Confirmation) => ({
  ...means,
  use_stripe_sdk: true,
  return_url: returnUrl,
  ...withCard,
});

/** What was collected is one try: asked again after a lost answer it gives what it gave. The same saved card may be tried again. */
export const onceWith = (intentId: string, means: Means) =>
  'confirmation_token' in means ? { idempotencyKey: `confirm-${intentId}-${means.confirmation_token}` } : {};

const usedText = 'These payment details cannot be used any more. Nothing was charged; please enter them again.';

/** What the provider says of means that are used up, too old, not there or somebody else's, as an answer; anything else as it is. */
export function refusedMeans(error: unknown): unknown {
  if (!isInvalidAtProvider(error)) return error;
  const isOfMeans = error.log.param === 'confirmation_token' || error.log.param === 'payment_method';
  return isOfMeans ? new AppError('card_not_found', { message: usedText }) : error;
}

/** Another request was quicker: how the intent stands now is the answer. */
export const isOvertaken = (error: unknown) => isInvalidAtProvider(error) && (error.log.code?.endsWith('_unexpected_state') ?? false);

const unconfirmed = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action']);

/** Whether an intent in this state can still be given means to pay with. */
export const awaitsMeans = (status: string): boolean => unconfirmed.has(status);
