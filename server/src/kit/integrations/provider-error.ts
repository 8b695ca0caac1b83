import type { Stripe } from 'stripe';
import type { ErrorCode } from '@handwise/contract/errors';
import { describeDecline } from '@handwise/contract/payments/decline-words';
import { AppError } from '../errors.ts';

/** Details of the payment provider's error, for the log. */
type ErrorDetails = {
  /** The error class of the provider's library. */
  type: string;
  message: string;
  status?: number;
  code?: string;
  declineCode?: string;
  /** What to do about a decline: `do_not_try_again`, `try_again_later` or `confirm_card_data`. */
  adviceCode?: string;
  param?: string;
  /** The provider's id of the call. */
  requestId?: string;
  /** The network error. */
  cause?: string;
};

const dropEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== ''));

const getCause = (detail: unknown) => (detail instanceof Error ? detail.message : typeof detail === 'string' ? detail : undefined);

const toErrorDetails = (error: Stripe.errors.StripeError) =>
  dropEmpty({
    type: error.type,
    message: error.message,
    status: error.statusCode,
    code: error.code,
    declineCode: error.decline_code,
    adviceCode: error.advice_code,
    param: error.param,
    requestId: error.requestId,
    cause: getCause(error.detail),
  }) as ErrorDetails;

function toErrorCode({ type, status, code, param }: ErrorDetails): ErrorCode {
  if (type === 'StripeCardError') return 'card_declined';
  // The same key in a running call, or in one with other parameters.
  if (type === 'StripeIdempotencyError' || status === 409) return 'payment_processing';
  if (type === 'StripeInvalidRequestError' && (code === 'email_invalid' || param === 'email')) return 'payment_email_refused';
  const isDown = type === 'StripeConnectionError' || type === 'StripeRateLimitError' || type === 'StripeAPIError';
  return isDown ? 'payment_provider_unavailable' : 'payment_provider_refused';
}

/**
 * A failed call of the payment provider: declined by the issuer, unavailable, or rejected because of our own error, such as an expired key. The
 * provider's message and ids are for the log only.
 */
export class ProviderError extends AppError {
  declare readonly log: ErrorDetails;
  /** The intent of a declined charge. */
  readonly intentId: string | undefined;
  /** Whether the provider replayed a stored failure: the same key fails in the same way for a day. */
  readonly isReplayed: boolean;

  constructor(error: Stripe.errors.StripeError) {
    const log = toErrorDetails(error);
    const code = toErrorCode(log);
    super(code, {
      log,
      ...(code === 'card_declined' && { message: describeDecline(log, 'pay') }),
      ...(code === 'payment_provider_unavailable' && { retryAfterSeconds: 5 }),
    });
    this.intentId = error.payment_intent?.id;
    this.isReplayed = error.headers?.['idempotent-replayed'] === 'true';
  }
}

/** The provider failed, and the call may have had an effect. */
export const isProviderFault = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.code === 'payment_provider_unavailable' && (error.log.status ?? 0) >= 500;

/** The call was rejected and had no effect. */
export const isInvalidProviderRequest = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.log.type === 'StripeInvalidRequestError';

/** The object of the call (of `param`, if given) does not exist, or belongs to another mode or account. */
export const isMissingAtProvider = (error: unknown, param?: string): error is ProviderError =>
  isInvalidProviderRequest(error) && error.log.code === 'resource_missing' && (param === undefined || error.log.param === param);

/** The idempotency key was used with other parameters. */
export const isIdempotencyConflict = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.log.type === 'StripeIdempotencyError';
