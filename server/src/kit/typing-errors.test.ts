import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgivenErrors, typingErrors } from './typing-errors.ts';

test.each([
  ['plubmer', 'plumber', 1],
  ['plumer', 'plumber', 1],
  ['elctricain', 'electrician', 2],
  ['roof', 'roof', 0],
  ['', 'abc', 3],
])('%s for %s is %i typing errors', (typed, meant, errors) => {
  expect(typingErrors(typed, meant)).toBe(errors);
});

test('typing errors are the same both ways, and none only between equal words', () => {
  const word = fc.string({ minLength: 0, maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (one, other) => {
      expect(typingErrors(one, other)).toBe(typingErrors(other, one));
      expect(typingErrors(one, other) === 0).toBe(one === other);
      expect(typingErrors(one, other)).toBeLessThanOrEqual(Math.max(one.length, other.length));
    }),
  );
});

test('short words are not forgiven what long ones are', () => {
  expect([3, 4, 5, 6, 12].map((length) => forgivenErrors('x'.repeat(length)))).toEqual([0, 1, 1, 2, 2]);
});
