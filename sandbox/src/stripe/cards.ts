import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { ApiError } from './errors.ts';
import { integer, type Params, required, text } from './params.ts';

/** The card of a test method such as `pm_card_visa`, or null for other names. */
export function cardOfName(name: string) {
  const card = testCardOfName(name);
  return card ? details(card, { month: 8, year: new Date().getFullYear() + 1 }) : null;
}

/** The parameters `card[number|exp_month|exp_year|cvc]`, checked as Stripe does. */
export function cardOfParams(params: Params) {
  const number = required(text(params, 'number'), 'card[number]').replaceAll(/[\s-]/g, '');
  const month = required(integer(params, 'exp_month'), 'card[exp_month]');
  const shortYear = required(integer(params, 'exp_year'), 'card[exp_year]');
  const cvc = text(params, 'cvc');
  if (!/^\d{12,19}$/.test(number)) throw cardError('invalid_number', 'number', 'Your card number is incorrect.');
  if (!passesLuhn(number)) throw cardError('incorrect_number', 'number', 'Your card number is incorrect.');
  const expiry = getExpiry(month, shortYear);
  const card = testCardOfNumber(number);
  if (cvc !== null && !(card?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw cardError('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  if (!card) {
    throw new ApiError(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
      param: '',
    });
  }
  return details(card, expiry);
}

function getExpiry(month: number, shortYear: number) {
  const year = shortYear < 100 ? 2000 + shortYear : shortYear;
  const now = new Date();
  if (month < 1 || month > 12) throw cardError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  if (year < now.getFullYear() || year > now.getFullYear() + 50) {
    throw cardError('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    throw cardError('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  return { month, year };
}

const cardError = (code: string, param: string, message: string) => new ApiError(402, { type: 'card_error', code, param, message });

function passesLuhn(number: string) {
  let sum = 0;
  for (const [index, digit] of [...number].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function details({ number, brand, authenticates }: TestCard, expiry: { month: number; year: number }): Stripe.PaymentMethod.Card {
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'NZ',
    display_brand: brand,
    exp_month: expiry.month,
    exp_year: expiry.year,
    fingerprint: getFingerprint(number),
    funding: 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: authenticates !== undefined },
    wallet: null,
  };
}

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
  /** The name of its test method after `pm_card_`. */
  name: string;
  brand: 'visa' | 'mastercard' | 'amex';
  /** Requires 3-D Secure for each payment; `once`: not off session after it was set up. */
  authenticates?: 'always' | 'once';
  /** Challenges on the bank's own page, even if Stripe's script handles the next action. */
  redirects?: true;
  /** Payments are `processing` first. */
  processes?: true;
  decline?: Decline;
  /** Saving it works, although payments are declined. */
  savable?: true;
  /** Refunds are pending and succeed later, or succeed and fail later. */
  refunds?: 'pending' | 'failing';
  /** The dispute that the payment immediately causes. */
  disputed?: 'fraudulent' | 'product_not_received' | 'inquiry';
  warned?: true;
};

const visa = (number: string, name: string, rest: Partial<TestCard> = {}): TestCard => ({ number, name, brand: 'visa', ...rest });

/** Cards of https://docs.stripe.com/testing, and two of our own: `processing` and `authenticationOnPageOfBank`. */
const testCards: TestCard[] = [
  visa('4242424242424242', 'visa'),
  { number: '5555555555554444', name: 'mastercard', brand: 'mastercard' },
  { number: '378282246310005', name: 'amex', brand: 'amex' },
  visa('4000000000005001', 'processing', { processes: true }),
  visa('4000002500003155', 'authenticationRequiredOnSetup', { authenticates: 'once' }),
  visa('4000002760003184', 'authenticationRequired', { authenticates: 'always' }),
  visa('4000000000003063', 'authenticationOnPageOfBank', { authenticates: 'always', redirects: true }),
  visa('4000000000000002', 'chargeDeclined', { decline: genericDecline }),
  visa('4000000000000341', 'chargeCustomerFail', { decline: genericDecline, savable: true }),
  visa('4000000000009995', 'chargeDeclinedInsufficientFunds', { decline: insufficientFunds }),
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

const getFingerprint = (number: string) => createHash('sha256').update(number).digest('base64url').slice(0, 16);
const byFingerprint = new Map(testCards.map((card) => [getFingerprint(card.number), card]));
const byName = new Map(testCards.map((card) => [`pm_card_${card.name}`, card]));

/** The test card of a stored method, which has no number. */
export function getTestCard(card: Pick<Stripe.PaymentMethod.Card, 'fingerprint'>): TestCard {
  const found = byFingerprint.get(card.fingerprint ?? '');
  if (!found) throw new Error('the payment method has no test card');
  return found;
}

const testCardOfNumber = (number: string) => byFingerprint.get(getFingerprint(number)) ?? null;

const testCardOfName = (name: string) => byName.get(name) ?? byName.get(name.replace('pm_card_visa_', 'pm_card_')) ?? null;
