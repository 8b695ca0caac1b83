import type { BillingDetails } from '@handwise/contract/payments';
import { filled } from './billing-address.ts';
import { type Intent, type Refusal, refusalText } from './card-outcome-view.ts';
import { digitsOf, expiryOf, type TypedCard } from '../cards/card-number.ts';
import type { PaymentConfig } from './payment-config.ts';

/** What the provider refuses, in words for people. */
export class ProviderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderError';
  }
}

// Form-encoded and without own headers, as the provider's own script sends it: card data goes there and nowhere else.
async function post({ apiBase, publishableKey }: PaymentConfig, path: string, fields: Record<string, string>): Promise<Intent> {
  const response = await fetch(`${apiBase}${path}`, {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({ key: publishableKey, ...fields }),
  });
  const body = (await response.json()) as Intent | { error?: Refusal };
  if (response.ok) return body as Intent;
  const refusal = ('error' in body && body.error) || {};
  throw new ProviderError(refusalText(refusal, path.startsWith('/v1/setup_intents/') ? 'save' : 'pay'));
}

const idOf = (clientSecret: string) => encodeURIComponent(clientSecret.split('_secret_')[0] ?? '');

function cardFields(card: TypedCard, billing: BillingDetails): Record<string, string> {
  const { month, year } = expiryOf(card.expiry);
  const method = 'payment_method_data';
  return {
    [`${method}[type]`]: 'card',
    [`${method}[card][number]`]: digitsOf(card.number),
    [`${method}[card][exp_month]`]: String(month),
    [`${method}[card][exp_year]`]: String(year),
    [`${method}[card][cvc]`]: card.cvc,
    [`${method}[billing_details][name]`]: billing.name,
    [`${method}[billing_details][email]`]: billing.email,
    ...filled({
      [`${method}[billing_details][address][line1]`]: billing.line1,
      [`${method}[billing_details][address][city]`]: billing.city,
      [`${method}[billing_details][address][postal_code]`]: billing.postalCode,
      [`${method}[billing_details][address][country]`]: billing.country,
    }),
  };
}

type Confirmation = { clientSecret: string; card: TypedCard; billing: BillingDetails; saveCard?: boolean };

export const confirmPayment = (config: PaymentConfig, { clientSecret, card, billing, saveCard }: Confirmation) =>
  post(config, `/v1/payment_intents/${idOf(clientSecret)}/confirm`, {
    client_secret: clientSecret,
    ...cardFields(card, billing),
    ...(saveCard && { setup_future_usage: 'off_session' }),
  });

export const confirmSetup = (config: PaymentConfig, { clientSecret, card, billing }: Confirmation) =>
  post(config, `/v1/setup_intents/${idOf(clientSecret)}/confirm`, { client_secret: clientSecret, ...cardFields(card, billing) });

/** Ends what a bank asked its customer, one way or the other. Serves both kinds of intent. */
export const answerBank = (config: PaymentConfig, clientSecret: string, outcome: 'success' | 'fail') =>
  post(config, '/sandbox/authenticate', { client_secret: clientSecret, outcome });
