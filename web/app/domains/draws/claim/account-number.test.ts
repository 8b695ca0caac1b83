import { expect, test } from 'vitest';
import { readAccountNumber } from './account-number.ts';

test.each([
  ['12-3456-0123456-00', '12-3456-0123456-00'],
  ['12 3456 0123456 00', '12-3456-0123456-00'],
  ['123456012345600', '12-3456-0123456-00'],
  ['1234560123456000', '12-3456-0123456-000'],
  ['38-9000-0123456-000', '38-9000-0123456-000'],
  ['01–0902–0068389–00', '01-0902-0068389-00'],
  ['12-3456-123456-0', '12-3456-0123456-00'],
  ['1234 5601 2345 600', '12-3456-0123456-00'],
  ['08-6523-12345678-0001', '08-6523-12345678-0001'],
])('the New Zealand number %s is read as banks write it', (typed, number) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({ number });
});

test.each([
  '12-3456-0123456',
  '12-345-0123456-00',
  '1-3456-0123456-00',
  '12-3456-12345-00',
  '12-3456-012345678-00',
  '12-3456-0123456-00000',
  '12345601234560',
  '12345601234560001234',
  '12-345-01234567-00',
])('the New Zealand number %s is refused with what one looks like', (typed) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({
    problem: 'A New Zealand account number has a bank, a branch, an account and a suffix, like 12-3456-0123456-00',
  });
});

test.each([
  ['062-000 12345678', '062-000 12345678'],
  ['062000 1234', '062-000 1234'],
  ['062 000 1234 56789', '062-000 123456789'],
  ['0620001234567890', '062-000 1234567890'],
])('the Australian number %s is read as banks write it', (typed, number) => {
  expect(readAccountNumber(typed, 'AUD')).toEqual({ number });
});

test.each([
  ['062-000', 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678'],
  ['062-00', 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678'],
  ['062-000 123', 'A digit is missing: the account after the BSB has at least four'],
  ['062-000 12345678901', 'There are too many digits: a BSB has six, and the account at most ten'],
  ['062-000 00000', 'The account in this number is all zeros. Please check it'],
])('of the Australian number %s it is said what is wrong', (typed, problem) => {
  expect(readAccountNumber(typed, 'AUD')).toEqual({ problem });
});

test('letters are no digits, and an account of zeros is none', () => {
  const problem = 'Use digits only, with spaces or dashes between them if you like';
  expect(readAccountNumber('GB29 NWBK 6016 1331 9268 19', 'NZD')).toEqual({ problem });
  expect(readAccountNumber('mere@example.com', 'AUD')).toEqual({ problem });
  expect(readAccountNumber('12-3456-0000000-00', 'NZD')).toEqual({
    problem: 'The account in this number is all zeros. Please check it',
  });
});
