import { expect, test } from 'vitest';
import { countdown, dayText, drawMoment } from './draw-times.ts';

test.each([
  ['2026-10-31T10:30:00.000Z', 'Oct 31, 2026, 11:30 pm'],
  ['2026-06-30T11:30:00.000Z', 'Jun 30, 2026, 11:30 pm'],
  ['2026-06-30T12:05:00.000Z', 'Jul 1, 2026, 12:05 am'],
  ['2026-12-31T23:00:00.000Z', 'Jan 1, 2027, 12:00 pm'],
])('%s is told Auckland time: %s', (iso, text) => {
  expect(drawMoment(iso)).toBe(text);
  expect(text.startsWith(dayText(iso))).toBe(true);
});

test('what is left is told in whole units, and never less than nothing', () => {
  const until = '2026-11-30T10:30:00Z';
  const before = (seconds: number) => countdown(until, Date.parse(until) - seconds * 1000);
  expect(before(2 * 86_400 + 3 * 3600 + 4 * 60 + 5.9)).toEqual({ days: 2, hours: 3, minutes: 4, seconds: 5 });
  expect(before(86_399)).toEqual({ days: 0, hours: 23, minutes: 59, seconds: 59 });
  expect(before(-1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 });
});
