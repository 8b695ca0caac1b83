import { expect, test } from 'vitest';
import { breadcrumbList, jsonLdText } from './json-ld.ts';

test('no text in structured data can end its script element', () => {
  const text = jsonLdText({ name: '</script><script>alert(1)</script><!--' });
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toMatchObject({ name: '</script><script>alert(1)</script><!--' });
});

test('structured data says by which vocabulary it is to be read', () => {
  expect(JSON.parse(jsonLdText({ '@type': 'Thing' }))).toEqual({ '@context': 'https://schema.org', '@type': 'Thing' });
});

test('a trail is counted from one and leads to whole addresses', () => {
  expect(
    breadcrumbList('https://handwise.example', [
      { name: 'Services', path: '/services' },
      { name: 'Roofing', path: '/services/roofing' },
    ]),
  ).toEqual({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Services', item: 'https://handwise.example/services' },
      { '@type': 'ListItem', position: 2, name: 'Roofing', item: 'https://handwise.example/services/roofing' },
    ],
  });
});
