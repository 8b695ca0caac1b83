import { describeDecline } from '@handwise/contract/payments/decline-words';
import type { BillingDetails } from '@handwise/contract/payments/calls';

/** The outcome of a card: its intent's state at the provider, or an error text. */
export type CardOutcome = { status: 'succeeded' | 'processing' | 'canceled' | 'requires_payment_method'; id: string } | { error: string };

/** The purpose of a card: to pay an amount in cents and perhaps be saved, or only to be saved. */
export type Purpose = { kind: 'pay'; amount: number; currency: 'NZD' | 'AUD'; saveCard: boolean } | { kind: 'save' };

/** The token that our server pays with, or an error text. */
export type Collected = { token: string } | { error: string };

/** How a page uses the card typed into its `CardField`. */
export type CardHandle = {
  /** Stores the card at the provider for one use by our server. Charges nothing and never throws. */
  collect(billing: BillingDetails): Promise<Collected>;
};

/** The properties that `CardField` passes to the provider's field. */
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

/** The provider's description of a failed call or attempt. */
export type Rejection = {
  type?: string | undefined;
  code?: string | null | undefined;
  decline_code?: string | null | undefined;
  message?: string | undefined;
};

/** The part of the provider's response that both kinds of intent share. */
export type Intent = {
  id: string;
  status: string;
  last_payment_error?: Rejection | null;
  last_setup_error?: Rejection | null;
};

/** A rejection as our text for the code of the issuer or bank, else the provider's text. */
export function describeRejection({ type, code, decline_code: declineCode, message }: Rejection, purpose: 'pay' | 'save'): string {
  // The provider reports a failed authentication at the bank as an invalid request.
  const isOfCard = type === 'card_error' || code?.endsWith('_intent_authentication_failure');
  return isOfCard ? describeDecline({ code, declineCode }, purpose) : message || cardTexts.failed;
}

const ends = ['succeeded', 'processing', 'canceled', 'requires_payment_method'] as const;

/** The outcome of a finished intent, with the reason if it was rejected. */
export function getOutcome(intent: Intent): CardOutcome {
  const { last_payment_error: unpaid, last_setup_error: unsaved } = intent;
  if (intent.status === 'requires_payment_method' && unpaid) return { error: describeRejection(unpaid, 'pay') };
  if (intent.status === 'requires_payment_method' && unsaved) return { error: describeRejection(unsaved, 'save') };
  const status = ends.find((one) => one === intent.status);
  return status ? { status, id: intent.id } : { error: formatStatus(intent.status) };
}

const formatStatus = (status: string) => `Payment status: ${status}. Please try again or contact support.`;

/** The error text of a failed outcome, else null. A pending one is no error: the server is notified of its end. */
export function getOutcomeProblem(outcome: CardOutcome): string | null {
  if ('error' in outcome) return outcome.error || cardTexts.failed;
  return outcome.status === 'succeeded' || outcome.status === 'processing' ? null : formatStatus(outcome.status);
}

/** Without empty fields: the provider would store them and compare them with the bank's. */
export const removeEmptyFields = <Parts extends Record<string, string>>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== '')) as { [Name in keyof Parts]?: string };
