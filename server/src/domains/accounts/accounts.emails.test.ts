import { expect, test } from 'vitest';
import { formatWhenAndWhere } from './accounts.emails.ts';

const at = new Date('2026-11-22T02:15:00Z');

test.each([
  [undefined, 'Chrome on Windows', ' on Nov 22, 2026, 3:15 pm New Zealand time, from Chrome on Windows'],
  ['Pacific/Auckland', 'Chrome on Windows', ' on Nov 22, 2026, 3:15 pm New Zealand time, from Chrome on Windows'],
  ['Australia/Perth', 'An unknown device', ' on Nov 22, 2026, 10:15 am Perth time, from an unknown device'],
])('formats the time in the zone %s and the browser %s', (timeZone, browser, expected) => {
  expect(formatWhenAndWhere({ browser, at, timeZone })).toBe(expected);
});
