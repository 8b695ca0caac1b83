import { paymentReturns, paymentReturnTo } from '@handwise/contract/payments/return';
import { expect, test } from 'vitest';
import { type ReturnState, readReturn, type Returned, describeReturn } from './payment-return.tsx';

const listing = '0b8a1a50-6c1c-4b6e-9d3e-2a1a5c3c9f10';
const read = (address: string) => readReturn(new URL(address, 'https://own.invalid').searchParams);

test('reads the return address with the parameters that the provider adds', () => {
  const added = '&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&setup_intent=seti_1&redirect_status=succeeded';
  expect(paymentReturns.map((purpose) => read(paymentReturnTo(purpose, listing) + added))).toEqual([
    { purpose: 'listing', listingId: listing, intentId: 'pi_1' },
    { purpose: 'plan_change', listingId: listing, intentId: 'pi_1' },
    { purpose: 'reactivation', listingId: listing, intentId: 'pi_1' },
    { purpose: 'renewal', listingId: listing, intentId: 'pi_1' },
    { purpose: 'card', listingId: listing, intentId: 'seti_1' },
  ]);
  expect(read(paymentReturnTo('listing'))).toEqual({ purpose: 'listing', listingId: null, intentId: null });
});

test('ignores invalid ids', () => {
  expect(read('/payment-return?for=plan_change&listing=../admin&payment_intent=pi_1%2F..')).toEqual({
    purpose: 'plan_change',
    listingId: null,
    intentId: null,
  });
  expect(read('/payment-return?for=somewhere&payment_intent=seti_1')).toMatchObject({ purpose: 'listing', intentId: null });
  expect(read('/payment-return?for=card&setup_intent=pi_1').intentId).toBeNull();
});

const of = (purpose: Returned['purpose'], listingId: string | null = listing): Returned => ({ purpose, listingId, intentId: 'pi_1' });

test.each<[Returned['purpose'], ReturnState['is'], string, string | null]>([
  ['listing', 'paid', 'Your plan is paid', '/addList'],
  ['plan_change', 'paid', 'Your plan is changed', '/mylistings/mylistings'],
  ['reactivation', 'paid', 'Your listing is back', '/mylistings/mylistings'],
  ['card', 'paid', 'Your card is saved', '/account/payment'],
  ['listing', 'failed', 'Nothing was charged', '/addList'],
  ['plan_change', 'failed', 'Nothing was charged', `/updatePlan/${listing}`],
  ['reactivation', 'failed', 'Nothing was charged', `/reactivateListing/${listing}`],
  ['card', 'failed', 'The card was not saved', '/account/payment'],
  ['listing', 'returned', 'This payment goes back to your card', '/mylistings/mylistings'],
  ['listing', 'unknown', 'Payment not found', '/mylistings/mylistings'],
  ['card', 'unknown', 'Card not found', '/account/payment'],
  ['listing', 'processing', 'Your bank is still deciding', null],
  ['plan_change', 'asking', 'Confirming payment...', null],
])('%s, %s: “%s”, and on to %s', (purpose, is, title, to) => {
  const words = describeReturn(of(purpose), { is } as ReturnState);
  expect([words.title, words.next?.to ?? null]).toEqual([title, to]);
});

test('offers a retry if the server is unreachable, and links the list without a listing', () => {
  expect(describeReturn(of('listing'), { is: 'trouble', message: 'No connection.' })).toMatchObject({
    text: 'No connection.',
    again: true,
  });
  expect(describeReturn(of('plan_change', null), { is: 'failed' }).next?.to).toBe('/mylistings/mylistings');
  expect(describeReturn(of('listing'), { is: 'failed' }).again).toBe(false);
});
