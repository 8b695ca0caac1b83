import { getTestCard } from './cards.ts';
import { invalidRequest, notFound, unexpectedState } from './errors.ts';
import type { PaymentIntent, PaymentMethod, SetupIntent } from './objects.ts';
import {
  parseAmount,
  parseCurrency,
  descriptorSuffix,
  flag,
  list,
  nested,
  parseChoice,
  only,
  type Params,
  required,
  text,
} from './params.ts';
import { findMethod, checkUsable } from './payment-methods.ts';
import { newId, type Store, unixNow } from './store.ts';
import type { World } from './world.ts';

// Shared by payment and setup intents.
type Intent = PaymentIntent | SetupIntent;

/** The intent that the client secret gives access to; throws if the secret belongs to another one. */
export function findIntent(store: Store, id: string, secret: string | null): Intent {
  const intent = id.startsWith('seti_') ? store.find('setup_intent', id) : store.find('payment_intent', id);
  if (secret === null)
    throw invalidRequest('Missing required param: client_secret.', { param: 'client_secret', code: 'parameter_missing' });
  if (secret !== intent.client_secret) {
    throw invalidRequest('The client_secret provided does not match the client_secret associated with this intent.', {
      param: 'client_secret',
    });
  }
  return intent;
}

export function findIntentOfSecret(store: Store, secret: string): Intent {
  const [id, rest] = secret.split('_secret_');
  if (!id || !rest) throw notFound(`intent: '${secret}'`, 'client_secret');
  return findIntent(store, id, secret);
}

const names = { payment_intent: 'PaymentIntent', setup_intent: 'SetupIntent' };
const confirmable = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

export function checkConfirmable(intent: Intent) {
  if (confirmable.includes(intent.status)) return;
  const reason =
    intent.status === 'succeeded' ? 'it has already succeeded after being previously confirmed' : `it has a status of ${intent.status}`;
  throw unexpectedState(intent, `You cannot confirm this ${names[intent.object]} because ${reason}.`);
}

export function checkCancelable(intent: Intent) {
  if (confirmable.includes(intent.status)) return;
  throw unexpectedState(
    intent,
    `You cannot cancel this ${names[intent.object]} because it has a status of ${intent.status}. Only a ${names[intent.object]} with ` +
      `one of the following statuses may be canceled: ${confirmable.join(', ')}.`,
  );
}

/** Sets the method in the parameters, if any; the intent then waits to be confirmed. */
export function setMethod(world: World, intent: Intent, params: Params) {
  const method = findMethod(world, params);
  if (!method) return;
  checkUsable(world, method, intent.customer);
  intent.payment_method = method.id;
  intent.status = 'requires_confirmation';
}

export const missingMethod = (intent: Intent) =>
  unexpectedState(
    intent,
    `You cannot confirm this ${names[intent.object]} because it's missing a payment method. Update it with a payment method and ` +
      'then confirm it again, or confirm it again directly with a payment method.',
  );

/** A confirmation token is only allowed in a call that confirms. */
export function checkTokenConfirms(params: Params) {
  if (!('confirmation_token' in params) || flag(params, 'confirm')) return;
  throw invalidRequest('You cannot use `confirmation_token` without also setting `confirm=true`.', { param: 'confirmation_token' });
}

type Step = { method: PaymentMethod; returnUrl: string | null; bySdk: boolean };

/** The next action for 3-D Secure: a redirect to the bank's page, or a frame that Stripe's script shows. */
export function authenticationStep({ address }: World, intent: Intent, { method, returnUrl, bySdk }: Step) {
  const url = `${address}/authenticate/${intent.id}?client_secret=${intent.client_secret}`;
  const { redirects } = getTestCard(method.card);
  if (bySdk && !redirects) return { type: 'use_stripe_sdk' as const, use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } };
  if (bySdk && returnUrl === null) {
    throw invalidRequest('A `return_url` must be specified because this payment method redirects.', { param: 'return_url' });
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

/** An intent as the publishable key may see it: without customer, metadata and charge. */
export function browserView(document: object): object {
  if (!('client_secret' in document)) return document;
  return Object.fromEntries(Object.entries(document).filter(([name]) => shownToBrowsers.has(name)));
}

/** A new payment intent with every field that Stripe sends. */
export function paymentIntentObject(params: Params): PaymentIntent {
  const id = newId('pi');
  const currency = parseCurrency(params);
  if (text(params, 'statement_descriptor') !== null) {
    const message = "Transactions using cards don't support `statement_descriptor`: use `statement_descriptor_suffix`.";
    throw invalidRequest(message, { param: 'statement_descriptor', code: 'payment_intent_invalid_parameter' });
  }
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowedTypes(params),
    amount: parseAmount(params, currency),
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: automaticMethods(params),
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    confirmation_method: 'automatic',
    created: unixNow(),
    currency,
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: descriptorSuffix(params),
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

/** A new setup intent with every field that Stripe sends. */
export function setupIntentObject(params: Params): SetupIntent {
  const id = newId('seti');
  return {
    id,
    object: 'setup_intent',
    allowed_payment_method_types: allowedTypes(params),
    application: null,
    automatic_payment_methods: automaticMethods(params),
    cancellation_reason: null,
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    created: unixNow(),
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    managed_payments: null,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: parseChoice(params, 'usage', ['off_session', 'on_session']) ?? 'off_session',
  };
}

/** Enabled unless the call says otherwise. */
function automaticMethods(params: Params) {
  const methods = nested(params, 'automatic_payment_methods');
  only(methods, ['allow_redirects', 'enabled'], 'automatic_payment_methods');
  const enabled = 'automatic_payment_methods' in params ? required(flag(methods, 'enabled'), 'automatic_payment_methods[enabled]') : true;
  return enabled ? { allow_redirects: parseChoice(methods, 'allow_redirects', ['always', 'never']) ?? ('always' as const), enabled } : null;
}

const allowable = ['card', 'link'] as const;

/** Null means all types that the account allows, which is cards. */
function allowedTypes(params: Params): (typeof allowable)[number][] | null {
  const types = list(params, 'allowed_payment_method_types');
  if (types.length === 0) return null;
  const known = allowable.filter((one) => types.includes(one));
  if (known.length === types.length && types.includes('card')) return known;
  throw invalidRequest('The payment sandbox takes cards only.', { param: 'allowed_payment_method_types' });
}
