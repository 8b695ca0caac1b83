import { expect, test } from 'vitest';
import { isShown, formatVerdict } from './check-findings.tsx';

test('claims nothing about an unpublished result', () => {
  expect(formatVerdict({ isValid: true, isDrawn: true, ms: 1234 })).toBe(
    'The tickets, the random number and the result all match. Your browser worked this out by itself in 1.2 seconds.',
  );
  expect(formatVerdict({ isValid: true, isDrawn: false, ms: 0 })).toContain('Everything published so far matches.');
  expect(formatVerdict({ isValid: false, isDrawn: true, ms: 0 })).toContain('This draw does not check out');
});

test("hides steps that need the reader's files, and shows other unchecked ones", () => {
  const isLine = (name: 'mail' | 'commitment' | 'winner', state: 'passed' | 'failed' | 'not-checked') =>
    isShown({ name, title: '', state, details: [] });
  expect([isLine('mail', 'not-checked'), isLine('commitment', 'not-checked')]).toEqual([false, false]);
  expect([isLine('mail', 'failed'), isLine('commitment', 'passed'), isLine('winner', 'not-checked')]).toEqual([true, true, true]);
});
