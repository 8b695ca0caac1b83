import { expect, test } from 'vitest';
import type { Hours } from '@handwise/contract/facts/hours';
import { listDueSteps, planSteps } from './unanswered.rules.ts';

const auckland = 'Pacific/Auckland';
const perth = 'Australia/Perth';
const utc = (time: string) => new Date(`${time}Z`);
const plan = (at: string, hours: Hours | null = null, timeZone = perth) => {
  const { first, second, household } = planSteps(utc(at), hours, timeZone);
  return [first, second, household].map((time) => time.toISOString().slice(0, 16));
};

// Perth is eight hours ahead all year.
test.each([
  ['in the morning', '2027-03-02T01:00', ['2027-03-02T05:00', '2027-03-03T01:00', '2027-03-03T01:00']],
  ['late in the afternoon: the rest is the next day', '2027-03-02T08:30', ['2027-03-03T02:30', '2027-03-03T08:30', '2027-03-03T08:30']],
  ['at night', '2027-03-02T15:00', ['2027-03-03T04:00', '2027-03-04T00:00', '2027-03-03T15:00']],
  [
    'on Friday evening: the household does not wait for Monday',
    '2027-03-05T09:00',
    ['2027-03-08T03:00', '2027-03-08T07:00', '2027-03-06T09:00'],
  ],
])('without hours, four hours from 8 to 18 on weekdays and a day: a message %s', (_, at, times) => {
  expect(plan(at)).toEqual(times);
});

test('a business that never closes is reminded after four and twenty-four hours', () => {
  const day: [string, string] = ['00:00', '24:00'];
  const hours = { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: day };
  expect(plan('2027-03-06T14:00', hours)).toEqual(['2027-03-06T18:00', '2027-03-07T14:00', '2027-03-07T14:00']);
});

test('a business that is open an hour a week is reminded within a week, and hours without a day are none', () => {
  expect(plan('2027-03-02T01:00', { sat: ['09:00', '10:00'] })).toEqual(['2027-03-09T01:00', '2027-03-10T01:00', '2027-03-03T01:00']);
  expect(plan('2027-03-02T01:00', {})).toEqual(plan('2027-03-02T01:00'));
});

// On Sep 26, 2027 clocks in Auckland go from 2:00 to 3:00; on Apr 4 from 3:00 back to 2:00.
test('an opening over a clock change is as long as the clocks make it, and a day is 24 hours', () => {
  const night = { sun: ['00:00', '06:00'] } satisfies Hours;
  // Saturday at noon; five hours are open on Sunday until six in summer time.
  expect(plan('2027-09-25T00:00', night, auckland)[0]).toBe('2027-09-25T16:00');
  expect(plan('2027-04-03T00:00', night, auckland)[0]).toBe('2027-04-03T15:00');
  expect(plan('2027-09-25T00:00', night, auckland)[2]).toBe('2027-09-26T00:00');
});

const row = { first_sent_at: null, second_sent_at: null, household_told_at: null };
const times = { first_due_at: utc('2027-03-02T05:00'), second_due_at: utc('2027-03-03T09:00'), household_due_at: utc('2027-03-03T01:00') };

test.each([
  ['before anything is due', '2027-03-02T04:59', [], '2027-03-02T05:00'],
  ['once the first is due', '2027-03-02T05:00', ['first'], '2027-03-03T01:00'],
  ['after a sleep over both reminders: only the second', '2027-03-03T10:00', ['second', 'household'], undefined],
  ['after a sleep of more than a week: nothing', '2027-03-10T10:00', [], undefined],
])('the steps %s', (_, now, due, next) => {
  expect(listDueSteps({ ...row, ...times }, utc(now))).toEqual({ due, next: next ? utc(next) : null });
});

test('a step that was done is not due again, and a household that is not to be told is not', () => {
  const now = utc('2027-03-03T10:00');
  expect(listDueSteps({ ...row, ...times, second_sent_at: now, household_due_at: null }, now).due).toEqual([]);
  expect(listDueSteps({ ...row, ...times, first_sent_at: now, second_sent_at: now, household_told_at: now }, now)).toEqual({
    due: [],
    next: null,
  });
});
