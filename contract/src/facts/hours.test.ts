import { expect, test } from 'vitest';
import { formatHours, getOpeningState, type Hours, weekdays } from './hours.ts';

const lines = (hours: Hours) => formatHours(hours).map(({ days, times }) => `${days}, ${times}`);
const long: [string, string] = ['07:30', '17:00'];

test('merges consecutive days with the same hours, and splits at closed days', () => {
  expect(lines({ mon: long, tue: long, wed: long, thu: long, fri: long, sat: ['09:00', '12:30'] })).toEqual([
    'Mon to Fri, 7:30 am to 5 pm',
    'Sat, 9 am to 12:30 pm',
  ]);
  expect(lines({ sun: long, mon: long, wed: long })).toEqual(['Mon, 7:30 am to 5 pm', 'Wed, 7:30 am to 5 pm', 'Sun, 7:30 am to 5 pm']);
  expect(lines({ mon: ['00:00', '24:00'], tue: ['12:00', '24:00'], wed: ['00:00', '00:05'] })).toEqual([
    'Mon, all day',
    'Tue, 12 pm to midnight',
    'Wed, midnight to 12:05 am',
  ]);
  expect(lines({})).toEqual([]);
});

const trade: Hours = { mon: long, tue: long, wed: ['00:00', '24:00'], thu: ['00:00', '02:00'], sat: ['09:00', '24:00'] };
test.each([
  ['2026-11-22T18:29:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens at 7:30 am'],
  ['2026-11-22T18:30:00Z', 'Pacific/Auckland', trade, true, 'Open now, until 5 pm'],
  // Monday in Auckland is still Sunday evening in Perth.
  ['2026-11-22T12:00:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens at 7:30 am'],
  ['2026-11-22T12:00:00Z', 'Australia/Perth', trade, false, 'Closed now, opens tomorrow at 7:30 am'],
  ['2026-11-22T23:29:00Z', 'Australia/Perth', trade, false, 'Closed now, opens at 7:30 am'],
  ['2026-11-22T23:30:00Z', 'Australia/Perth', trade, true, 'Open now, until 5 pm'],
  ['2026-11-23T03:59:59Z', 'Pacific/Auckland', trade, true, 'Open now, until 5 pm'],
  ['2026-11-23T04:00:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens tomorrow at 7:30 am'],
  ['2026-11-24T05:00:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens tomorrow at midnight'],
  ['2026-11-25T05:00:00Z', 'Pacific/Auckland', trade, true, 'Open now, until 2 am'],
  ['2026-11-25T12:00:00Z', 'Pacific/Auckland', trade, true, 'Open now, until 2 am'],
  ['2026-11-25T13:00:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens Sat at 9 am'],
  ['2026-11-28T10:59:00Z', 'Pacific/Auckland', trade, true, 'Open now, until midnight'],
  ['2026-11-28T11:00:00Z', 'Pacific/Auckland', trade, false, 'Closed now, opens tomorrow at 7:30 am'],
  // Once a week, and just over for this one.
  ['2026-11-23T04:00:00Z', 'Pacific/Auckland', { mon: long }, false, 'Closed now, opens Mon at 7:30 am'],
  [
    '2026-11-23T04:00:00Z',
    'Pacific/Auckland',
    Object.fromEntries(Object.keys(weekdays).map((day) => [day, ['00:00', '24:00']])),
    true,
    'Open now',
  ],
  // The hour that the clocks skip, and the one that they show twice.
  ['2026-09-26T14:00:00Z', 'Pacific/Auckland', { sun: ['02:30', '03:30'] }, true, 'Open now, until 3:30 am'],
  ['2027-04-03T14:15:00Z', 'Pacific/Auckland', { sun: ['02:00', '03:00'] }, true, 'Open now, until 3 am'],
] as const)('at %s by the clocks of %s a business with the hours %j is open: %s, “%s”', (now, timeZone, hours, isOpen, text) => {
  expect(getOpeningState(hours as Hours, new Date(now), timeZone)).toEqual({ isOpen, text });
});
