import { invalid, missing } from './errors.ts';
import { integer, metadata, oneOf, type Params, required, text } from './form.ts';
import type { Charge, PaymentIntent, PaymentMethod, Refund } from './objects.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

type Decline = { code: string; decline_code?: string; message: string };

/** An attempt on the card, paid or declined. */
export function charge({ store, emit }: World, intent: PaymentIntent, method: PaymentMethod, decline?: Decline): Charge {
  const { amount, currency, customer, description } = intent;
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = method.card;
  const made: Charge = {
    id: newId('ch'),
    object: 'charge',
    amount,
    amount_captured: decline ? 0 : amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: !decline,
    created: unixNow(),
    currency,
    customer,
    description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: decline ? 'declined_by_network' : 'approved_by_network',
      reason: decline ? (decline.decline_code ?? decline.code) : null,
      risk_level: 'normal',
      seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: decline ? 'issuer_declined' : 'authorized',
    },
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: {
        amount_authorized: decline ? null : amount,
        authorization_code: null,
        brand,
        checks,
        country,
        electronic_commerce_indicator: null,
        exp_month,
        exp_year,
        fingerprint: fingerprint ?? null,
        funding,
        installments: null,
        last4,
        mandate: null,
        network: brand,
        network_transaction_id: null,
        regulated_status: 'unregulated',
        three_d_secure: null,
        transaction_link_id: null,
        wallet: null,
      },
    },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  store.save(made);
  emit(decline ? 'charge.failed' : 'charge.succeeded', made);
  return made;
}

export const refundParams = 'amount charge metadata payment_intent reason';

/** All of the charge that is left unless an amount is given; never more than that. */
export function createRefund(world: World, params: Params): Refund {
  const { store, emit } = world;
  const paid = chargeOf(world, params);
  const left = paid.amount - paid.amount_refunded;
  if (left === 0) throw invalid(`Charge ${paid.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = integer(params, 'amount') ?? left;
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  if (amount > left) {
    const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;
    const message = `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`;
    throw invalid(message, { param: 'amount' });
  }
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: paid.id,
    created: unixNow(),
    currency: paid.currency,
    customer: paid.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { type: 'refund', reference_status: 'pending', reference_type: 'acquirer_reference_number' },
    },
    metadata: metadata(params),
    payment_intent: paid.payment_intent,
    payment_method: paid.payment_method,
    reason: oneOf(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']),
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  };
  store.save(refund);
  const refunded = { ...paid, amount_refunded: paid.amount_refunded + amount, refunded: amount === left };
  store.save(refunded);
  emit('refund.created', refund);
  emit('charge.refunded', refunded);
  return refund;
}

export function updateRefund({ store, emit }: World, params: Params, id: string): Refund {
  const refund = store.find('refund', id);
  refund.metadata = metadata(params, refund.metadata);
  store.save(refund);
  emit('refund.updated', refund);
  return refund;
}

function chargeOf({ store }: World, params: Params): Charge {
  const intentId = text(params, 'payment_intent');
  if (intentId === null) {
    const paid = store.find('charge', required(text(params, 'charge'), 'payment_intent'), 'charge');
    if (!paid.paid) throw missing('charge', paid.id, 'charge');
    return paid;
  }
  const intent = store.find('payment_intent', intentId, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, { param: 'payment_intent' });
  }
  return store.find('charge', intent.latest_charge);
}
