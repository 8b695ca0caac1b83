import { createHash } from 'node:crypto';
import type Stripe from 'stripe';

export type Decline = { code: string; decline_code?: string; message: string };

const because = (decline_code: string, message = 'Your card was declined.'): Decline => ({ code: 'card_declined', decline_code, message });
const genericDecline = because('generic_decline');
const insufficientFunds = because('insufficient_funds', 'Your card has insufficient funds.');

export const needsAuthentication: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export type TestCard = {
  number: string;
  /** After `pm_card_`: the method of this name has this card. */
  name: string;
  brand: 'visa' | 'mastercard' | 'amex';
  funding?: 'debit';
  /** Asks the bank: at each payment, or, `once`, no more without the cardholder after it was set up. */
  authenticates?: 'always' | 'once';
  /** Does so on a page of its own, whoever handles what comes next. */
  redirects?: true;
  /** Takes its time to pay. */
  processes?: true;
  decline?: Decline;
  /** Saving it works, although payments are declined. */
  savable?: true;
  /** Stopped before the bank was asked. */
  blocked?: true;
  /** Refunds are pending and then succeed; or they look as if they succeeded and then fail. */
  refunds?: 'pending' | 'failing';
  /** What follows the payment at once. */
  disputed?: 'fraudulent' | 'product_not_received' | 'inquiry';
  warned?: true;
};

const visa = (number: string, name: string, rest: Partial<TestCard> = {}): TestCard => ({ number, name, brand: 'visa', ...rest });

/** https://docs.stripe.com/testing, and two that Stripe has not: a payment that takes its time, and a bank that always asks on a page of its own. */
const testCards: TestCard[] = [
  visa('4242424242424242', 'visa'),
  visa('4000056655665556', 'visa_debit', { funding: 'debit' }),
  { number: '5555555555554444', name: 'mastercard', brand: 'mastercard' },
  { number: '378282246310005', name: 'amex', brand: 'amex' },
  visa('4000000000000077', 'bypassPending'),
  visa('4000000000005001', 'processing', { processes: true }),
  visa('4000002500003155', 'authenticationRequiredOnSetup', { authenticates: 'once' }),
  visa('4000002760003184', 'authenticationRequired', { authenticates: 'always' }),
  visa('4000000000003063', 'authenticationOnPageOfBank', { authenticates: 'always', redirects: true }),
  visa('4000008260003178', 'authenticationRequiredChargeDeclinedInsufficientFunds', {
    authenticates: 'always',
    decline: insufficientFunds,
    savable: true,
  }),
  visa('4000000000000002', 'chargeDeclined', { decline: genericDecline }),
  visa('4000000000000341', 'chargeCustomerFail', { decline: genericDecline, savable: true }),
  visa('4000000000009995', 'chargeDeclinedInsufficientFunds', { decline: insufficientFunds }),
  visa('4000000000009987', 'chargeDeclinedLostCard', { decline: because('lost_card') }),
  visa('4000000000009979', 'chargeDeclinedStolenCard', { decline: because('stolen_card') }),
  visa('4100000000000019', 'chargeDeclinedFraudulent', { decline: because('fraudulent'), blocked: true }),
  visa('4000000000006975', 'chargeDeclinedVelocityLimitExceeded', {
    decline: because(
      'card_velocity_exceeded',
      'Your card was declined for making repeated attempts too frequently or exceeding its amount limit.',
    ),
  }),
  visa('4000000000000069', 'chargeDeclinedExpiredCard', { decline: { code: 'expired_card', message: 'Your card has expired.' } }),
  visa('4000000000000127', 'chargeDeclinedIncorrectCvc', {
    decline: { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  }),
  visa('4000000000000119', 'chargeDeclinedProcessingError', {
    decline: { code: 'processing_error', message: 'An error occurred while processing your card. Try again in a little bit.' },
  }),
  visa('4000000000007726', 'pendingRefund', { refunds: 'pending' }),
  visa('4000000000005126', 'refundFail', { refunds: 'failing' }),
  visa('4000000000000259', 'createDispute', { disputed: 'fraudulent' }),
  visa('4000000000002685', 'createDisputeProductNotReceived', { disputed: 'product_not_received' }),
  visa('4000000000001976', 'createDisputeInquiry', { disputed: 'inquiry' }),
  visa('4000000000005423', 'createIssuerFraudRecord', { warned: true }),
];

export const fingerprintOf = (number: string) => createHash('sha256').update(number).digest('base64url').slice(0, 16);
const byFingerprint = new Map(testCards.map((card) => [fingerprintOf(card.number), card]));
const byName = new Map(testCards.map((card) => [`pm_card_${card.name}`, card]));

/** Which test card a stored method has: the number itself is not kept. */
export function testCardOf(card: Pick<Stripe.PaymentMethod.Card, 'fingerprint'>): TestCard {
  const found = byFingerprint.get(card.fingerprint ?? '');
  if (!found) throw new Error('a payment method without a test card');
  return found;
}

export const testCardOfNumber = (number: string) => byFingerprint.get(fingerprintOf(number)) ?? null;

export const testCardOfName = (name: string) => byName.get(name) ?? byName.get(name.replace('pm_card_visa_', 'pm_card_')) ?? null;
