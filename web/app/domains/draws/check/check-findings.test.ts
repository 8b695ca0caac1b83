import { expect, test } from 'vitest';
import { isShown, verdictText } from './check-findings.tsx';

test('the verdict claims nothing of a result that is not out', () => {
  expect(verdictText({ holds: true, isOver: true, ms: 1234 })).toBe(
    'The tickets, the random number and the result all match. Your browser worked this out by itself in 1.2 seconds.',
  );
  expect(verdictText({ holds: true, isOver: false, ms: 0 })).toContain('Everything published so far matches.');
  expect(verdictText({ holds: false, isOver: true, ms: 0 })).toContain('This draw does not check out');
});

test('what needs something that the reader did not bring has no line; what was not checked for another reason has', () => {
  const isLine = (name: 'mail' | 'commitment' | 'winner', state: 'holds' | 'fails' | 'not-checked') =>
    isShown({ name, title: '', state, says: [] });
  expect([isLine('mail', 'not-checked'), isLine('commitment', 'not-checked')]).toEqual([false, false]);
  expect([isLine('mail', 'fails'), isLine('commitment', 'holds'), isLine('winner', 'not-checked')]).toEqual([true, true, true]);
});
