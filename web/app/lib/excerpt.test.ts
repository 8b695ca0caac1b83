import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

test.each([
  ['a short text in full', 'Fences and gates.', 'Fences and gates.'],
  ['lines as one', 'Fences\n\n  and gates.', 'Fences and gates.'],
  ['exactly 120 characters in full', 'x'.repeat(120), 'x'.repeat(120)],
  ['a longer text up to 120 characters', 'x'.repeat(121), `${'x'.repeat(120)}…`],
  ['no half of a word', `${'x'.repeat(100)} ${'y'.repeat(40)}`, `${'x'.repeat(100)}…`],
  ['a word that ends with the last letter', `${'x'.repeat(100)} ${'y'.repeat(19)} zz`, `${'x'.repeat(100)} ${'y'.repeat(19)}…`],
  ['no comma before the dots', `${'x'.repeat(100)}, ${'y'.repeat(40)}`, `${'x'.repeat(100)}…`],
  ['no space before the dots', `${'x'.repeat(119)} yyy`, `${'x'.repeat(119)}…`],
  ['no half of a letter that takes two', '🏠'.repeat(130), `${'🏠'.repeat(120)}…`],
])('a card shows %s', (_, text, expected) => {
  expect(excerpt(text)).toBe(expected);
});
