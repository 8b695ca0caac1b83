import { expect, test } from 'vitest';
import { untilMessages } from './listing-words.ts';

test('a business with a website can be reached through it', () => {
  expect(untilMessages({ name: 'Kingi Plumbing', website: { href: 'https://kingi.example/', label: 'kingi.example' } })).toBe(
    'Messages open soon. Until then you can reach Kingi Plumbing through its website, kingi.example.',
  );
});

test('a business without contact details is not described as reachable by them', () => {
  expect(untilMessages({ name: 'Kingi Plumbing', website: null })).toBe(
    'Messages open soon, and Kingi Plumbing names no other way to be reached. Please come back in a little while.',
  );
});
