import { expect, test } from 'vitest';
import { jsonLdText } from './json-ld.ts';

test('no text in structured data can end its script element', () => {
  const text = jsonLdText({ name: '</script><script>alert(1)</script><!--' });
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toMatchObject({ name: '</script><script>alert(1)</script><!--' });
});
