import { expect, test } from 'vitest';
import { describeDecline } from './decline-words.ts';

const nothingCharged = 'Nothing was charged. Your listing is kept.';
const another = 'Try another card.';
const check = 'Check it, or try another card.';
const later = 'Try again in a few minutes, or use another card.';
const bank = 'Try again and confirm with your bank, or use another card.';
const cvc = 'Your card’s security code (CVC) is incorrect.';
const number = 'Your card number is incorrect.';
const expiry = 'Your card’s expiry date is incorrect.';
const address = 'Your card’s billing address does not match.';
const you = 'Your bank could not confirm that it is you.';
const notNow = 'Your bank could not process the card just now.';
const limit = 'Your card is over its limit.';
const kind = 'Your card does not allow this kind of payment.';
const mode = 'Only test cards work here, and real cards where real money is taken.';

test.each([
  ['card_declined', 'insufficient_funds', 'Your card has insufficient funds.', another],
  ['expired_card', 'expired_card', 'Your card has expired.', another],
  ['expired_card', undefined, 'Your card has expired.', another],
  ['incorrect_number', undefined, number, check],
  ['invalid_number', undefined, number, check],
  ['invalid_expiry_month', undefined, expiry, check],
  ['invalid_expiry_year', undefined, expiry, check],
  ['incorrect_cvc', 'incorrect_cvc', cvc, check],
  ['invalid_cvc', undefined, cvc, check],
  ['incorrect_address', undefined, address, check],
  ['incorrect_zip', undefined, address, check],
  ['card_declined', 'authentication_required', you, bank],
  ['card_declined', 'authentication_not_handled', you, bank],
  ['payment_intent_authentication_failure', undefined, you, bank],
  ['setup_intent_authentication_failure', undefined, you, bank],
  ['card_declined', 'card_velocity_exceeded', limit, another],
  ['card_declined', 'withdrawal_count_limit_exceeded', limit, another],
  ['card_declined', 'card_not_supported', kind, another],
  ['card_declined', 'currency_not_supported', kind, another],
  ['card_declined', 'issuer_not_available', notNow, later],
  ['processing_error', 'processing_error', notNow, later],
  ['card_declined', 'reenter_transaction', notNow, later],
  ['card_declined', 'try_again_later', notNow, later],
  ['card_declined', 'live_mode_test_card', mode, another],
  ['card_declined', 'test_mode_live_card', mode, another],
])('explains a card declined with %s (%s): what happened, what is kept and what to do', (code, declineCode, what, next) => {
  expect(describeDecline({ code, declineCode }, 'pay')).toBe(`${what} ${nothingCharged} ${next}`);
});

test.each([
  'lost_card',
  'stolen_card',
  'pickup_card',
  'fraudulent',
  'merchant_blacklist',
  'generic_decline',
  'not_known_yet',
  undefined,
  null,
])('describes a card that is %s only as declined', (declineCode) => {
  expect(describeDecline({ code: 'card_declined', declineCode }, 'pay')).toBe(`Your card was declined. ${nothingCharged} ${another}`);
});

test('prefers the issuer’s reason to the provider’s error', () => {
  expect(describeDecline({ code: 'processing_error', declineCode: 'insufficient_funds' }, 'pay')).toContain('insufficient funds');
});

test('says that a card was not saved', () => {
  expect(describeDecline({}, 'save')).toBe('Your card was declined. Nothing was charged. The card was not saved. Try another card.');
});
