import { clockText } from '@handwise/contract/dates';
import { closingText } from '@handwise/contract/draws/prize';
import { drawPeriod, entryId } from '@handwise/contract/tickets/calls';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closingOf, monthAt, monthOf, monthText, periodAfter } from './tickets.rules.ts';

test.each([
  // NZDT is 13 hours ahead of Greenwich, NZST 12.
  ['2026-11', '2026-11-30T10:30:00.000Z'],
  ['2026-12', '2026-12-31T10:30:00.000Z'],
  ['2027-02', '2027-02-28T10:30:00.000Z'],
  ['2028-02', '2028-02-29T10:30:00.000Z'],
  ['2027-03', '2027-03-31T10:30:00.000Z'],
  ['2027-04', '2027-04-30T11:30:00.000Z'],
  ['2027-08', '2027-08-31T11:30:00.000Z'],
  // The clocks are put on in the night of the day of the draw.
  ['2029-09', '2029-09-30T10:30:00.000Z'],
])('the entries of %s close at 23:30 in Auckland', (month, closing) => {
  expect(closingOf(monthOf(month)).toISOString()).toBe(closing);
  expect(closingOf(monthOf(month)).toLocaleTimeString('en-GB', { timeZone: 'Pacific/Auckland' })).toBe('23:30:00');
  expect(clockText(closingOf(monthOf(month)), 'Pacific/Auckland')).toBe(closingText);
});

test('a ticket of the last moment is for this month, one of the closing for the next', () => {
  const closing = closingOf({ year: 2026, month: 12 });
  expect(monthAt(new Date(closing.getTime() - 1))).toEqual({ year: 2026, month: 12 });
  expect(monthAt(closing)).toEqual({ year: 2027, month: 1 });
  // Half an hour later it is January by the clocks as well.
  expect(monthAt(new Date(closing.getTime() + 1_800_000))).toEqual({ year: 2027, month: 1 });
});

const moment = fc.integer({ min: Date.parse('2021-01-01'), max: Date.parse('2098-12-01') }).map((time) => new Date(time));

test('whenever a period begins, it holds that moment, and the next one begins where it closes', () => {
  fc.assert(
    fc.property(moment, moment, (one, other) => {
      const [now, later] = one < other ? [one, other] : [other, one];
      const period = periodAfter(undefined, now);
      expect(period.startsAt <= now && now < period.closesAt).toBe(true);
      const next = periodAfter({ ...period, closedAt: null }, period.closesAt);
      expect(next.startsAt).toEqual(period.closesAt);
      expect(monthText(next) > monthText(period)).toBe(true);
      // However long nothing was issued.
      const then = later < period.closesAt ? period.closesAt : later;
      const after = periodAfter({ ...period, closedAt: period.closesAt }, then);
      expect(after.startsAt <= then && then < after.closesAt).toBe(true);
      expect(after.closesAt).toEqual(closingOf(monthAt(then)));
    }),
  );
});

test('after a draw that was run early, tickets are for the next month at once, until the end of that month', () => {
  const closedAt = new Date('2026-12-10T00:00:00Z');
  const december = { year: 2026, month: 12, closesAt: closingOf({ year: 2026, month: 12 }), closedAt };
  expect(periodAfter(december, new Date('2026-12-10T00:00:01Z'))).toEqual({
    year: 2027,
    month: 1,
    startsAt: closedAt,
    closesAt: closingOf({ year: 2027, month: 1 }),
  });
  // A draw that was closed late, because the servers were asleep, takes nothing from the month after it.
  const late = { ...december, closedAt: new Date('2027-01-02T00:00:00Z') };
  expect(periodAfter(late, new Date('2027-01-02T00:00:01Z'))).toMatchObject({ year: 2027, month: 1, startsAt: december.closesAt });
  // Closed early, and asleep for the next month: what was closed in December does not begin February.
  expect(periodAfter(december, new Date('2027-02-03T00:00:00Z'))).toMatchObject({
    year: 2027,
    month: 2,
    startsAt: closingOf({ year: 2027, month: 1 }),
  });
});

test('a month in an address is a year and two digits', () => {
  for (const text of ['2026-01', '2026-12', '2099-09']) expect(drawPeriod.parse(text)).toBe(text);
  for (const text of ['2026-00', '2026-13', '2026-1', '1926-01', '2026-011', 'current', '2026/11'])
    expect(drawPeriod.safeParse(text).success).toBe(false);
});

test('an entry is named by 32 digits in lower case', () => {
  expect(entryId.parse('00c18de1f9d3ab527e0af0e3a3b6d0f1')).toBe('00c18de1f9d3ab527e0af0e3a3b6d0f1');
  for (const text of ['00C18DE1F9D3AB527E0AF0E3A3B6D0F1', '0'.repeat(31), '0'.repeat(33), 'g'.repeat(32)])
    expect(entryId.safeParse(text).success).toBe(false);
});
