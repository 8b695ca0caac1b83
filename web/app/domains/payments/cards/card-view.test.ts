import { expect, test } from 'vitest';
import { cardView } from './card-view.ts';

const card = { _id: 'c', fullName: 'Aroha Ngata', cardNumber: '•••• •••• •••• 4242', cardBrand: 'visa', cardLast4: '4242' };

test('a card is good to the end of its month and expired from the first of the next', () => {
  const december = { ...card, expMonth: 12, expYear: 2026 };
  expect(cardView(december, new Date(2026, 11, 31, 23, 59))).toMatchObject({ isExpired: false, expiry: '12 / 26' });
  expect(cardView(december, new Date(2027, 0, 1))).toMatchObject({ isExpired: true });
});

test('a card is named by its brand and last digits, also where the brand is new to us', () => {
  const now = new Date(2026, 0, 1);
  expect(cardView({ ...card, expMonth: 1, expYear: 2030 }, now).label).toBe('Visa •••• 4242');
  expect(cardView({ ...card, cardBrand: 'eftpos', expMonth: 1, expYear: 2030 }, now).label).toBe('eftpos •••• 4242');
});
