import { expect, test } from 'vitest';
import { addPlaceToTitle } from './listing-detail.tsx';
import { splitLines, createWebsiteLink } from './listing-view.ts';

test.each([
  ['https://www.example.co.nz/', 'https://www.example.co.nz/', 'example.co.nz'],
  ['http://example.com/about', 'http://example.com/about', 'example.com/about'],
  [' example.com ', 'https://example.com/', 'example.com'],
])('links the website "%s"', (website, href, label) => {
  expect(createWebsiteLink(website)).toEqual({ href, label });
});

test.each([
  '',
  '  ',
  'javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'mailto:me@example.com',
  'https://',
  'http://[',
])('does not link the website "%s"', (website) => {
  expect(createWebsiteLink(website)).toBeNull();
});

test('splits a text into its non-empty lines', () => {
  expect(splitLines('One\r\n\r\n  Two\nThree \n')).toEqual(['One', 'Two', 'Three']);
  expect(splitLines(' \n ')).toEqual([]);
});

test.each([
  ['Heat pumps', 'Taupō', 'Heat pumps in Taupō'],
  ['Heat pumps in Taupo', 'Taupō', 'Heat pumps in Taupo'],
  ['Taupō heat pumps', 'Taupō', 'Taupō heat pumps'],
  ['Bathrooms', 'Bath', 'Bathrooms in Bath'],
])('names a place once: “%s” in %s is “%s”', (title, district, expected) => {
  expect(addPlaceToTitle({ title, district })).toBe(expected);
});
