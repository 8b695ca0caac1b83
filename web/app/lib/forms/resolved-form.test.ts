import { expect, test } from 'vitest';
import { listUntyped } from './resolved-form.ts';
import { isComposing } from './composing.ts';

test('fills only empty fields with late defaults', () => {
  const known = { fullName: 'Mere Kingi', email: 'mere@example.org', website: '' };
  expect(listUntyped(known, { fullName: '', email: 'other@example.org', website: 'kingi.example', message: '' })).toEqual([
    ['fullName', 'Mere Kingi'],
  ]);
  expect(listUntyped({ unknown: 'text' }, { fullName: '' })).toEqual([]);
});

test.each([
  [{ isComposing: false, keyCode: 13 }, false],
  [{ isComposing: true, keyCode: 13 }, true],
  [{ isComposing: true, keyCode: 229 }, true],
  // Safari ends the composition before the key that ends it.
  [{ isComposing: false, keyCode: 229 }, true],
])('detects composing for %j: %s', (nativeEvent, expected) => {
  expect(isComposing({ nativeEvent })).toBe(expected);
});
