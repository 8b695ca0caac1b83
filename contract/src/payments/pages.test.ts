import { expect, test } from 'vitest';
import { paths } from '../paths.ts';
import { isPaymentPage } from './pages.ts';

test('the pages of payment are those on which a card can be typed in, and no others', () => {
  const every = Object.values(paths).map((path) => (typeof path === 'string' ? path : path('one')));
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
