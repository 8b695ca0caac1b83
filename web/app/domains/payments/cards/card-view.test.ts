import { expect, test } from 'vitest';
import { toSavedCardView, findUsableCard } from './card-view.ts';

const card = { _id: 'c', fullName: 'Aroha Ngata', cardNumber: '•••• •••• •••• 4242', cardBrand: 'visa', cardLast4: '4242' };

test('expires a card on the first of the next month', () => {
  const december = { ...card, expMonth: 12, expYear: 2026 };
  expect(toSavedCardView(december, new Date(2026, 11, 31, 23, 59))).toMatchObject({ isExpired: false, expiry: '12 / 26' });
  expect(toSavedCardView(december, new Date(2027, 0, 1))).toMatchObject({ isExpired: true });
});

test('names a card by brand and last digits, unknown brands too', () => {
  const now = new Date(2026, 0, 1);
  expect(toSavedCardView({ ...card, expMonth: 1, expYear: 2030 }, now).label).toBe('Visa •••• 4242');
  expect(toSavedCardView({ ...card, cardBrand: 'eftpos', expMonth: 1, expYear: 2030 }, now).label).toBe('eftpos •••• 4242');
});

test('preselects the newest card that can pay', () => {
  const now = new Date(2027, 5, 15);
  const expired = { ...card, _id: 'expired', expMonth: 5, expYear: 2027 };
  const good = { ...card, _id: 'good', expMonth: 6, expYear: 2027 };
  expect(findUsableCard([expired, good, { ...good, _id: 'older' }], now)).toBe('good');
  expect(findUsableCard([expired], now)).toBeNull();
  expect(findUsableCard([], now)).toBeNull();
  expect(findUsableCard(undefined, now)).toBeUndefined();
});

test('writes months and years with two digits', () => {
  expect(toSavedCardView({ ...card, expMonth: 1, expYear: 2105 }, new Date(2026, 0, 1)).expiry).toBe('01 / 05');
});
