import { expect, test } from 'vitest';
import { nextTickMs, timeLeft } from './countdown.ts';

const until = '2026-11-30T10:30:00.000Z';
const at = (time: string) => Date.parse(time);

test.each([
  ['2026-11-22T10:30:00.000Z', 8, 0, 0],
  ['2026-11-22T10:30:00.001Z', 7, 23, 59],
  ['2026-11-22T11:00:00.000Z', 7, 23, 30],
  ['2026-11-30T09:29:00.000Z', 0, 1, 1],
  ['2026-11-30T10:29:01.000Z', 0, 0, 0],
  ['2026-11-30T10:29:00.000Z', 0, 0, 1],
  ['2026-12-02T00:00:00.000Z', 0, 0, 0],
])('at %s there are %i days, %i hours and %i minutes left', (now, days, hours, minutes) => {
  expect(timeLeft(until, at(now))).toEqual({ days, hours, minutes });
});

test.each([0, 1, 59_999, 60_000, 60_001, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 777_777_777])(
  'with %i ms gone it is written anew as soon as it reads otherwise, and not before',
  (gone) => {
    const now = at('2026-11-20T10:30:00.000Z') + gone;
    const wait = nextTickMs(until, now) ?? 0;
    expect(wait).toBeGreaterThan(0);
    expect(timeLeft(until, now + wait - 1)).toEqual(timeLeft(until, now));
    expect(timeLeft(until, now + wait)).not.toEqual(timeLeft(until, now));
  },
);

test('once the moment has come nothing ticks any more', () => {
  expect(nextTickMs(until, at(until))).toBeNull();
  expect(nextTickMs(until, at(until) - 1)).toBe(2);
});
