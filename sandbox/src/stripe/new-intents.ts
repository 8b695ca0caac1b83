import { invalid } from './errors.ts';
import { integer, list, nested, oneOf, type Params, required, text } from './form.ts';
import type { PaymentIntent, SetupIntent } from './objects.ts';
import { newId, unixNow } from './store.ts';

/** One with every field of Stripe's, not described yet and without a method. */
export function newPaymentIntent(params: Params): PaymentIntent {
  const id = newId('pi');
  const automatic = nested(params, 'automatic_payment_methods');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: allowedTypes(params),
    amount: amountOf(params),
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: oneOf(automatic, 'allow_redirects', ['always', 'never']) ?? 'always', enabled: true },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${newId('').slice(1)}`,
    confirmation_method: 'automatic',
    created: unixNow(),
    currency: currencyOf(params),
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
    statement_descriptor_suffix: text(params, 'statement_descriptor_suffix'),
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
    automatic_payment_methods: { allow_redirects: 'always', enabled: true },
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

export function amountOf(params: Params) {
  const amount = required(integer(params, 'amount'), 'amount');
  if (amount < 50) throw invalid('Amount must be at least 50 cents', { param: 'amount', code: 'amount_too_small' });
  if (amount > 99_999_999) throw invalid('Amount must be no more than $999,999.99', { param: 'amount', code: 'amount_too_large' });
  return amount;
}

export function currencyOf(params: Params) {
  const currency = required(text(params, 'currency'), 'currency').toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency.slice(0, 50)}`, { param: 'currency' });
  return currency;
}

/** Null: whatever the account allows, which is cards. */
function allowedTypes(params: Params): 'card'[] | null {
  const types = list(params, 'allowed_payment_method_types');
  if (types.length === 0) return null;
  if (types.includes('card')) return ['card'];
  throw invalid('The payment sandbox takes cards only.', { param: 'allowed_payment_method_types' });
}
