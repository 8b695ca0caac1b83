import { expect, test } from 'vitest';
import { findTabOfKey } from './tabs.tsx';

const tabs = [{ id: 'entries' }, { id: 'draws', disabled: true }, { id: 'share' }, { id: 'rules' }] as const;

test.each([
  ['entries', 'ArrowRight', 'share'],
  ['share', 'ArrowRight', 'rules'],
  ['rules', 'ArrowRight', 'entries'],
  ['share', 'ArrowLeft', 'entries'],
  ['entries', 'ArrowLeft', 'rules'],
  ['share', 'Home', 'entries'],
  ['share', 'End', 'rules'],
  ['share', 'Enter', undefined],
] as const)('from %s %s leads to %s, past what cannot be chosen', (chosen, key, next) => {
  expect(findTabOfKey(tabs, chosen, key)).toBe(next);
});
