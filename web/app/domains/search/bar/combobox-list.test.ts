import { expect, test } from 'vitest';
import { getKeyEffect } from './combobox-list.tsx';

const closed = { open: false, active: -1, count: 3, removable: 0, typed: true };
const open = { ...closed, open: true };
const at = (active: number) => ({ ...open, active });

test.each([
  ['ArrowDown opens a closed list at its first choice', 'ArrowDown', closed, { open: true, active: 0, handled: true }],
  ['ArrowDown goes from the text to the first choice', 'ArrowDown', open, { open: true, active: 0, handled: true }],
  ['ArrowDown goes to the next choice', 'ArrowDown', at(0), { open: true, active: 1, handled: true }],
  ['ArrowDown goes from the last choice to the first', 'ArrowDown', at(2), { open: true, active: 0, handled: true }],
  ['ArrowDown without choices makes none active', 'ArrowDown', { ...closed, count: 0 }, { open: true, active: -1, handled: true }],
  ['ArrowUp opens a closed list at its last choice', 'ArrowUp', closed, { open: true, active: 2, handled: true }],
  [
    'ArrowUp opens a closed list at its last choice, wherever one was before',
    'ArrowUp',
    { ...at(1), open: false },
    { open: true, active: 2, handled: true },
  ],
  ['ArrowUp goes from the text to the last choice', 'ArrowUp', open, { open: true, active: 2, handled: true }],
  ['ArrowUp goes to the choice before', 'ArrowUp', at(2), { open: true, active: 1, handled: true }],
  ['ArrowUp goes from the second choice to the first', 'ArrowUp', at(1), { open: true, active: 0, handled: true }],
  ['ArrowUp goes from the first choice to the last', 'ArrowUp', at(0), { open: true, active: 2, handled: true }],
  ['Enter takes the active choice and no more', 'Enter', at(1), { open: false, active: -1, choose: 1, handled: true }],
  ['Enter takes the first choice where that is active', 'Enter', at(0), { open: false, active: -1, choose: 0, handled: true }],
  ['Enter without an active choice closes the list and sends the form', 'Enter', open, { open: false, active: -1, handled: false }],
  ['Enter takes nothing from a closed list', 'Enter', { ...at(1), open: false }, { open: false, active: -1, handled: false }],
  ['Escape closes the list and keeps the text', 'Escape', at(1), { open: false, active: -1, handled: true }],
  ['Escape empties the text where the list is closed', 'Escape', closed, { open: false, active: -1, empty: true, handled: true }],
  [
    'Escape empties the text where the list has no choices',
    'Escape',
    { ...open, count: 0 },
    { open: false, active: -1, empty: true, handled: true },
  ],
  ['Escape is not the field’s where nothing is open or typed', 'Escape', { ...closed, typed: false }, undefined],
  ['Tab closes the list, keeps the text and goes on', 'Tab', at(1), { open: false, active: -1, handled: false }],
  ['Home goes to the text’s beginning', 'Home', at(1), { open: true, active: -1, handled: false }],
  ['End goes to the text’s end', 'End', at(1), { open: true, active: -1, handled: false }],
  ['ArrowLeft goes back into the text', 'ArrowLeft', at(1), { open: true, active: -1, handled: false }],
  ['ArrowRight goes back into the text', 'ArrowRight', at(1), { open: true, active: -1, handled: false }],
  ['Home leaves a closed list closed', 'Home', closed, { open: false, active: -1, handled: false }],
  ['Delete removes an active recent search', 'Delete', { ...at(1), removable: 2 }, { open: true, active: -1, remove: 1, handled: true }],
  ['Delete on a suggestion is the text’s', 'Delete', { ...at(2), removable: 2 }, undefined],
  ['Delete without an active choice is the text’s', 'Delete', { ...open, removable: 2 }, undefined],
  ['a letter is the text’s', 'p', at(1), undefined],
] as const)('%s', (_, key, listbox, effect) => {
  expect(getKeyEffect({ key }, listbox)).toEqual(effect);
});

test('opens the list without an active choice on Alt and ArrowDown, and closes it on Alt and ArrowUp', () => {
  expect(getKeyEffect({ key: 'ArrowDown', altKey: true }, closed)).toEqual({ open: true, active: -1, handled: true });
  expect(getKeyEffect({ key: 'ArrowUp', altKey: true }, at(1))).toEqual({ open: false, active: -1, handled: true });
});

test.each([{ isComposing: true }, { ctrlKey: true }, { metaKey: true }])('handles no key with %o', (more) => {
  for (const key of ['ArrowDown', 'Enter', 'Escape', 'Tab']) expect(getKeyEffect({ key, ...more }, at(1))).toBeUndefined();
});
