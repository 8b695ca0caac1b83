import { expect, test } from 'vitest';
import { titleInPlace, lines, websiteLink } from './listing-view.ts';

test.each([
  ['https://www.example.co.nz/', 'https://www.example.co.nz/', 'example.co.nz'],
  ['http://example.com/about', 'http://example.com/about', 'example.com/about'],
  [' example.com ', 'https://example.com/', 'example.com'],
])('the website "%s" is a link', (website, href, label) => {
  expect(websiteLink(website)).toEqual({ href, label });
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
])('the website "%s" is no link', (website) => {
  expect(websiteLink(website)).toBeNull();
});

test('a text is split by its lines, without the empty ones', () => {
  expect(lines('One\r\n\r\n  Two\nThree \n')).toEqual(['One', 'Two', 'Three']);
  expect(lines(' \n ')).toEqual([]);
});

test.each([
  ['Heat pumps', 'Taupō', 'Heat pumps in Taupō'],
  ['Heat pumps in Taupo', 'Taupō', 'Heat pumps in Taupo'],
  ['Taupō heat pumps', 'Taupō', 'Taupō heat pumps'],
  ['Bathrooms', 'Bath', 'Bathrooms in Bath'],
])('the title “%s” in %s is “%s”: a place is named once', (title, district, expected) => {
  expect(titleInPlace({ title, district })).toBe(expected);
});
