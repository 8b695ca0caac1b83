import { expect, test } from 'vitest';
import { addressWords, seenWords } from './message-words.ts';

test('whoever writes is told that the business gets the address, unless answers come through us', () => {
  expect(addressWords(false, 'sam@example.com')).toContain('The email carries your address, sam@example.com, so that they can reply');
  expect(seenWords(false)).toContain('and your email address');
  expect(addressWords(true, 'sam@example.com')).toContain('They do not see your address');
  expect(addressWords(true, 'sam@example.com')).not.toContain('sam@example.com');
  expect(seenWords(true)).toBe('They see your first name, and nothing else.');
});
