import { expect, test } from 'vitest';
import { listProcessors } from './processors.ts';

const named = (set: Parameters<typeof listProcessors>[0]) => listProcessors(set).map(({ name }) => name);

test('names Google, Apple and the payment provider only where they are set up', () => {
  const others = named({ realPayments: false, signInWith: [] });
  expect(others).not.toContain('Google');
  expect(others).not.toContain('Apple');
  expect(others).not.toContain('Stripe');
  expect(named({ realPayments: false, signInWith: ['apple'] })).toEqual(expect.arrayContaining(['Apple']));
  expect(named({ realPayments: false, signInWith: ['apple'] })).not.toContain('Google');
  expect(named({ realPayments: true, signInWith: ['google', 'apple'] })).toEqual(expect.arrayContaining(['Google', 'Apple', 'Stripe']));
});
