import { expect, test } from 'vitest';
import { locationLine } from './text.ts';

test.each([
  ['Taupō, Waikato, New Zealand', 'Taupō › Waikato › New Zealand'],
  ['Gisborne, Gisborne, New Zealand', 'Gisborne › New Zealand'],
  ['Taupō, , New Zealand', 'Taupō › New Zealand'],
  ['', 'Location not specified'],
])('the location “%s” is shown as “%s”, with no line that begins with a ›', (location, shown) => {
  expect(locationLine(location).replaceAll('\u00a0', ' ')).toBe(shown);
  expect(locationLine(location)).not.toContain(' ›');
});
