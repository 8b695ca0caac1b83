import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { findTextProblem, isSendKey } from './composer.tsx';

const pressed = (key: string, more: { shiftKey?: boolean; isComposing?: boolean; keyCode?: number } = {}) => {
  const { shiftKey = false, isComposing = false, keyCode = 13 } = more;
  return isSendKey({ key, shiftKey, nativeEvent: { isComposing, keyCode } as KeyboardEvent['nativeEvent'] });
};

test('sends on Enter, except for a new line or while composing', () => {
  expect(pressed('Enter')).toBe(true);
  expect(pressed('a', { keyCode: 65 })).toBe(false);
  expect(pressed('Enter', { shiftKey: true })).toBe(false);
  expect(pressed('Enter', { isComposing: true, keyCode: 229 })).toBe(false);
  expect(pressed('Enter', { keyCode: 229 })).toBe(false);
});

test.each([
  ['a'.repeat(2_000), 0, ''],
  [` ${'a'.repeat(2_000)}\n`, 0, ''],
  ['a'.repeat(2_001), 0, 'Message cannot exceed 2000 characters'],
  [' \n', 0, 'Message is required'],
  ['', 1, ''],
])('sends texts of up to 2,000 characters, and files without a text: %#', (text, files, problem) =>
  expect(findTextProblem(text, files)).toBe(problem),
);
