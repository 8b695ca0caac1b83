import { expect, test } from 'vitest';
import { formatDrawDay, drawMoment } from './draw-times.ts';

test.each([
  ['2026-10-31T10:30:00.000Z', 'Oct 31, 2026, 11:30 pm'],
  ['2026-06-30T11:30:00.000Z', 'Jun 30, 2026, 11:30 pm'],
  ['2026-06-30T12:05:00.000Z', 'Jul 1, 2026, 12:05 am'],
  ['2026-12-31T23:00:00.000Z', 'Jan 1, 2027, 12:00 pm'],
])('shows %s in New Zealand time: %s', (iso, text) => {
  expect(drawMoment(iso)).toBe(text);
  expect(text.startsWith(formatDrawDay(iso))).toBe(true);
});
