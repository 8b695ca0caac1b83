import { expect, test } from 'vitest';
import { outcomeOf, problemOf } from './card-outcome-view.ts';

test('a refused card gives the provider’s reason', () => {
  const refused = { id: 'pi_1', status: 'requires_payment_method', last_payment_error: { message: 'Your card was declined.' } };
  expect(problemOf(outcomeOf(refused))).toBe('Your card was declined.');
  const unsaved = { id: 'seti_1', status: 'requires_payment_method', last_setup_error: { message: 'The bank said no.' } };
  expect(problemOf(outcomeOf(unsaved))).toBe('The bank said no.');
});

test('a payment that went through, or that the bank still decides about, is no problem', () => {
  expect(outcomeOf({ id: 'pi_1', status: 'succeeded', last_payment_error: null })).toEqual({ status: 'succeeded', id: 'pi_1' });
  expect(problemOf({ status: 'succeeded', id: 'pi_1' })).toBeNull();
  expect(problemOf({ status: 'processing', id: 'pi_1' })).toBeNull();
});

test.each(['canceled', 'requires_payment_method', 'requires_capture'])('a payment that is %s is named so', (status) => {
  expect(problemOf(outcomeOf({ id: 'pi_1', status }))).toBe(`Payment status: ${status}. Please try again or contact support.`);
});

test('a refusal without a reason has words of its own', () => {
  expect(problemOf({ error: '' })).toBe('Payment failed. Please try a different card or try again later.');
});
