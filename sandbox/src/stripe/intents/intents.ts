import { missing, invalid, unexpectedState } from '../calls/errors.ts';
import { givenMethod, mayUse } from '../cards/payment-methods.ts';
import { testCardOf } from '../cards/test-cards.ts';
import type { PaymentIntent, PaymentMethod, SetupIntent } from '../state/objects.ts';
import type { Store } from '../state/store.ts';
import type { World } from '../world.ts';
import { flag, type Params } from '../calls/form.ts';

// What payments and set-ups of cards have in common.
type Intent = PaymentIntent | SetupIntent;

/** Throws unless the client secret is the intent's own: who knows it may see and confirm that one intent. */
export function findIntent(store: Store, id: string, secret: string | null): Intent {
  const intent = id.startsWith('seti_') ? store.find('setup_intent', id) : store.find('payment_intent', id);
  if (secret === null) throw invalid('Missing required param: client_secret.', { param: 'client_secret', code: 'parameter_missing' });
  if (secret !== intent.client_secret) {
    throw invalid('The client_secret provided does not match the client_secret associated with this intent.', { param: 'client_secret' });
  }
  return intent;
}

export function findIntentOfSecret(store: Store, secret: string): Intent {
  const [id, rest] = secret.split('_secret_');
  if (!id || !rest) throw missing(`intent: '${secret}'`, 'client_secret');
  return findIntent(store, id, secret);
}

const names = { payment_intent: 'PaymentIntent', setup_intent: 'SetupIntent' };
const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function mayConfirm(intent: Intent) {
  if (confirmable.includes(intent.status)) return;
  const reason =
    intent.status === 'succeeded' ? 'it has already succeeded after being previously confirmed' : `it has a status of ${intent.status}`;
  throw unexpectedState(intent, `You cannot confirm this ${names[intent.object]} because ${reason}.`);
}

export function mayCancel(intent: Intent) {
  if (confirmable.includes(intent.status)) return;
  throw unexpectedState(
    intent,
    `You cannot cancel this ${names[intent.object]} because it has a status of ${intent.status}. Only a ${names[intent.object]} with ` +
      `one of the following statuses may be canceled: ${confirmable.join(', ')}.`,
  );
}

/** Takes the card that the parameters give, where they give one: the intent then waits to be confirmed. */
export function takeMethod(world: World, intent: Intent, params: Params) {
  const method = givenMethod(world, params);
  if (!method) return;
  mayUse(world, method, intent.customer);
  intent.payment_method = method.id;
  intent.status = 'requires_confirmation';
}

export const withoutMethod = (intent: Intent) =>
  unexpectedState(
    intent,
    `You cannot confirm this ${names[intent.object]} because it's missing a payment method. Update it with a payment method and ` +
      'then confirm it again, or confirm it again directly with a payment method.',
  );

/** A confirmation token confirms: a call that does not has no use for one. */
export function refuseIdleToken(params: Params) {
  if (!('confirmation_token' in params) || flag(params, 'confirm')) return;
  throw invalid('You cannot use `confirmation_token` without also setting `confirm=true`.', { param: 'confirmation_token' });
}

type Step = { method: PaymentMethod; returnUrl: string | null; bySdk: boolean };

/** What the browser has to do for 3-D Secure: go to the bank's page, or leave it to the provider's script, which shows it in a frame. */
export function authenticationStep({ address }: World, intent: Intent, { method, returnUrl, bySdk }: Step) {
  const url = `${address}/authenticate/${intent.id}?client_secret=${intent.client_secret}`;
  const { redirects } = testCardOf(method.card);
  if (bySdk && !redirects) return { type: 'use_stripe_sdk' as const, use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } };
  if (bySdk && returnUrl === null) {
    throw invalid('A `return_url` must be specified because this payment method redirects.', { param: 'return_url' });
  }
  return { type: 'redirect_to_url' as const, redirect_to_url: { url, return_url: returnUrl } };
}

const shownToBrowsers = new Set(
  (
    'id object amount automatic_payment_methods canceled_at cancellation_reason capture_method client_secret confirmation_method ' +
    'created currency description last_payment_error last_setup_error livemode next_action payment_method ' +
    'payment_method_configuration_details payment_method_types processing receipt_email setup_future_usage shipping status usage'
  ).split(' '),
);

/** An intent as the publishable key may see it: nothing of the customer, no metadata, no charge. */
export function forBrowser(document: object): object {
  if (!('client_secret' in document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => shownToBrowsers.has(name)));
}
