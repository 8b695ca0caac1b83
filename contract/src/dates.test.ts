import { expect, test } from 'vitest';
import {
  getClock,
  formatTimeZone,
  formatClock,
  formatDate,
  daysBetween,
  getMoment,
  formatMoment,
  monthName,
  ownTimeZone,
  periodName,
  timeWriter,
} from './dates.ts';

test('formats a day in the time zone of its place', () => {
  const end = '2027-01-15T11:30:00Z'; // 22:30 on the 15th in Sydney.
  expect(formatDate(end, 'Australia/Sydney')).toBe('Jan 15, 2027');
  expect(formatDate(end, 'Pacific/Auckland')).toBe('Jan 16, 2027');
  expect(formatDate(new Date(end), 'Australia/Perth')).toBe('Jan 15, 2027');
});

test('names months, counted from 1', () => {
  expect([monthName(2026, 1), monthName(2026, 12)]).toEqual(['January 2026', 'December 2026']);
  expect([periodName('2026-01'), periodName('2026-12')]).toEqual(['January 2026', 'December 2026']);
});

test.each([
  ['2026-10-31T10:30:00.000Z', 'Pacific/Auckland', 'Oct 31, 2026, 11:30 pm'],
  ['2026-06-30T12:05:00.000Z', 'Pacific/Auckland', 'Jul 1, 2026, 12:05 am'],
  ['2026-12-31T23:00:00.000Z', 'Pacific/Auckland', 'Jan 1, 2027, 12:00 pm'],
  ['2026-12-31T23:00:00.000Z', 'Australia/Perth', 'Jan 1, 2027, 7:00 am'],
])('formats %s in the time zone %s as %s', (time, zone, text) => {
  expect([formatMoment(time, zone), formatMoment(new Date(time), zone)]).toEqual([text, text]);
  expect([formatDate(time, zone), formatClock(time, zone)].join(', ')).toBe(text);
});

test('names a time zone by its place', () => {
  const zones = ['Pacific/Auckland', 'Australia/Sydney', 'Australia/Broken_Hill'];
  expect(zones.map(formatTimeZone)).toEqual(['New Zealand time', 'Sydney time', 'Broken Hill time']);
});

test('gets the day, weekday and hour in a time zone', () => {
  // Midnight on a Monday in Auckland, Sunday evening in Perth.
  const time = new Date('2027-02-28T11:00:00Z');
  expect(getClock(time, 'Pacific/Auckland')).toEqual({ day: '2027-03-01', weekday: 1, hour: 0, clock: '00:00' });
  expect(getClock(time, 'Australia/Perth')).toEqual({ day: '2027-02-28', weekday: 0, hour: 19, clock: '19:00' });
});

test('formats a time with one formatter per time zone', () => {
  const write = timeWriter('en-NZ', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const time = '2027-01-15T11:30:00Z';
  expect(['Australia/Sydney', 'Pacific/Auckland', 'Australia/Sydney'].map((zone) => write(time, zone))).toEqual([
    '22:30',
    '00:30',
    '22:30',
  ]);
  const zone = ownTimeZone();
  expect([write(new Date(time), zone), write(Date.parse(time), zone)]).toEqual([write(time, zone), write(time, zone)]);
  expect(zone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('counts the midnights between two times, also over a clock change', () => {
  const zone = 'Pacific/Auckland';
  // Clocks went forward in Auckland on 27 September 2026.
  expect(daysBetween(new Date('2026-09-26T11:30:00Z'), new Date('2026-09-27T10:30:00Z'), zone)).toBe(1);
  expect(daysBetween(new Date('2026-11-20T11:30:00Z'), new Date('2026-11-21T10:30:00Z'), zone)).toBe(0);
  expect(daysBetween(new Date('2026-11-21T11:30:00Z'), new Date('2026-11-20T10:30:00Z'), zone)).toBe(-2);
  expect(daysBetween(new Date('2027-01-08T12:00:00Z'), new Date('2027-01-15T11:30:00Z'), 'Australia/Sydney')).toBe(7);
});

test.each([
  // Clocks go forward in Auckland on 30 September 2029 at two, and back on 1 April 2029 at three.
  ['2029-09-30', '01:30', 'Pacific/Auckland', '2029-09-29T13:30:00.000Z'],
  ['2029-09-30', '03:30', 'Pacific/Auckland', '2029-09-29T14:30:00.000Z'],
  ['2029-09-30', '23:30', 'Pacific/Auckland', '2029-09-30T10:30:00.000Z'],
  ['2029-04-01', '01:30', 'Pacific/Auckland', '2029-03-31T12:30:00.000Z'],
  ['2029-04-01', '03:30', 'Pacific/Auckland', '2029-03-31T15:30:00.000Z'],
  ['2027-01-15', '23:30', 'Australia/Perth', '2027-01-15T15:30:00.000Z'],
])('%s %s in the time zone %s is one moment', (day, clock, zone, moment) => {
  expect(getMoment(day, clock, zone).toISOString()).toBe(moment);
});
