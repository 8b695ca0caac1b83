import { expect, test } from 'vitest';
import { nextMinuteMs, timeLeft } from './time-left.ts';

const until = '2026-11-30T10:30:00.000Z';
const at = (time: string) => Date.parse(time);

test.each([
  ['2026-11-22T10:30:00.000Z', 8, 0, 0, 0],
  ['2026-11-22T10:30:00.001Z', 7, 23, 59, 59],
  ['2026-11-22T11:00:00.000Z', 7, 23, 30, 0],
  ['2026-11-28T07:25:54.100Z', 2, 3, 4, 5],
  ['2026-11-29T10:30:01.000Z', 0, 23, 59, 59],
  ['2026-11-30T09:29:00.000Z', 0, 1, 1, 0],
  ['2026-11-30T10:29:01.000Z', 0, 0, 0, 59],
  ['2026-11-30T10:29:00.000Z', 0, 0, 1, 0],
  ['2026-11-30T10:30:01.000Z', 0, 0, 0, 0],
  ['2026-12-02T00:00:00.000Z', 0, 0, 0, 0],
])('at %s there are %i days, %i hours, %i minutes and %i seconds left', (now, days, hours, minutes, seconds) => {
  expect(timeLeft(until, at(now))).toEqual({ days, hours, minutes, seconds });
});

test.each([0, 1, 59_999, 60_000, 60_001, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 777_777_777])(
  'with %i ms gone its minutes are written anew as soon as they read otherwise, and not before',
  (gone) => {
    const now = at('2026-11-20T10:30:00.000Z') + gone;
    const wait = nextMinuteMs(until, now) ?? 0;
    expect(wait).toBeGreaterThan(0);
    const written = (time: number) => ({ ...timeLeft(until, time), seconds: null });
    expect(written(now + wait - 1)).toEqual(written(now));
    expect(written(now + wait)).not.toEqual(written(now));
  },
);

test('once the moment has come nothing ticks any more', () => {
  expect(nextMinuteMs(until, at(until))).toBeNull();
  expect(nextMinuteMs(until, at(until) - 1)).toBe(2);
});
