import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { Refusal } from './errors.ts';
import { integer, type Params, required, text } from './form.ts';

type Decline = { code: string; decline_code?: string; message: string };

const declined: Decline = { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' };
export const needsAuthentication: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

type TestCard = {
  number: string;
  /** After `pm_card_`: the method of this name has this card. */
  name: string;
  brand: 'visa' | 'mastercard' | 'amex';
  funding?: 'debit';
  does: 'pay' | 'authenticate' | 'process' | 'decline';
  decline?: Decline;
  /** Saving it works, although payments are declined. */
  savable?: true;
};

const decline = (number: string, name: string, reason: Decline): TestCard => ({
  number,
  name,
  brand: 'visa',
  does: 'decline',
  decline: reason,
});

/** https://docs.stripe.com/testing, and one more for a payment that takes its time: Stripe has none for cards. */
const testCards: TestCard[] = [
  { number: '4242424242424242', name: 'visa', brand: 'visa', does: 'pay' },
  { number: '4000056655665556', name: 'visa_debit', brand: 'visa', funding: 'debit', does: 'pay' },
  { number: '5555555555554444', name: 'mastercard', brand: 'mastercard', does: 'pay' },
  { number: '378282246310005', name: 'amex', brand: 'amex', does: 'pay' },
  { number: '4000000000000077', name: 'bypassPending', brand: 'visa', does: 'pay' },
  { number: '4000000000005001', name: 'processing', brand: 'visa', does: 'process' },
  { number: '4000002500003155', name: 'authenticationRequiredOnSetup', brand: 'visa', does: 'authenticate' },
  { number: '4000002760003184', name: 'authenticationRequired', brand: 'visa', does: 'authenticate' },
  decline('4000000000000002', 'chargeDeclined', declined),
  { ...decline('4000000000000341', 'chargeCustomerFail', declined), savable: true },
  decline('4000000000009995', 'chargeDeclinedInsufficientFunds', {
    code: 'card_declined',
    decline_code: 'insufficient_funds',
    message: 'Your card has insufficient funds.',
  }),
  decline('4000000000000069', 'chargeDeclinedExpiredCard', { code: 'expired_card', message: 'Your card has expired.' }),
  decline('4000000000000127', 'chargeDeclinedIncorrectCvc', {
    code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  }),
  decline('4000000000000119', 'chargeDeclinedProcessingError', {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  }),
];

const fingerprintOf = (number: string) => createHash('sha256').update(number).digest('base64url').slice(0, 16);
const byFingerprint = new Map(testCards.map((card) => [fingerprintOf(card.number), card]));
const byName = new Map(testCards.map((card) => [`pm_card_${card.name}`, card]));

/** Which test card a stored method has: the number itself is not kept. */
export function testCardOf(card: Stripe.PaymentMethod.Card): TestCard {
  const found = byFingerprint.get(card.fingerprint ?? '');
  if (!found) throw new Error('a payment method without a test card');
  return found;
}

/** The card behind `pm_card_visa` and its like, or null for any other name. */
export function cardOfName(name: string) {
  const card = byName.get(name) ?? byName.get(name.replace('pm_card_visa_', 'pm_card_'));
  return card ? details(card, { month: 8, year: new Date().getFullYear() + 1 }) : null;
}

/** The parameters `card[number|exp_month|exp_year|cvc]`, checked as Stripe does. */
export function cardOfParams(params: Params) {
  const number = required(text(params, 'number'), 'card[number]').replaceAll(/[\s-]/g, '');
  const month = required(integer(params, 'exp_month'), 'card[exp_month]');
  const shortYear = required(integer(params, 'exp_year'), 'card[exp_year]');
  const cvc = text(params, 'cvc');
  if (!/^\d{12,19}$/.test(number)) throw refused('invalid_number', 'number', 'Your card number is incorrect.');
  if (!passesLuhn(number)) throw refused('incorrect_number', 'number', 'Your card number is incorrect.');
  const year = shortYear < 100 ? 2000 + shortYear : shortYear;
  const now = new Date();
  if (month < 1 || month > 12) throw refused('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  if (year < now.getFullYear() || year > now.getFullYear() + 50) {
    throw refused('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    throw refused('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  const card = byFingerprint.get(fingerprintOf(number));
  if (cvc !== null && !(card?.brand === 'amex' ? /^\d{3,4}$/ : /^\d{3}$/).test(cvc)) {
    throw refused('invalid_cvc', 'cvc', "Your card's security code is invalid.");
  }
  if (!card) {
    throw new Refusal(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'test_mode_live_card',
      message: 'Your card was declined. Your request was in test mode, but used a non test card.',
      param: '',
    });
  }
  return details(card, { month, year });
}

const refused = (code: string, param: string, message: string) => new Refusal(402, { type: 'card_error', code, param, message });

function passesLuhn(number: string) {
  let sum = 0;
  for (const [index, digit] of [...number].toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

function details({ number, brand, funding, does }: TestCard, expiry: { month: number; year: number }): Stripe.PaymentMethod.Card {
  return {
    brand,
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
    country: 'NZ',
    display_brand: brand,
    exp_month: expiry.month,
    exp_year: expiry.year,
    fingerprint: fingerprintOf(number),
    funding: funding ?? 'credit',
    generated_from: null,
    last4: number.slice(-4),
    networks: { available: [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: does === 'authenticate' },
    wallet: null,
  };
}
