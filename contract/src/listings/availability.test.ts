import { expect, test } from 'vitest';
import { formatAvailability, getMonday, getStateOfWeek } from './availability.ts';

test.each([
  ['2026-11-23', '2026-11-23'],
  ['2026-11-28', '2026-11-23'],
  ['2026-11-29', '2026-11-23'],
  ['2026-11-30', '2026-11-30'],
  ['2027-01-01', '2026-12-28'],
  ['2028-03-01', '2028-02-28'],
])('the week of %s begins on %s', (day, monday) => {
  expect(getMonday(day)).toBe(monday);
});

test.each([
  ['2026-11-23', 'this_week'],
  ['2026-11-30', 'next_week'],
  ['2026-11-16', null],
  ['2026-12-07', null],
  ['2026-11-24', null],
])('on Sunday, Nov 29, 2026, the week of %s is %s', (monday, state) => {
  expect(getStateOfWeek(monday, '2026-11-29')).toBe(state);
});

test('says each state in a few words', () => {
  const texts = (['this_week', 'next_week', 'booked_until'] as const).map((state) => formatAvailability({ state, until: '2026-12-20' }));
  expect(texts).toEqual(['Available this week', 'Available next week', 'Booked until Dec 20, 2026']);
});
