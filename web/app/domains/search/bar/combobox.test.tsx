import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Combobox } from './combobox.tsx';

test('renders a plain field with name, text and limit before the script loads', () => {
  const html = renderToStaticMarkup(<Combobox box="q" name="q" text="sparky" recent aria-label="What do you need?" />);
  expect(html).toMatch(/<input [^>]*type="search"/);
  for (const part of ['name="q"', 'value="sparky"', 'maxLength="120"', 'autoComplete="off"', 'aria-label="What do you need?"']) {
    expect(html).toContain(part);
  }
  expect(html).not.toMatch(/role=|aria-expanded|aria-controls|listbox/);
});
