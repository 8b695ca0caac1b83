import type Stripe from 'stripe';
import { Refusal } from '../calls/errors.ts';
import { integer, type Params, required, text } from '../calls/form.ts';
import { fingerprintOf, type TestCard, testCardOfName, testCardOfNumber } from './test-cards.ts';

/** The card behind `pm_card_visa` and its like, or null for any other name. */
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
  if (!/^\d{12,19}$/.test(number)) throw refused('invalid_number', 'number', 'Your card number is incorrect.');
  if (!passesLuhn(number)) throw refused('incorrect_number', 'number', 'Your card number is incorrect.');
  const expiry = expiryOf(month, shortYear);
  const card = testCardOfNumber(number);
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
  return details(card, expiry);
}

/** A new date that a call gives to a card, over the one that it has. */
export function newExpiry(params: Params, before: Pick<Stripe.PaymentMethod.Card, 'exp_month' | 'exp_year'>) {
  if (!('exp_month' in params) && !('exp_year' in params)) return {};
  const { month, year } = expiryOf(integer(params, 'exp_month') ?? before.exp_month, integer(params, 'exp_year') ?? before.exp_year);
  return { exp_month: month, exp_year: year };
}

function expiryOf(month: number, shortYear: number) {
  const year = shortYear < 100 ? 2000 + shortYear : shortYear;
  const now = new Date();
  if (month < 1 || month > 12) throw refused('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  if (year < now.getFullYear() || year > now.getFullYear() + 50) {
    throw refused('invalid_expiry_year', 'exp_year', "Your card's expiration year is invalid.");
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    throw refused('invalid_expiry_month', 'exp_month', "Your card's expiration month is invalid.");
  }
  return { month, year };
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

function details({ number, brand, funding, authenticates }: TestCard, expiry: { month: number; year: number }): Stripe.PaymentMethod.Card {
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
    three_d_secure_usage: { supported: authenticates !== undefined },
    wallet: null,
  };
}
