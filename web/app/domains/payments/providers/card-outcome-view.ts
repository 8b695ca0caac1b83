import { declineText } from '@handwise/contract/payments/decline-words';
import type { BillingDetails } from '@handwise/contract/payments/calls';

/** How a card went: where its intent stands at the provider, or what to tell people. */
export type CardOutcome = { status: 'succeeded' | 'processing' | 'canceled' | 'requires_payment_method'; id: string } | { error: string };

/** What a card is wanted for: to pay so much, in cents, and perhaps to be kept for the next time; or to be kept alone. */
export type Purpose = { kind: 'pay'; amount: number; currency: 'NZD' | 'AUD'; saveCard: boolean } | { kind: 'save' };

/** What our server pays with, or what to tell people. */
export type Collected = { token: string } | { error: string };

/** What a page does with the card that is typed into its `CardField`. */
export type CardHandle = {
  /** Has the provider keep what was typed, for one use by our server. Nothing is charged yet. Never throws. */
  collect(billing: BillingDetails): Promise<Collected>;
};

/** What each provider's own field is given by `CardField`. */
export type CardFieldProps = {
  ref?: React.Ref<CardHandle>;
  purpose: Purpose;
  disabled?: boolean;
};

export const cardTexts = {
  required: 'Card information is required.',
  notLoaded:
    'The payment form could not be loaded. Nothing was charged and nothing you typed is lost. Check your connection, or whether something in your browser blocks it, and try again.',
  closed: 'You closed the payment window before it was finished. Nothing was charged.',
  failed: 'Payment failed. Please try a different card or try again later.',
  notInitialized: 'Payment system is not initialized. Please try again or contact support.',
  unexpected: 'An unexpected error occurred. Please try again.',
} as const;

/** What the provider says of a call or an attempt that failed. */
export type Rejection = {
  type?: string | undefined;
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  message?: string | undefined;
};

/** The part of an intent that both kinds have, as the provider answers it. */
export type Intent = {
  id: string;
  status: string;
  last_payment_error?: Rejection | null;
  last_setup_error?: Rejection | null;
};

/**
 * A refusal in words for people: what the issuer or the bank said in our own, by its code; what was typed wrongly, or is no matter of the
 * card, in the provider's.
 */
export function rejectionText({ type, code, decline_code: declineCode, message }: Rejection, purpose: 'pay' | 'save'): string {
  // The provider calls a bank's "no" to its customer an invalid request.
  const isOfCard = type === 'card_error' || code?.endsWith('_intent_authentication_failure');
  return isOfCard ? declineText({ code, declineCode }, purpose) : message || cardTexts.failed;
}

const ends = ['succeeded', 'processing', 'canceled', 'requires_payment_method'] as const;

/** An intent that waits for nobody any more, as an outcome. One that was refused says why. */
export function outcomeOf(intent: Intent): CardOutcome {
  const { last_payment_error: unpaid, last_setup_error: unsaved } = intent;
  if (intent.status === 'requires_payment_method' && unpaid) return { error: rejectionText(unpaid, 'pay') };
  if (intent.status === 'requires_payment_method' && unsaved) return { error: rejectionText(unsaved, 'save') };
  const status = ends.find((one) => one === intent.status);
  return status ? { status, id: intent.id } : { error: statusText(intent.status) };
}

const statusText = (status: string) => `Payment status: ${status}. Please try again or contact support.`;

/** What to tell people about an outcome that came to nothing, else null. What is still on its way is no problem: the server hears how it ends. */
export function problemOf(outcome: CardOutcome): string | null {
  if ('error' in outcome) return outcome.error || cardTexts.failed;
  return outcome.status === 'succeeded' || outcome.status === 'processing' ? null : statusText(outcome.status);
}

/** Without what was left empty: the provider would keep it as given, and compare it with what the bank knows. */
export const filled = <Parts extends Record<string, string>>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as { [Name in keyof Parts]?: string };
