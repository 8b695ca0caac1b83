import { expect, test } from 'vitest';
import { formatExpiry, formatNumber, passesLuhn, listCardProblems, getCardScheme } from './card-number.ts';

test.each([
  ['4242424242424242', 'visa', '4242 4242 4242 4242'],
  ['4242-4242 42424242 99', 'visa', '4242 4242 4242 4242'],
  ['5555555555554444', 'mastercard', '5555 5555 5555 4444'],
  ['2223003122003222', 'mastercard', '2223 0031 2200 3222'],
  ['378282246310005', 'amex', '3782 822463 10005'],
  ['30569309025904', 'diners', '3056 930902 5904'],
  ['6011111111111117', 'discover', '6011 1111 1111 1117'],
  ['3566002020360505', 'jcb', '3566 0020 2036 0505'],
  ['6200000000000005', 'unionpay', '6200 0000 0000 0005'],
  ['9', 'unknown', '9'],
  ['', 'unknown', ''],
])('groups %s as printed on a card of %s', (typed, brand, shown) => {
  expect(getCardScheme(typed).brand).toBe(brand);
  expect(formatNumber(typed)).toBe(shown);
});

test.each([
  ['4', false, '04 / '],
  ['1', false, '1'],
  ['1/', false, '01 / '],
  ['12', false, '12 / '],
  ['12 /', true, '12'],
  ['123', false, '12 / 3'],
  ['12/34', false, '12 / 34'],
  ['12/2034', false, '12 / 34'],
  ['', true, ''],
])('formats an expiry typed as %j (erasing: %j) as %j', (typed, shrinking, shown) => {
  expect(formatExpiry(typed, shrinking)).toBe(shown);
});

test('rejects a number with two digits swapped', () => {
  expect(passesLuhn('4242424242424242')).toBe(true);
  expect(passesLuhn('2442424242424242')).toBe(false);
  expect(passesLuhn('')).toBe(false);
});

test('is complete with number, date and code, and reports what each field misses', () => {
  const now = new Date('2026-10-15T00:00:00Z');
  expect(listCardProblems({ number: '4242 4242 4242 4242', expiry: '10 / 26', cvc: '123' }, now)).toEqual({
    number: null,
    expiry: null,
    cvc: null,
  });
  expect(listCardProblems({ number: '3782 822463 10005', expiry: '09 / 26', cvc: '123' }, now)).toEqual({
    number: null,
    expiry: 'Your card’s expiry date is in the past.',
    cvc: 'Your card’s security code is incomplete.',
  });
  expect(listCardProblems({ number: '4242 4242', expiry: '13 / 30', cvc: '' }, now)).toMatchObject({
    number: 'Your card number is incomplete.',
    expiry: 'Your card’s expiry date is invalid.',
  });
  expect(listCardProblems({ number: '4242 4242 4242 4241', expiry: '1', cvc: '12' }, now)).toMatchObject({
    number: 'Your card number is invalid.',
    expiry: 'Your card’s expiry date is incomplete.',
  });
});
