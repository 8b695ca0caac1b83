import { expect, test } from 'vitest';
import { isShown, verdictText } from './check-findings.tsx';

test('claims nothing about an unpublished result', () => {
  expect(verdictText({ holds: true, isOver: true, ms: 1234 })).toBe(
    'The tickets, the random number and the result all match. Your browser worked this out by itself in 1.2 seconds.',
  );
  expect(verdictText({ holds: true, isOver: false, ms: 0 })).toContain('Everything published so far matches.');
  expect(verdictText({ holds: false, isOver: true, ms: 0 })).toContain('This draw does not check out');
});

test("hides steps that need the reader's files, and shows other unchecked ones", () => {
  const isLine = (name: 'mail' | 'commitment' | 'winner', state: 'holds' | 'fails' | 'not-checked') =>
    isShown({ name, title: '', state, says: [] });
  expect([isLine('mail', 'not-checked'), isLine('commitment', 'not-checked')]).toEqual([false, false]);
  expect([isLine('mail', 'fails'), isLine('commitment', 'holds'), isLine('winner', 'not-checked')]).toEqual([true, true, true]);
});
