import { expect, test } from 'vitest';
import { formatPhoneNumber, isPhoneNumber, toE164 } from './phone.ts';

test.each([
  ['021 345 678', 'NZ', '+6421345678', '+64 21 345 678'],
  ['(09) 555-0100', 'NZ', '+6495550100', '+64 9 555 0100'],
  ['0491 570 006', 'AU', '+61491570006', '+61 491 570 006'],
  // Valid in one country only.
  ['0491 570 006', 'NZ', '+61491570006', '+61 491 570 006'],
  ['021 345 678', 'AU', '+6421345678', '+64 21 345 678'],
  // Valid in both: the listing's country decides.
  ['02 7876 5432', 'NZ', '+64278765432', '+64 27 876 5432'],
  ['02 7876 5432', 'AU', '+61278765432', '+61 2 7876 5432'],
  ['+61 491 570 006', 'NZ', '+61491570006', '+61 491 570 006'],
  ['+64 21 345 678', 'AU', '+6421345678', '+64 21 345 678'],
] as const)('stores "%s" of a listing in %s as %s', (typed, country, stored, shown) => {
  expect(isPhoneNumber(typed)).toBe(true);
  expect(toE164(typed, country)).toBe(stored);
  expect(formatPhoneNumber(stored)).toBe(shown);
});

test.each(['12', '+1 212 555 0100', '021 345 67x', 'call me', '', '+64 0000', '021 345 678 ext 2'])('refuses "%s"', (typed) => {
  expect(isPhoneNumber(typed)).toBe(false);
});
