import { expect, test } from 'vitest';
import { createBreadcrumbList, formatJsonLd } from './json-ld.tsx';

test('escapes values that would end the script element', () => {
  const text = formatJsonLd({ name: '</script><script>alert(1)</script><!--' });
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toMatchObject({ '@graph': [{ name: '</script><script>alert(1)</script><!--' }] });
});

test('puts the things of a page into one graph with the schema.org context', () => {
  const things = [{ '@type': 'Thing' }, { '@type': 'Person' }];
  expect(JSON.parse(formatJsonLd(...things))).toEqual({ '@context': 'https://schema.org', '@graph': things });
});

test('numbers breadcrumbs from one, with absolute addresses', () => {
  expect(
    createBreadcrumbList('https://handwise.example', [
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
