import { expect, test } from 'vitest';
import { held } from './held.mjs';

test('what is said beside something else comes in one piece once it is shown, and then at once', () => {
  const shown = [];
  const { say, show } = held({ write: (chunk) => shown.push(chunk) });
  say('a');
  say('b');
  expect(shown).toEqual([]);
  show();
  expect(shown).toEqual(['a', 'b']);
  say('c');
  expect(shown).toEqual(['a', 'b', 'c']);
  show();
  expect(shown).toEqual(['a', 'b', 'c']);
});
