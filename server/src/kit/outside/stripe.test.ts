import { Stripe } from 'stripe';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { atProvider } from './stripe.ts';

const said = { message: 'no', type: 'api_error' } as const;

test.each([
  ['cannot be reached', new Stripe.errors.StripeConnectionError(said)],
  ['has too much to do', new Stripe.errors.StripeRateLimitError(said)],
  ['fails', new Stripe.errors.StripeAPIError(said)],
])('a provider that %s is not available, and one may ask again in a while', async (_, error) => {
  const thrown = await atProvider(Promise.reject(error)).catch((one: unknown) => one);
  expect(thrown).toBeInstanceOf(AppError);
  expect(thrown).toMatchObject({ code: 'payment_provider_unavailable', retryAfterSeconds: 5 });
});

test('what the provider answers, and what it refuses, is handed on as it is', async () => {
  expect(await atProvider(Promise.resolve('paid'))).toBe('paid');
  const declined = new Stripe.errors.StripeCardError({ message: 'Your card was declined.', type: 'card_error' });
  await expect(atProvider(Promise.reject(declined))).rejects.toBe(declined);
});
