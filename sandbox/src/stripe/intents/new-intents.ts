import { invalid } from '../calls/errors.ts';
import { amountOf, currencyOf } from '../calls/currencies.ts';
import { descriptorSuffix, only } from '../calls/fields.ts';
import { flag, list, nested, oneOf, type Params, required, text } from '../calls/form.ts';
import type { PaymentIntent, SetupIntent } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';

/** One with every field of Stripe's, not described yet and without a method. */
export function newPaymentIntent(params: Params): PaymentIntent {
  const id = newId('pi');
  const currency = currencyOf(params);
  if (text(params, 'statement_descriptor') !== null) {
    const message = "Transactions using cards don't support `statement_descriptor`: use `statement_descriptor_suffix`.";
    throw invalid(message, { param: 'statement_descriptor', code: 'payment_intent_invalid_parameter' });
  }
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowedTypes(params),
    amount: amountOf(params, currency),
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

/** As above, for the set-up of a card. */
export function newSetupIntent(params: Params): SetupIntent {
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
    usage: oneOf(params, 'usage', ['off_session', 'on_session']) ?? 'off_session',
  };
}

/** Whether the account's own choice of methods is offered, which it is unless the call says otherwise. */
function automaticMethods(params: Params) {
  const given = nested(params, 'automatic_payment_methods');
  only(given, ['allow_redirects', 'enabled'], 'automatic_payment_methods');
  const enabled = 'automatic_payment_methods' in params ? required(flag(given, 'enabled'), 'automatic_payment_methods[enabled]') : true;
  return enabled ? { allow_redirects: oneOf(given, 'allow_redirects', ['always', 'never']) ?? ('always' as const), enabled } : null;
}

const allowable = ['card', 'link'] as const;

/** Null: whatever the account allows, which is cards: it has no Link. */
function allowedTypes(params: Params): (typeof allowable)[number][] | null {
  const types = list(params, 'allowed_payment_method_types');
  if (types.length === 0) return null;
  const known = allowable.filter((one) => types.includes(one));
  if (known.length === types.length && types.includes('card')) return known;
  throw invalid('The payment sandbox takes cards only.', { param: 'allowed_payment_method_types' });
}
