import { expect, test } from 'vitest';
import { age, amount, counted, date, locationPath, rating } from './format.ts';

test('prices have two decimals and thousands', () => {
  expect([amount(25), amount(1000), amount(0.5)]).toEqual(['25.00', '1,000.00', '0.50']);
});

test('counts agree with their noun', () => {
  expect([counted(0, 'review'), counted(1, 'review'), counted(1234, 'review'), counted(2, 'entry', 'entries')]).toEqual([
    '0 reviews',
    '1 review',
    '1,234 reviews',
    '2 entries',
  ]);
});

test('an average has one decimal, also where there is none yet', () => {
  expect([rating(0), rating(4.76), rating(5)]).toEqual(['0.0', '4.8', '5.0']);
});

test('a date is the day in Auckland, wherever it is read', () => {
  expect(date('2026-11-20T12:30:00Z')).toBe('Nov 21, 2026');
});

test('ages count days as people do, not 24 hours', () => {
  const now = new Date('2026-11-21T00:30:00Z'); // 13:30 on the 21st in Auckland.
  expect(age('2026-11-20T11:30:00Z', now)).toBe('Today');
  expect(age('2026-11-20T10:30:00Z', now)).toBe('Yesterday');
  expect(age('2026-11-16T00:00:00Z', now)).toBe('5 days ago');
  expect(age('2026-11-22T00:00:00Z', now)).toBe('Today');
});

test('ages are right over a change of the clocks', () => {
  // Clocks went forward in Auckland on 27 September 2026.
  expect(age('2026-09-26T11:30:00Z', new Date('2026-09-27T10:30:00Z'))).toBe('Yesterday');
});

test('a place is shown from small to large', () => {
  expect(locationPath('Taupō, Waikato, New Zealand')).toBe('Taupō › Waikato › New Zealand');
  expect(locationPath('Gisborne, Gisborne, New Zealand')).toBe('Gisborne › New Zealand');
  expect(locationPath('')).toBe('Location not specified');
});
