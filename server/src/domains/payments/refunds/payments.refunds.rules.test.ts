import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountToReturn, takeFrom } from './payments.refunds.rules.ts';

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
])('of 100 cents owed, 1000 that pay for something and 500 on their way, %i go back in this order', (amount, left) => {
  expect(takeFrom({ bought: 1000, owed: 100, unsent }, amount)).toEqual(left);
});

test('what went back is missing from what is left, to the cent, and nothing is ever less than nothing', () => {
  const cents = fc.nat({ max: 500 });
  fc.assert(
    fc.property(cents, cents, fc.array(cents, { maxLength: 3 }), fc.nat({ max: 2000 }), (bought, owed, waiting, amount) => {
      const purse = { bought, owed, unsent: waiting.map((one, index) => ({ id: String(index), amount: one })) };
      const partsOf = (one: typeof purse) => [one.bought, one.owed, ...one.unsent.map((each) => each.amount)];
      const sumOf = (one: typeof purse) => partsOf(one).reduce((sum, part) => sum + part, 0);
      const left = takeFrom(purse, amount) as typeof purse | undefined;
      expect(left === undefined).toBe(amount > sumOf(purse));
      if (!left) return;
      expect(sumOf(purse) - sumOf(left)).toBe(amount);
      expect(Math.min(...partsOf(left))).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 100, seed: 7 },
  );
});

test('a refund without an amount is of what is owed, where nothing is of all that is left', () => {
  expect([amountToReturn({ bought: 900, owed: 100 }), amountToReturn({ bought: 900, owed: 0 })]).toEqual([100, 900]);
});
