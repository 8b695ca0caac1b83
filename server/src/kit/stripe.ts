import { Stripe } from 'stripe';
import { AppError } from './errors.ts';

/** How to reach the payment provider. `apiBase` is set where the sandbox stands in for Stripe itself. */
export type StripeSettings = { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null };

export function openStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  const address = apiBase ? new URL(apiBase) : null;
  return new Stripe(secretKey, {
    // A call that is repeated carries the same idempotency key: it never charges twice.
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    ...(address && { host: address.hostname, port: address.port, protocol: address.protocol === 'https:' ? 'https' : 'http' }),
  });
}

/**
 * Waits for a call of the provider. Where it cannot be reached, is too busy or fails, throws `payment_provider_unavailable`:
 * nobody knows then whether the call had an effect, so the caller leaves the payment open for the reconciler.
 */
export async function atProvider<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const down =
      error instanceof Stripe.errors.StripeConnectionError ||
      error instanceof Stripe.errors.StripeRateLimitError ||
      error instanceof Stripe.errors.StripeAPIError;
    if (down) throw new AppError('payment_provider_unavailable', { retryAfterSeconds: 5 });
    throw error;
  }
}

export const isMissingAtProvider = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
