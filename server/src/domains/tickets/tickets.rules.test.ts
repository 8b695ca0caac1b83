import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatClock } from '@handwise/contract/dates';
import { closingText } from '@handwise/contract/draws/prize';
import { drawPeriod, entryId } from '@handwise/contract/tickets/calls';
import { getClosingTime, drawMonthAt, parseMonth, formatMonth, nextPeriod } from './tickets.rules.ts';

test.each([
  // NZDT is UTC+13, NZST UTC+12.
  ['2026-11', '2026-11-30T10:30:00.000Z'],
  ['2026-12', '2026-12-31T10:30:00.000Z'],
  ['2027-02', '2027-02-28T10:30:00.000Z'],
  ['2028-02', '2028-02-29T10:30:00.000Z'],
  ['2027-03', '2027-03-31T10:30:00.000Z'],
  ['2027-04', '2027-04-30T11:30:00.000Z'],
  ['2027-08', '2027-08-31T11:30:00.000Z'],
  // Clocks change in the night of the draw's last day.
  ['2029-09', '2029-09-30T10:30:00.000Z'],
])('the entries of %s close at 23:30 in Auckland', (month, closing) => {
  expect(getClosingTime(parseMonth(month)).toISOString()).toBe(closing);
  expect(getClosingTime(parseMonth(month)).toLocaleTimeString('en-GB', { timeZone: 'Pacific/Auckland' })).toBe('23:30:00');
  expect(formatClock(getClosingTime(parseMonth(month)), 'Pacific/Auckland')).toBe(closingText);
});

test('a ticket before the closing time is for this month, one at it for the next', () => {
  const closing = getClosingTime({ year: 2026, month: 12 });
  expect(drawMonthAt(new Date(closing.getTime() - 1))).toEqual({ year: 2026, month: 12 });
  expect(drawMonthAt(closing)).toEqual({ year: 2027, month: 1 });
  // Half an hour later it is January in Auckland too.
  expect(drawMonthAt(new Date(closing.getTime() + 1_800_000))).toEqual({ year: 2027, month: 1 });
});

const moment = fc.integer({ min: Date.parse('2021-01-01'), max: Date.parse('2098-12-01') }).map((time) => new Date(time));

test('a new period contains its moment of creation and starts where the previous one closes', () => {
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [now, later] = one < other ? [one, other] : [other, one];
      const period = nextPeriod(undefined, now);
      expect(period.startsAt <= now && now < period.closesAt).toBe(true);
      const next = nextPeriod({ ...period, closedAt: null }, period.closesAt);
      expect(next.startsAt).toEqual(period.closesAt);
      expect(formatMonth(next) > formatMonth(period)).toBe(true);
      // Even after months without tickets.
      const then = later < period.closesAt ? period.closesAt : later;
      const after = nextPeriod({ ...period, closedAt: period.closesAt }, then);
      expect(after.startsAt <= then && then < after.closesAt).toBe(true);
      expect(after.closesAt).toEqual(getClosingTime(drawMonthAt(then)));
    }),
  );
});

test('after an early draw, tickets are for the next month until its end', () => {
  const closedAt = new Date('2026-12-10T00:00:00Z');
  const december = { year: 2026, month: 12, closesAt: getClosingTime({ year: 2026, month: 12 }), closedAt };
  expect(nextPeriod(december, new Date('2026-12-10T00:00:01Z'))).toEqual({
    year: 2027,
    month: 1,
    startsAt: closedAt,
    closesAt: getClosingTime({ year: 2027, month: 1 }),
  });
  // A draw closed late does not shorten the next month.
  const late = { ...december, closedAt: new Date('2027-01-02T00:00:00Z') };
  expect(nextPeriod(late, new Date('2027-01-02T00:00:01Z'))).toMatchObject({ year: 2027, month: 1, startsAt: december.closesAt });
  // Closed early, then no server for a month: closing December early does not move the start of February.
  expect(nextPeriod(december, new Date('2027-02-03T00:00:00Z'))).toMatchObject({
    year: 2027,
    month: 2,
    startsAt: getClosingTime({ year: 2027, month: 1 }),
  });
});

test('parses and formats a month as a year and two digits', () => {
  for (const text of ['2026-01', '2026-12', '2099-09']) expect(drawPeriod.parse(text)).toBe(text);
  for (const text of ['2026-00', '2026-13', '2026-1', '1926-01', '2026-011', 'current', '2026/11'])
    expect(drawPeriod.safeParse(text).success).toBe(false);
});

test('accepts entry ids of 32 lower-case hexadecimal digits only', () => {
  expect(entryId.parse('00c18de1f9d3ab527e0af0e3a3b6d0f1')).toBe('00c18de1f9d3ab527e0af0e3a3b6d0f1');
  for (const text of ['00C18DE1F9D3AB527E0AF0E3A3B6D0F1', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32)])
    expect(entryId.safeParse(text).success).toBe(false);
});
