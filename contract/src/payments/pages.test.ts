import { expect, test } from 'vitest';
import { paths } from '../paths.ts';
import { isPaymentPage } from './pages.ts';

test('allows the provider’s script only on pages with a card form', () => {
  const every = Object.values(paths).map((path) => (typeof path === 'string' ? path : path('one', 'two')));
  expect(every.filter(isPaymentPage).toSorted()).toEqual([
    '/account/billing',
    '/account/payment',
    '/addList',
    '/addListing',
    '/reactivateListing/one',
    '/updatePlan/one',
  ]);
  expect(isPaymentPage('/updatePlan/')).toBe(false);
});
