import { expect, test } from 'vitest';
import { whenAndWhere } from './accounts.mails.ts';

const at = new Date('2026-11-22T02:15:00Z');

test.each([
  [undefined, 'Chrome on Windows', ' on Nov 22, 2026, 3:15 pm New Zealand time, from Chrome on Windows'],
  ['Pacific/Auckland', 'Chrome on Windows', ' on Nov 22, 2026, 3:15 pm New Zealand time, from Chrome on Windows'],
  ['Australia/Perth', 'An unknown device', ' on Nov 22, 2026, 10:15 am Perth time, from an unknown device'],
])('with the clocks of %s a change is told of %s as one reads it there', (timeZone, browser, told) => {
  expect(whenAndWhere({ browser, at, timeZone })).toBe(told);
});
