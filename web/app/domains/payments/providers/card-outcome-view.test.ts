import { expect, test } from 'vitest';
import { getOutcome, getOutcomeProblem, describeRejection, removeEmptyFields } from './card-outcome-view.ts';

const ofCard = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'Insufficient funds.' };
const ofBank = { type: 'invalid_request_error', code: 'setup_intent_authentication_failure', message: 'Unable to authenticate.' };

test('explains a declined card: what happened, what stays and what to do', () => {
  const status = 'requires_payment_method';
  expect(getOutcomeProblem(getOutcome({ id: 'pi_1', status, last_payment_error: ofCard }))).toBe(
    'Your card has insufficient funds. Nothing was charged. Your listing is kept. Try another card.',
  );
  expect(getOutcomeProblem(getOutcome({ id: 'seti_1', status, last_setup_error: ofBank }))).toBe(
    'Your bank could not confirm that it is you. Nothing was charged. The card was not saved. Try again and confirm with your bank, or use another card.',
  );
});

test("explains a rejected call by its code, else in the provider's words", () => {
  expect(describeRejection(ofCard, 'save')).toBe(
    'Your card has insufficient funds. Nothing was charged. The card was not saved. Try another card.',
  );
  expect(describeRejection({ type: 'card_error', code: 'expired_card', message: 'No.' }, 'pay')).toMatch(
    /^Your card has expired\. Nothing was/,
  );
  expect(describeRejection({ ...ofBank, code: 'payment_intent_authentication_failure' }, 'pay')).toMatch(/^Your bank could not confirm/);
  const incomplete = { type: 'validation_error', code: 'incomplete_number', message: 'Your card number is incomplete.' };
  expect(describeRejection(incomplete, 'pay')).toBe('Your card number is incomplete.');
  expect(describeRejection({ type: 'api_connection_error', message: 'No connection.' }, 'pay')).toBe('No connection.');
  expect(describeRejection({}, 'pay')).toBe('Payment failed. Please try a different card or try again later.');
});

test('reports no problem for a paid or pending payment', () => {
  expect(getOutcome({ id: 'pi_1', status: 'succeeded', last_payment_error: null })).toEqual({ status: 'succeeded', id: 'pi_1' });
  expect(getOutcomeProblem({ status: 'succeeded', id: 'pi_1' })).toBeNull();
  expect(getOutcomeProblem({ status: 'processing', id: 'pi_1' })).toBeNull();
});

test.each(['canceled', 'requires_payment_method', 'requires_capture'])('names a payment that is %s', (status) => {
  expect(getOutcomeProblem(getOutcome({ id: 'pi_1', status }))).toBe(`Payment status: ${status}. Please try again or contact support.`);
});

test('has a text for a rejection without a reason', () => {
  expect(getOutcomeProblem({ error: '' })).toBe('Payment failed. Please try a different card or try again later.');
});

test('sends only the filled fields of an address', () => {
  expect(removeEmptyFields({ line1: '', city: 'Nelson', postal_code: '', country: 'NZ' })).toEqual({ city: 'Nelson', country: 'NZ' });
});
