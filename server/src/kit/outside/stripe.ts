import { createRequire } from 'node:module';
import type { Stripe } from 'stripe';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { ProviderError } from './provider-error.ts';

/** How to reach the payment provider. `apiBase` is set where the sandbox stands in for Stripe itself. */
export type StripeSettings = { secretKey: string; publishableKey: string; webhookSecret: string; apiBase: string | null };

/** Whether a secret or restricted key is for real money. */
export const isLiveKey = (secretKey: string) => /^[sr]k_live_/.test(secretKey);

// It takes 18 MB, which a server that is asked for nothing but lists and pages need not spend. Not by an `import`: who has a key has the library at once.
const require = createRequire(import.meta.url);
const library = () => require('stripe') as typeof Stripe;

export function openStripe({ secretKey, apiBase }: StripeSettings): Stripe {
  const StripeClient = library();
  const address = apiBase ? new URL(apiBase) : null;
  return new StripeClient(secretKey, {
    // A call that is repeated carries the same idempotency key: it never charges twice.
    maxNetworkRetries: 2,
    timeout: 15_000,
    telemetry: false,
    ...(address && { host: address.hostname, port: address.port, protocol: address.protocol === 'https:' ? 'https' : 'http' }),
  });
}

/** Waits for a call of the provider. Throws `ProviderError` where it fails in whatever way. */
export async function atProvider<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof library().errors.StripeError ? new ProviderError(error) : error;
  }
}

// As the provider's own library does for messages that are too old.
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
 * What the provider tells by a webhook. Throws `webhook_signature_invalid` where the signature over these very bytes does not hold, is
 * too old or from the future at `now`, and `malformed_request` where what is signed is no event.
 */
export function signedEvent(stripe: Stripe, body: unknown, signature: unknown, secret: string, now: Date): z.infer<typeof eventShape> {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') throw new AppError('webhook_signature_invalid');
  try {
    const event: unknown = stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime());
    const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
    if (!(signedAt <= now.getTime() / 1000 + toleranceSeconds)) throw new AppError('webhook_signature_invalid');
    return eventShape.parse(event);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(
      error instanceof library().errors.StripeSignatureVerificationError ? 'webhook_signature_invalid' : 'malformed_request',
    );
  }
}
