import type { BillingDetails } from '@handwise/contract/payments/calls';
import { removeEmptyFields, type Intent, type Purpose, type Rejection, describeRejection } from './card-outcome-view.ts';
import { getDigits, parseExpiry, type TypedCard } from '../cards/card-number.ts';
import type { PaymentConfig } from '../payment-queries.ts';

/** A rejection by the provider, as a text. */
export class ProviderError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProviderError';
  }
}

// Form-encoded and without extra headers, like the requests of the provider's script.
async function send<Answer>(
  { apiBase, publishableKey }: PaymentConfig,
  method: 'GET' | 'POST',
  path: string,
  fields: Record<string, string>,
) {
  const form = new URLSearchParams({ key: publishableKey, ...fields });
  const isPost = method === 'POST';
  const response = await fetch(`${apiBase}${path}${isPost ? '' : `?${form.toString()}`}`, {
    method,
    credentials: 'omit',
    ...(isPost && { body: form }),
  });
  const body = (await response.json()) as Answer | { error?: Rejection };
  if (response.ok) return body as Answer;
  return { rejection: (body as { error?: Rejection }).error ?? {} };
}

async function post<Answer extends object>(config: PaymentConfig, path: string, fields: Record<string, string>, purpose: 'pay' | 'save') {
  const answer = await send<Answer>(config, 'POST', path, fields);
  if ('rejection' in answer) throw new ProviderError(describeRejection(answer.rejection, purpose));
  return answer;
}

function cardFields(card: TypedCard, billing: BillingDetails): Record<string, string> {
  const { month, year } = parseExpiry(card.expiry);
  const method = 'payment_method_data';
  return {
    [`${method}[type]`]: 'card',
    [`${method}[card][number]`]: getDigits(card.number),
    [`${method}[card][exp_month]`]: String(month),
    [`${method}[card][exp_year]`]: String(year),
    [`${method}[card][cvc]`]: card.cvc,
    [`${method}[billing_details][name]`]: billing.name,
    [`${method}[billing_details][email]`]: billing.email,
    ...removeEmptyFields({
      [`${method}[billing_details][address][line1]`]: billing.line1,
      [`${method}[billing_details][address][city]`]: billing.city,
      [`${method}[billing_details][address][postal_code]`]: billing.postalCode,
      [`${method}[billing_details][address][country]`]: billing.country,
    }),
  };
}

type Typed = { card: TypedCard; billing: BillingDetails; purpose: Purpose };

/** Stores the card at the provider for one use, like its own form, and returns its id. */
export async function collectCard(config: PaymentConfig, { card, billing, purpose }: Typed): Promise<string> {
  const isSaved = purpose.kind === 'save' || purpose.saveCard;
  const fields = {
    ...cardFields(card, billing),
    ...(isSaved && { 'payment_method_data[allow_redisplay]': 'always', setup_future_usage: 'on_session' }),
  };
  return (await post<{ id: string }>(config, '/v1/confirmation_tokens', fields, purpose.kind)).id;
}

type NextAction = { next_action?: { redirect_to_url?: { url: string } } | null };

/** The bank's page to redirect to, or null if its challenge is shown within ours. */
export async function nextPage(config: PaymentConfig, clientSecret: string): Promise<string | null> {
  const [id = ''] = clientSecret.split('_secret_');
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const answer = await send<NextAction>(config, 'GET', `/v1/${kind}/${encodeURIComponent(id)}`, { client_secret: clientSecret });
  return ('next_action' in answer && answer.next_action?.redirect_to_url?.url) || null;
}

/** Answers a bank's challenge. Serves both kinds of intent. */
export const answerBank = (config: PaymentConfig, clientSecret: string, outcome: 'success' | 'fail') =>
  post<Intent>(
    config,
    '/sandbox/authenticate',
    { client_secret: clientSecret, outcome },
    clientSecret.startsWith('seti_') ? 'save' : 'pay',
  );
