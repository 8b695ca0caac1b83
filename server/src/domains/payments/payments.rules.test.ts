import { markets } from '@handwise/contract/markets';
import { gstWithin, money } from '@handwise/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextCheck } from './payments.rules.ts';

test.each([
  ['NZ', 1500, 196],
  ['NZ', 2500, 326],
  ['NZ', 3500, 457],
  ['AU', 1500, 136],
  ['AU', 2500, 227],
  ['AU', 3500, 318],
  ['NZ', 0, 0],
] as const)('a price in %s of %i cents holds %i cents of GST', (country, total, gst) => {
  expect(gstWithin(total, country)).toBe(gst);
});

const country = fc.constantFrom('NZ', 'AU');
const cents = fc.nat(100_000_000);

test('GST is whole cents, and the rest of the price taxed again gives the price to the cent', () => {
  fc.assert(
    fc.property(cents, country, (total, of) => {
      const gst = gstWithin(total, of);
      expect(Number.isInteger(gst)).toBe(true);
      expect(gst).toBeGreaterThanOrEqual(0);
      expect(gst).toBeLessThanOrEqual(total);
      const again = (total - gst) * (1 + markets[of].gstPercent / 100);
      expect(Math.abs(again - total)).toBeLessThan(1);
    }),
  );
});

test('a dearer price never holds less GST', () => {
  fc.assert(
    fc.property(cents, cents, country, (a, b, of) => {
      expect(gstWithin(Math.max(a, b), of)).toBeGreaterThanOrEqual(gstWithin(Math.min(a, b), of));
    }),
  );
});

test('a price says its currency', () => {
  expect([money(2500, 'NZD'), money(5, 'AUD')]).toEqual(['$25.00 NZD', '$0.05 AUD']);
});

test('an open payment is looked at again ever more rarely: after as long as it is open', () => {
  const waits = [0, 5, 20, 59, 61, 600].map((minutes) => {
    const now = new Date(Date.UTC(2026, 10, 21) + minutes * 60_000);
    return (nextCheck(new Date(Date.UTC(2026, 10, 21)), now).getTime() - now.getTime()) / 60_000;
  });
  expect(waits).toEqual([1, 5, 20, 59, 60, 60]);
});

test('an open payment is looked at again after a minute at the earliest and an hour at the latest', () => {
  const created = new Date('2026-11-21T00:00:00Z');
  fc.assert(
    fc.property(fc.nat(40 * 86_400_000), (age) => {
      const now = new Date(created.getTime() + age);
      const wait = nextCheck(created, now).getTime() - now.getTime();
      expect(wait).toBeGreaterThanOrEqual(60_000);
      expect(wait).toBeLessThanOrEqual(3_600_000);
    }),
  );
});
