import { expect, test, vi } from 'vitest';

class FakeElement {
  tagName: string;
  isContentEditable = false;
  readonly #inDialog: boolean;
  constructor(tagName: string, inDialog = false) {
    this.tagName = tagName;
    this.#inDialog = inDialog;
  }
  closest = (selector: string) => (selector === 'dialog' && this.#inDialog ? this : null);
}
vi.stubGlobal('HTMLElement', FakeElement);
const { findActionOfKey, queueKeys } = await import('./queue.tsx');

const press = (key: string, target = new FakeElement('BODY'), modifiers: object = {}) =>
  findActionOfKey({ key, ctrlKey: false, metaKey: false, altKey: false, target: target as never, ...modifiers });

test('every key in the help does what it says', () => {
  expect(queueKeys.map(({ key }) => press(key))).toEqual(['next', 'previous', 'decide', 'undo', 'help']);
  expect(press('x')).toBeUndefined();
});

test('ignores keys while typing, in dialogs and with modifiers', () => {
  for (const tag of ['INPUT', 'TEXTAREA', 'SELECT']) expect(press('j', new FakeElement(tag))).toBeUndefined();
  expect(press('j', new FakeElement('BUTTON', true))).toBeUndefined();
  expect(press('j', new FakeElement('BUTTON'))).toBe('next');
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey']) expect(press('j', undefined, { [modifier]: true })).toBeUndefined();
});
