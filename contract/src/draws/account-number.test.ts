import { expect, test } from 'vitest';
import { readAccountNumber } from './account-number.ts';

test.each([
  ['12-3456-0123459-00', '12-3456-0123459-00'],
  ['12 3456 0123459 00', '12-3456-0123459-00'],
  ['123456012345900', '12-3456-0123459-00'],
  ['1234560123459000', '12-3456-0123459-000'],
  ['38-9000-0123458-000', '38-9000-0123458-000'],
  ['01–0902–0068389–00', '01-0902-0068389-00'],
  ['12-3456-123459-0', '12-3456-0123459-00'],
  ['1234 5601 2345 900', '12-3456-0123459-00'],
  ['12-3457-1234560-00', '12-3457-1234560-00'],
  ['12-3456-01000000-0001', '12-3456-01000000-0001'],
  ['08-6523-1954512-001', '08-6523-1954512-001'],
  ['26-2600-0320871-032', '26-2600-0320871-032'],
  ['31-2800-0000001-00', '31-2800-0000001-00'],
])('normalises the New Zealand number %s', (typed, number) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({ number });
});

test.each([
  ['99-3456-0123459-00', 'No New Zealand bank has the number 99. Please check the bank’s number'],
  ['12-3500-0123459-00', 'Bank 12 has no branch 3500. Please check the branch’s number'],
  ['38-8999-0123458-00', 'Bank 38 has no branch 8999. Please check the branch’s number'],
])('rejects %s with an unknown bank or branch', (typed, problem) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({ problem });
});

test.each([
  ['a wrong digit', '12-3456-0123458-00'],
  ['a wrong digit of the branch', '12-3457-0123459-00'],
  ['two swapped digits', '12-3456-0123495-00'],
  ['a wrong digit of a bank with its own check', '08-6523-1954513-001'],
  ['a wrong suffix where the check covers it', '26-2600-0320871-033'],
])('rejects %s by its check digits', (_, typed) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({
    problem: 'A digit of this number is wrong, or two are swapped. Please compare it with what your bank shows',
  });
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
])('rejects %s with an example of a New Zealand number', (typed) => {
  expect(readAccountNumber(typed, 'NZD')).toEqual({
    problem: 'A New Zealand account number has a bank, a branch, an account and a suffix, like 12-3456-0123459-00',
  });
});

test.each([
  ['062-000 12345678', '062-000 12345678'],
  ['062000 1234', '062-000 1234'],
  ['062 000 1234 56789', '062-000 123456789'],
  ['0620001234567890', '062-000 1234567890'],
])('normalises the Australian number %s', (typed, number) => {
  expect(readAccountNumber(typed, 'AUD')).toEqual({ number });
});

test.each([
  ['062-000', 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678'],
  ['062-00', 'An Australian account number has a BSB of six digits and an account, like 062-000 12345678'],
  ['062-000 123', 'A digit is missing: the account after the BSB has at least four'],
  ['062-000 12345678901', 'There are too many digits: a BSB has six, and the account at most ten'],
  ['000-000 12345678', 'No Australian bank has a BSB that begins with 00. Please check it'],
  ['062-000 00000', 'The account in this number is all zeros. Please check it'],
  ['01-0902-0068389-00', 'This is a New Zealand account number. Choose New Zealand dollars, or type an Australian one'],
])('rejects the Australian number %s with the reason', (typed, problem) => {
  expect(readAccountNumber(typed, 'AUD')).toEqual({ problem });
});

test('rejects letters and an account of zeros', () => {
  const problem = 'Use digits only, with spaces or dashes between them if you like';
  expect(readAccountNumber('GB29 NWBK 6016 1331 9268 19', 'NZD')).toEqual({ problem });
  expect(readAccountNumber('mere@example.com', 'AUD')).toEqual({ problem });
  expect(readAccountNumber('12-3456-0000000-00', 'NZD')).toEqual({
    problem: 'The account in this number is all zeros. Please check it',
  });
});
