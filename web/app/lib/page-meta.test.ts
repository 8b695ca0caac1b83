import { expect, test } from 'vitest';
import { pageMeta } from './page-meta.ts';

const matches = [undefined, { id: 'root', loaderData: { origin: 'https://handwise.example' } }];
const page = { title: 'Roofing', description: 'Roofers near you.', path: '/services/roofing' };

test('sets title, description and canonical URL', () => {
  expect(pageMeta(matches, page)).toEqual([
    { title: 'Roofing | Handwise' },
    { name: 'description', content: 'Roofers near you.' },
    { tagName: 'link', rel: 'canonical', href: 'https://handwise.example/services/roofing' },
    { property: 'og:site_name', content: 'Handwise' },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: 'Roofing' },
    { property: 'og:description', content: 'Roofers near you.' },
    { property: 'og:url', content: 'https://handwise.example/services/roofing' },
    { property: 'og:image', content: 'https://handwise.example/og.png' },
    { name: 'twitter:card', content: 'summary_large_image' },
  ]);
});

test("does not repeat the site's name in a title", () => {
  expect(pageMeta(matches, { ...page, title: 'Handwise: message pros for free' })[0]).toEqual({ title: 'Handwise: message pros for free' });
});

test('marks noindex pages and omits their canonical URL', () => {
  const meta = pageMeta(matches, { ...page, noIndex: true });
  expect(meta).toContainEqual({ name: 'robots', content: 'noindex' });
  expect(meta.some((one) => 'rel' in one)).toBe(false);
});

test('makes image URLs absolute', () => {
  const imageOf = (image: string) => pageMeta(matches, { ...page, image }).find((one) => 'property' in one && one.property === 'og:image');
  expect(imageOf('/files/a.webp')).toMatchObject({ content: 'https://handwise.example/files/a.webp' });
  expect(imageOf('https://cdn.example/a.webp')).toMatchObject({ content: 'https://cdn.example/a.webp' });
});
