import { expect, test } from 'vitest';
import { formatVisitLength, formatVisitTime } from '@handwise/contract/visits/words';
import { AppError } from '../../kit/errors.ts';
import { getReminderTime, isOverlapping, parseLocalTime, readTimes } from './visits.rules.ts';

const auckland = 'Pacific/Auckland';

test.each([
  ['in winter', '2026-07-15T10:00', auckland, '2026-07-14T22:00:00.000Z'],
  ['in summer', '2027-01-15T10:00', auckland, '2027-01-14T21:00:00.000Z'],
  ['an hour before clocks go forward', '2026-09-27T01:59', auckland, '2026-09-26T13:59:00.000Z'],
  ['just after clocks went forward', '2026-09-27T03:00', auckland, '2026-09-26T14:00:00.000Z'],
  ['in the morning after clocks went forward', '2026-09-27T09:00', auckland, '2026-09-26T20:00:00.000Z'],
  ['that clocks show twice: the first', '2027-04-04T02:30', auckland, '2027-04-03T13:30:00.000Z'],
  ['after clocks went back', '2027-04-04T03:00', auckland, '2027-04-03T15:00:00.000Z'],
  ['in Perth, which has no daylight saving', '2027-01-15T10:00', 'Australia/Perth', '2027-01-15T02:00:00.000Z'],
  ['in Perth in winter', '2027-07-15T10:00', 'Australia/Perth', '2027-07-15T02:00:00.000Z'],
  ['in Adelaide, half an hour off, in summer', '2027-01-15T10:00', 'Australia/Adelaide', '2027-01-14T23:30:00.000Z'],
  ['in Adelaide in winter', '2027-07-15T10:00', 'Australia/Adelaide', '2027-07-15T00:30:00.000Z'],
  ['that Adelaide shows twice: the first', '2027-04-04T02:15', 'Australia/Adelaide', '2027-04-03T15:45:00.000Z'],
])('reads a time %s', (_, local, timeZone, moment) => {
  expect(parseLocalTime(local, timeZone)?.toISOString()).toBe(moment);
});

test.each([
  ['Auckland', '2026-09-27T02:30', auckland],
  ['Auckland at the first skipped minute', '2026-09-27T02:00', auckland],
  ['Adelaide', '2026-10-04T02:59', 'Australia/Adelaide'],
])('a time that clocks in %s skip does not exist', (_, local, timeZone) => {
  expect(parseLocalTime(local, timeZone)).toBeUndefined();
});

const at = (time: string, minutes = 60) => ({ starts_at: new Date(`2026-12-08T${time}:00Z`), minutes });
test.each([
  ['the same', at('10:00'), at('10:00'), true],
  ['one within the other', at('10:00', 120), at('10:30', 15), true],
  ['the last minute', at('10:00'), at('10:59'), true],
  ['one right after the other', at('10:00'), at('11:00'), false],
  ['one before the other', at('12:00'), at('10:00'), false],
])('times overlap: %s', (_, one, other, overlap) => {
  expect([isOverlapping(one, other), isOverlapping(other, one)]).toEqual([overlap, overlap]);
});

const now = new Date('2026-12-01T00:00:00Z');
function problemOf(...times: [start: string, minutes: number][]) {
  try {
    readTimes(
      times.map(([start, minutes]) => ({ start, minutes })),
      now,
      auckland,
    );
    return undefined;
  } catch (error) {
    return error;
  }
}
test.each([
  ['a time that has passed', [['2026-12-01T12:59', 60]], 'times.0.start', 'passed'],
  ['a time that begins now', [['2026-12-01T13:00', 60]], 'times.0.start', 'passed'],
  ['a day after the sixtieth', [['2027-01-31T00:00', 60]], 'times.0.start', '60 days'],
  [
    'a time that overlaps an earlier one',
    [
      ['2027-01-15T10:00', 60],
      ['2026-12-02T10:00', 60],
      ['2026-12-02T10:30', 60],
    ],
    'times.2.start',
    'overlaps',
  ],
] as [string, [string, number][], string, string][])('refuses %s', (_, times, field, words) => {
  expect(problemOf(...times)).toMatchObject({ fields: [{ field, message: expect.stringContaining(words) }] });
});

test('allows a minute from now and the end of the sixtieth day, where the listing is', () => {
  expect(problemOf(['2026-12-01T13:01', 15], ['2027-01-30T23:59', 480])).toBeUndefined();
  const skipped = () => readTimes([{ start: '2026-09-27T02:30', minutes: 60 }], new Date('2026-09-20T00:00:00Z'), auckland);
  expect(skipped).toThrow(AppError);
});

test('puts the times in order', () => {
  const times = readTimes(
    ['2026-12-09T10:00', '2026-12-08T10:00'].map((start) => ({ start, minutes: 30 })),
    now,
    auckland,
  );
  expect(times.map(({ starts_at }) => starts_at.toISOString())).toEqual(['2026-12-07T21:00:00.000Z', '2026-12-08T21:00:00.000Z']);
});

test.each([
  ['the evening before', '2026-12-07T21:00:00Z', auckland, '2026-12-07T05:00:00.000Z'],
  ['the evening before the day where the listing is', '2026-12-08T01:00:00Z', 'Australia/Perth', '2026-12-07T10:00:00.000Z'],
  ['the evening before clocks go forward', '2027-09-25T20:00:00Z', auckland, '2027-09-25T06:00:00.000Z'],
  ['the evening before for a visit just after midnight', '2026-12-07T11:30:00Z', auckland, '2026-12-07T05:00:00.000Z'],
])('reminds on %s', (_, start, timeZone, moment) => {
  expect(getReminderTime(new Date(start), timeZone, now)?.toISOString()).toBe(moment);
});

test('reminds of nothing that is agreed on the evening before or later', () => {
  const start = new Date('2026-12-07T21:00:00Z');
  expect(getReminderTime(start, auckland, new Date('2026-12-07T05:00:00Z'))).toBeNull();
  expect(getReminderTime(start, auckland, new Date('2026-12-07T04:59:59Z'))).not.toBeNull();
});

test('writes a time with its weekday, and its end by the clock although clocks change meanwhile', () => {
  const [start, minutes] = ['2026-12-07T21:00:00Z', 90];
  expect(formatVisitTime({ start, minutes }, auckland)).toBe('Tue, Dec 8, 2026, 10:00 am to 11:30 am');
  expect(formatVisitTime({ start, minutes }, 'Australia/Adelaide')).toBe('Tue, Dec 8, 2026, 7:30 am to 9:00 am');
  expect(formatVisitTime({ start: '2026-09-26T13:00:00Z', minutes: 120 }, auckland)).toBe('Sun, Sep 27, 2026, 1:00 am to 4:00 am');
  expect([15, 60, 90, 135, 480].map(formatVisitLength)).toEqual(['15 minutes', '1 hour', '1½ hours', '2 hours 15 minutes', '8 hours']);
});
