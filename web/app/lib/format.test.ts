import { amount, money } from '@handwise/contract/money';
import { expect, test } from 'vitest';
import { formatAge, getCurrency, formatMegabytes, formatRating, getExcerpt, getNextMinuteMs, getTimeLeft } from './format.ts';

test('formats prices with two decimals and thousands', () => {
  expect([amount(25), amount(1000), amount(0.5)]).toEqual(['25.00', '1,000.00', '0.50']);
});

test('formats an average with one decimal, even if it is zero', () => {
  expect([formatRating(0), formatRating(4.76), formatRating(5)]).toEqual(['0.0', '4.8', '5.0']);
});

const zone = 'Pacific/Auckland';

test('counts calendar days, not 24 hours', () => {
  const now = new Date('2026-11-21T00:30:00Z'); // 13:30 on the 21st in Auckland.
  expect(formatAge('2026-11-20T11:30:00Z', now, zone)).toBe('Today');
  expect(formatAge('2026-11-20T10:30:00Z', now, zone)).toBe('Yesterday');
  expect(formatAge('2026-11-19T10:30:00Z', now, zone)).toBe('2 days ago');
  expect(formatAge('2026-11-16T00:00:00Z', now, zone)).toBe('5 days ago');
  expect(formatAge('2026-11-22T00:00:00Z', now, zone)).toBe('Today');
});

test('counts days in the given time zone', () => {
  const now = new Date('2026-11-20T12:00:00Z');
  expect(formatAge('2026-11-20T02:00:00Z', now, 'Australia/Perth')).toBe('Today');
  expect(formatAge('2026-11-20T02:00:00Z', now, zone)).toBe('Yesterday');
});

test("shows money in dollars with the country's currency", () => {
  expect(money(2500, 'NZD')).toBe('$25.00 NZD');
  expect(money(123_456, 'AUD')).toBe('$1,234.56 AUD');
  expect([getCurrency('NZ'), getCurrency('AU')]).toEqual(['NZD', 'AUD']);
});

test('shows file sizes in megabytes', () => {
  expect(formatMegabytes(5 * 1024 * 1024)).toBe('5MB');
});

test.each([
  ['a short text in full', 'Fences and gates.', 'Fences and gates.'],
  ['lines as one', 'Fences\n\n  and gates.', 'Fences and gates.'],
  ['exactly 120 characters in full', 'x'.repeat(120), 'x'.repeat(120)],
  ['a longer text up to 120 characters', 'x'.repeat(121), `${'x'.repeat(120)}…`],
  ['no half of a word', `${'x'.repeat(100)} ${'y'.repeat(40)}`, `${'x'.repeat(100)}…`],
  ['a word that ends with the last letter', `${'x'.repeat(100)} ${'y'.repeat(19)} zz`, `${'x'.repeat(100)} ${'y'.repeat(19)}…`],
  ['no comma before the dots', `${'x'.repeat(100)}, ${'y'.repeat(40)}`, `${'x'.repeat(100)}…`],
  ['no space before the dots', `${'x'.repeat(119)} yyy`, `${'x'.repeat(119)}…`],
  ['no half of a letter that takes two', '🏠'.repeat(130), `${'🏠'.repeat(120)}…`],
])('a card shows %s', (_, text, expected) => {
  expect(getExcerpt(text)).toBe(expected);
});

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
  expect(getTimeLeft(until, at(now))).toEqual({ days, hours, minutes, seconds });
});

test.each([0, 1, 59_999, 60_000, 60_001, 3_599_999, 3_600_000, 86_399_999, 86_400_000, 777_777_777])(
  'updates the minutes %i ms later exactly when their text changes',
  (elapsed) => {
    const now = at('2026-11-20T10:30:00.000Z') + elapsed;
    const wait = getNextMinuteMs(until, now) ?? 0;
    expect(wait).toBeGreaterThan(0);
    const written = (time: number) => ({ ...getTimeLeft(until, time), seconds: null });
    expect(written(now + wait - 1)).toEqual(written(now));
    expect(written(now + wait)).not.toEqual(written(now));
  },
);

test('returns null once the moment has come', () => {
  expect(getNextMinuteMs(until, at(until))).toBeNull();
  expect(getNextMinuteMs(until, at(until) - 1)).toBe(2);
});
