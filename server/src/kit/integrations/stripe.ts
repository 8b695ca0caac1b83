import { createRequire } from 'node:module';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { ProviderError, isMissingAtProvider } from './provider-error.ts';

/** Keys of the payment provider. `apiBase` is set if the sandbox replaces Stripe. */
export type StripeSettings = { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null };

/** Whether a secret or restricted key charges real money. */
export const isLiveKey = (secretKey: string) => /^[sr]k_live_/.test(secretKey);

// Loaded on first use, because it takes 18 MB. `require` loads synchronously.
const require = createRequire(import.meta.url);
const loadLibrary = () => require('stripe') as typeof Stripe;

export function openStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  const StripeClient = loadLibrary();
  const address = apiBase ? new URL(apiBase) : null;
  return new StripeClient(secretKey, {
    // Retries carry the same idempotency key, so they never charge twice.
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    ...(address && { host: address.hostname, port: address.port, protocol: address.protocol === 'https:' ? 'https' : 'http' }),
  });
}

/** Awaits a call of the provider, whose errors become a `ProviderError`. */
export async function callProvider<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof loadLibrary().errors.StripeError ? new ProviderError(error) : error;
  }
}

/** As `callProvider`, but undefined when the provider does not know the object. */
export async function findAtProvider<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await callProvider(call);
  } catch (error) {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  }
}

/** The id in an expandable field of the provider, which holds an id or the whole object. */
export const getExpandableId = (field: string | { id: string } | null | undefined): string | undefined =>
  typeof field === 'string' ? field : field?.id;

// The default of the provider's library.
const toleranceSeconds = 300;
const eventShape = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  account: z.string().optional(),
  created: z.int().optional(),
  livemode: z.boolean().default(false),
  data: z.object({ object: z.object({ id: z.unknown().optional(), payment_intent: z.unknown().optional() }) }),
});

/**
 * The verified event of a webhook. Throws `webhook_signature_invalid` if the signature of the raw body is invalid, too old or in the future at `now`,
 * and `malformed_request` if the signed content is no event.
 */
export function verifyWebhookEvent(
  stripe: Stripe,
  body: unknown,
  signature: unknown,
  secret: string,
  now: Date,
): z.infer<typeof eventShape> {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new AppError('webhook_signature_invalid');
  try {
    const event: unknown = stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime());
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
    if (!(signedAt <= now.getTime() / 1000 + toleranceSeconds)) throw new AppError('webhook_signature_invalid');
    return eventShape.parse(event);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      error instanceof loadLibrary().errors.StripeSignatureVerificationError ? 'webhook_signature_invalid' : 'malformed_request',
    );
  }
}
