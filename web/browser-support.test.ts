import { expect, test } from 'vitest';
import { headScript } from './app/lib/document/head-script.ts';
import { isHarmless, newerApis, newerInScript, newerInStyle } from './browser-support.ts';

const inScript = (text: string, name?: string) => newerInScript(text, name).map(({ feature }) => feature);
const inStyle = (text: string) => newerInStyle(text).map(({ feature }) => feature);

test.each([
  ['URL.parse(text)', 'URL.parse'],
  ['const { promise } = Promise.withResolvers()', 'Promise.withResolvers'],
  ['Object.groupBy(list, key)', 'Object.groupBy'],
  ['document.startViewTransition(work)', 'Document.startViewTransition'],
  ['list.values().filter(isOpen).toArray()', 'Iterator.toArray'],
  ['new URLPattern("/a")', 'URLPattern'],
  ['/[a--b]/v', 'regular expression with v'],
  ['/(?i:a)b/', 'regular expression with modifiers'],
  ['bytes.toBase64()', 'Uint8Array.toBase64'],
  ['one.isSubsetOf(other)', 'Set.isSubsetOf'],
])('%s needs a newer browser', (text, feature) => {
  expect(inScript(text)).toContain(feature);
});

test.each([
  'new URL(text, base)',
  'list.toSorted().at(-1)',
  'structuredClone(value)',
  'navigator.setAppBadge?.(1)',
  'typeof URLPattern',
  'const URLPattern = make(); new URLPattern("/a")',
  'event.when',
  '/(?<=a)b/u',
])('%s is in every promised browser', (text) => {
  expect(inScript(text)).toEqual([]);
});

test('attributes of elements are checked, properties of components are not', () => {
  expect(inScript('<details closedby="any"><Menu popover="auto" /></details>', 'menu.tsx')).toEqual([]);
  expect(inScript('<div popover="auto" />', 'menu.tsx')).toEqual(['attribute popover']);
  expect(inScript('<dialog closedby="any" />', 'menu.tsx')).toEqual(['attribute closedby']);
});

test('styles are checked outside @supports', () => {
  expect(inStyle('a { text-wrap: balance }')).toEqual(['text-wrap', 'text-wrap: balance']);
  expect(inStyle('a { color: light-dark(red, blue) }')).toEqual(['light-dark()']);
  expect(inStyle('@starting-style { a { opacity: 0 } }')).toEqual(['@starting-style']);
  expect(inStyle('a { grid-template-rows: subgrid }')).toEqual(['grid-template-rows: subgrid']);
  expect(inStyle('a { & b { color: red } }')).toEqual(['nested rule']);
  expect(inStyle('a:popover-open { color: red }')).toEqual([':popover-open']);
  expect(inStyle('@supports (grid-template-rows: subgrid) { a { grid-template-rows: subgrid } }')).toEqual([]);
  expect(inStyle('a:has(b) { height: 50dvh; color: color-mix(in srgb, red, blue); cursor: pointer }')).toEqual([]);
  expect(inStyle('a { -webkit-backdrop-filter: blur(2px); backdrop-filter: blur(2px) }')).toEqual([]);
});

test('what a package asks for first is harmless in bundles only', () => {
  expect([isHarmless({ feature: 'URL.canParse' }, true), isHarmless({ feature: 'URL.canParse' }, false)]).toEqual([true, false]);
  expect(isHarmless({ feature: 'text-wrap: balance' }, true)).toBe(true);
  expect(isHarmless({ feature: 'URL.parse' }, true)).toBe(false);
});

test('the script in the head of every page runs in every promised browser', () => {
  expect(inScript(headScript)).toEqual([]);
});

test('the list of newer interfaces and members leaves out what every promised browser has', () => {
  expect(newerApis.interfaces).toContain('URLPattern');
  expect(newerApis.interfaces).not.toContain('URL');
  expect(newerApis.members).toContainEqual({ owner: 'URL', name: 'parse', isStatic: true });
  expect(newerApis.members).toContainEqual({ owner: 'Promise', name: 'withResolvers', isStatic: true });
  expect(newerApis.members).toContainEqual({ owner: 'HTMLElement', name: 'showPopover', isStatic: false });
  expect(newerApis.members.filter(({ name }) => name === 'toSorted')).toEqual([]);
});
