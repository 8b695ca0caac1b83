import { declineText } from '@handwise/contract/payments/decline-words';
import type { ErrorCode } from '@handwise/contract/errors';
import type { Stripe } from 'stripe';
import { AppError } from '../errors.ts';

/** What the payment provider said, for the log. */
type Said = {
  /** The class of the error, by the provider's library. */
  type: string;
  message: string;
  status?: number;
  code?: string;
  declineCode?: string;
  param?: string;
  /** By which the provider's support finds the call. */
  requestId?: string;
  /** What went wrong on the way there. */
  cause?: string;
};

const clear = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''));

const causeOf = (detail: unknown) => (detail instanceof Error ? detail.message : typeof detail === 'string' ? detail : undefined);

const saidBy = (error: Stripe.errors.StripeError) =>
  clear({
    type: error.type,
    message: error.message,
    status: error.statusCode,
    code: error.code,
    declineCode: error.decline_code,
    param: error.param,
    requestId: error.requestId,
    cause: causeOf(error.detail),
  }) as Said;

function codeOf({ type, status, code, param }: Said): ErrorCode {
  if (type === 'StripeCardError') return 'card_declined';
  // The same key in a call that is under way, or in one of other terms.
  if (type === 'StripeIdempotencyError' || status === 409) return 'payment_processing';
  if (type === 'StripeInvalidRequestError' && (code === 'email_invalid' || param === 'email')) return 'payment_email_refused';
  const isDown = type === 'StripeConnectionError' || type === 'StripeRateLimitError' || type === 'StripeAPIError';
  return isDown ? 'payment_provider_unavailable' : 'payment_provider_refused';
}

/**
 * A call of the payment provider that failed, as an answer to whoever caused it: declined by the issuer, not available, or refused through a
 * fault of ours, such as a key that has expired. The provider's own words and its references are for the log.
 */
export class ProviderError extends AppError {
  declare readonly log: Said;
  /** The intent that a charge left that was declined. */
  readonly intentId: string | undefined;
  /** Whether the call is kept as failed at the provider: under the same key it would fail the same way for a day. */
  readonly isReplayed: boolean;

  constructor(error: Stripe.errors.StripeError) {
    const log = saidBy(error);
    const code = codeOf(log);
    super(code, {
      log,
      ...(code === 'card_declined' && { message: declineText(log, 'pay') }),
      ...(code === 'payment_provider_unavailable' && { retryAfterSeconds: 5 }),
    });
    this.intentId = error.payment_intent?.id;
    this.isReplayed = error.headers?.['idempotent-replayed'] === 'true';
  }
}

/** The provider answered that it failed, and does not say whether the call had an effect. */
export const isFaultAtProvider = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.code === 'payment_provider_unavailable' && (error.log.status ?? 0) >= 500;

/** The call was refused as it is, and had no effect. */
export const isInvalidAtProvider = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.log.type === 'StripeInvalidRequestError';

/** What the call is about is not there, or was made with keys of another mode or account. With `param`: what that parameter names. */
export const isMissingAtProvider = (error: unknown, param?: string): error is ProviderError =>
  isInvalidAtProvider(error) && error.log.code === 'resource_missing' && (param === undefined || error.log.param === param);

/** The key of the call belongs to one of other terms. */
export const isKeyTakenAtProvider = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.log.type === 'StripeIdempotencyError';
