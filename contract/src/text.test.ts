import { expect, test } from 'vitest';
import { locationLine, splitAtLastComma } from './text.ts';

test.each([
  ['Taupō, Waikato, New Zealand', 'Taupō › Waikato › New Zealand'],
  ['Gisborne, Gisborne, New Zealand', 'Gisborne › New Zealand'],
  ['Taupō, , New Zealand', 'Taupō › New Zealand'],
  ['', 'Location not specified'],
])('the location “%s” is shown as “%s”, with no line that begins with a ›', (location, shown) => {
  expect(locationLine(location).replaceAll('\u00a0', ' ')).toBe(shown);
  expect(locationLine(location)).not.toContain(' ›');
});

test.each([
  ['Catalyst Cloud, New Zealand', ['Catalyst Cloud', 'New Zealand']],
  ['Smith, Jones and Co ,Australia', ['Smith, Jones and Co', 'Australia']],
  ['Catalyst Cloud', ['Catalyst Cloud', '']],
  ['Catalyst Cloud,', ['Catalyst Cloud', '']],
])('splits “%s” at its last comma', (text, parts) => {
  expect(splitAtLastComma(text)).toEqual(parts);
});
