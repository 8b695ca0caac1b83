import type { KeyboardEvent } from 'react';
import { expect, test } from 'vitest';
import { isSendKey } from './composer.tsx';

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
