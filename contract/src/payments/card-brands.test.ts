import { expect, test } from 'vitest';
import { brandName } from './card-brands.ts';

test.each([
  ['visa', 'Visa'],
  ['mastercard', 'Mastercard'],
  ['amex', 'American Express'],
  ['diners', 'Diners Club'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay'],
  ['eftpos_au', 'eftpos_au'],
  ['unknown', 'Card'],
  ['', 'Card'],
  ['constructor', 'constructor'],
])('names the brand "%s" %s', (brand, name) => {
  expect(brandName(brand)).toBe(name);
});
