import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markets } from '@handwise/contract/markets';
import { gstWithin, money } from '@handwise/contract/money';
import { deductRefund, defaultRefundAmount, nextCheckAt } from './payments.rules.ts';

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

test('rounds GST to whole cents so that net plus GST is the price', () => {
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

test('never lowers GST for a higher price', () => {
  fc.assert(
    fc.property(cents, cents, country, (a, b, of) => {
      expect(gstWithin(Math.max(a, b), of)).toBeGreaterThanOrEqual(gstWithin(Math.min(a, b), of));
    }),
  );
});

test('formats a price with its currency', () => {
  expect([money(2500, 'NZD'), money(5, 'AUD')]).toEqual(['$25.00 NZD', '$0.05 AUD']);
});

test('checks an open payment again after as long as it has been open', () => {
  const waits = [0, 5, 20, 59, 61, 600].map((minutes) => {
    const now = new Date(Date.UTC(2026, 10, 21) + minutes * 60_000);
    return (nextCheckAt(new Date(Date.UTC(2026, 10, 21)), now).getTime() - now.getTime()) / 60_000;
  });
  expect(waits).toEqual([1, 5, 20, 59, 60, 60]);
});

test('checks an open payment after at least a minute and at most an hour', () => {
  const created = new Date('2026-11-21T00:00:00Z');
  fc.assert(
    fc.property(fc.nat(40 * 86_400_000), (age) => {
      const now = new Date(created.getTime() + age);
      const wait = nextCheckAt(created, now).getTime() - now.getTime();
      expect(wait).toBeGreaterThanOrEqual(60_000);
      expect(wait).toBeLessThanOrEqual(3_600_000);
    }),
  );
});

const unsent = [
  { id: 'a', amount: 200 },
  { id: 'b', amount: 300 },
];

test.each([
  [100, { bought: 1000, owed: 0, unsent }],
  [400, { bought: 700, owed: 0, unsent }],
  [1100, { bought: 0, owed: 0, unsent }],
  [
    1350,
    {
      bought: 0,
      owed: 0,
      unsent: [
        { id: 'a', amount: 0 },
        { id: 'b', amount: 250 },
      ],
    },
  ],
  [
    1600,
    {
      bought: 0,
      owed: 0,
      unsent: [
        { id: 'a', amount: 0 },
        { id: 'b', amount: 0 },
      ],
    },
  ],
  [1601, undefined],
])('deducts %i cents from 100 owed, 1000 bought and 500 unsent in this order', (amount, left) => {
  expect(deductRefund({ bought: 1000, owed: 100, unsent }, amount)).toEqual(left);
});

test('deducts to the cent and never below zero', () => {
  const cents = fc.nat({ max: 500 });
  fc.assert(
    fc.property(cents, cents, fc.array(cents, { maxLength: 3 }), fc.nat({ max: 2000 }), (bought, owed, waiting, amount) => {
      const purse = { bought, owed, unsent: waiting.map((one, index) => ({ id: String(index), amount: one })) };
      const partsOf = (one: typeof purse) => [one.bought, one.owed, ...one.unsent.map((each) => each.amount)];
      const sumOf = (one: typeof purse) => partsOf(one).reduce((sum, part) => sum + part, 0);
      const left = deductRefund(purse, amount) as typeof purse | undefined;
      expect(left === undefined).toBe(amount > sumOf(purse));
      if (!left) return;
      expect(sumOf(purse) - sumOf(left)).toBe(amount);
      expect(Math.min(...partsOf(left))).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test('refunds what is owed, or all that is left, if no amount is given', () => {
  expect([defaultRefundAmount({ bought: 900, owed: 100 }), defaultRefundAmount({ bought: 900, owed: 0 })]).toEqual([100, 900]);
});
