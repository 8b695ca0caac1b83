import type Stripe from 'stripe';
import { getStatement } from './account.ts';
import type { Decline } from './cards.ts';
import type { Charge, EarlyFraudWarning, PaymentIntent, PaymentMethod } from './objects.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

/** An attempt on the card, paid or declined. */
export function charge(world: World, intent: PaymentIntent, method: PaymentMethod, decline?: Decline): Charge {
  const { store, emit } = world;
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
    calculated_statement_descriptor: getStatement(world, intent.statement_descriptor_suffix),
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
    outcome: getOutcome(decline),
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
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: null,
  };
  store.save(made);
  emit(decline ? 'charge.failed' : 'charge.succeeded', made);
  return made;
}

function getOutcome(decline: Decline | undefined): Stripe.Charge.Outcome {
  const codes = { advice_code: null, network_advice_code: null, network_decline_code: null };
  if (!decline) {
    const seller_message = 'Payment complete.';
    return { ...codes, network_status: 'approved_by_network', reason: null, risk_level: 'normal', seller_message, type: 'authorized' };
  }
  return {
    ...codes,
    network_status: 'declined_by_network',
    reason: decline.decline_code ?? decline.code,
    risk_level: 'normal',
    seller_message: 'The bank did not return any further details with this decline.',
    type: 'issuer_declined',
  };
}

/** The bank reports that a payment may be fraud. */
export function warn({ store, emit }: World, { id, payment_intent }: Charge, fraudType = 'made_with_stolen_card'): EarlyFraudWarning {
  const warning: EarlyFraudWarning = {
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: id,
    created: unixNow(),
    fraud_type: fraudType,
    livemode: false,
    ...(payment_intent !== null && { payment_intent }),
  };
  store.save(warning);
  emit('radar.early_fraud_warning.created', warning);
  return warning;
}

/** Fraud warnings of a charge that is disputed or refunded in full need no action. */
export function closeWarnings({ store, emit }: World, charge: string) {
  for (const warning of store.list('radar.early_fraud_warning', { where: { charge }, limit: 100 }).data) {
    if (!warning.actionable) continue;
    const dull = { ...warning, actionable: false };
    store.save(dull);
    emit('radar.early_fraud_warning.updated', dull);
  }
}
