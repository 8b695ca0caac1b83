import { amount, money } from '@handwise/contract/money';
import { expect, test } from 'vitest';
import { age, currencyOf, megabytes, rating } from './format.ts';

test('prices have two decimals and thousands', () => {
  expect([amount(25), amount(1000), amount(0.5)]).toEqual(['25.00', '1,000.00', '0.50']);
});

test('an average has one decimal, also where there is none yet', () => {
  expect([rating(0), rating(4.76), rating(5)]).toEqual(['0.0', '4.8', '5.0']);
});

const zone = 'Pacific/Auckland';

test('ages count days as people do, not 24 hours', () => {
  const now = new Date('2026-11-21T00:30:00Z'); // 13:30 on the 21st in Auckland.
  expect(age('2026-11-20T11:30:00Z', now, zone)).toBe('Today');
  expect(age('2026-11-20T10:30:00Z', now, zone)).toBe('Yesterday');
  expect(age('2026-11-19T10:30:00Z', now, zone)).toBe('2 days ago');
  expect(age('2026-11-16T00:00:00Z', now, zone)).toBe('5 days ago');
  expect(age('2026-11-22T00:00:00Z', now, zone)).toBe('Today');
});

test('what is today in Perth may be yesterday in Auckland', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(age('2026-11-20T02:00:00Z', now, 'Australia/Perth')).toBe('Today');
  expect(age('2026-11-20T02:00:00Z', now, zone)).toBe('Yesterday');
});

test('money is shown in dollars with its currency, which is the country’s', () => {
  expect(money(2500, 'NZD')).toBe('$25.00 NZD');
  expect(money(123_456, 'AUD')).toBe('$1,234.56 AUD');
  expect([currencyOf('NZ'), currencyOf('AU')]).toEqual(['NZD', 'AUD']);
});

test('sizes of files are shown in megabytes', () => {
  expect(megabytes(5 * 1024 * 1024)).toBe('5MB');
});
