import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PlanType, planType } from '@handwise/contract/plans/calls';
import { renewalDays } from '@handwise/contract/plans/renewal';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import { isCardExpired } from './plans.renewals.ts';
import { calculateChangePrice, periodEnd, planTooSmallReason, wholeDaysLeft } from './plans.rules.ts';

const day = 86_400_000;
const now = new Date('2026-11-21T03:00:00Z');

test.each([
  ['premium', 'featured', 15, 2250, 'Featured $35.00 less $12.50 for 15 unused days of Premium.'],
  ['basic', 'premium', 1, 2450, 'Premium $25.00 less $0.50 for 1 unused day of Basic.'],
  ['basic', 'featured', 0, 3500, 'Featured $35.00 less $0.00 for 0 unused days of Basic.'],
  ['featured', 'basic', 20, 0, 'Basic $15.00 less $23.33 for 20 unused days of Featured. Nothing to pay.'],
  ['premium', 'basic', 18, 0, 'Basic $15.00 less $15.00 for 18 unused days of Premium. Nothing to pay.'],
] as const)('a change from %s to %s with %i days left costs %i cents and says why', (from, to, daysLeft, amount, reason) => {
  expect(calculateChangePrice(from, to, daysLeft)).toEqual({ amount, reason });
});

const anyPlan = fc.constantFrom(...planType.options);
const daysLeft = fc.integer({ min: 0, max: subscriptionDays });

test('prices a change in whole cents between zero and the new plan’s price', () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, daysLeft, (from, to, left) => {
      const { amount } = calculateChangePrice(from, to, left);
      expect(Number.isInteger(amount)).toBe(true);
      expect(amount).toBeGreaterThanOrEqual(0);
      expect(amount).toBeLessThanOrEqual(plans[to].priceMinor);
    }),
  );
});

test('prices a change so that payment plus unused value covers the new plan', () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, daysLeft, (from, to, left) => {
      const covered = calculateChangePrice(from, to, left).amount + (plans[from].priceMinor * left) / subscriptionDays;
      expect(covered).toBeGreaterThan(plans[to].priceMinor - 1);
    }),
  );
});

test('never prices a change lower with fewer days left', () => {
  fc.assert(
    fc.property(anyPlan, anyPlan, daysLeft, daysLeft, (from, to, a, b) => {
      expect(calculateChangePrice(from, to, Math.min(a, b)).amount).toBeGreaterThanOrEqual(
        calculateChangePrice(from, to, Math.max(a, b)).amount,
      );
    }),
  );
});

// Stripe refuses to charge less than 50 cents in either currency.
test('prices a change at zero or at least the card minimum', () => {
  for (const from of planType.options) {
    for (const to of planType.options) {
      for (let left = 0; left <= subscriptionDays + renewalDays.charge; left += 1) {
        const { amount } = calculateChangePrice(from, to, left);
        expect(amount === 0 || amount >= 50, `${from} to ${to}, ${left} days: ${amount}`).toBe(true);
      }
    }
  }
});

test('counts whole days left, at least 0', () => {
  fc.assert(
    fc.property(fc.integer({ min: -60 * day, max: 60 * day }), (left) => {
      const days = wholeDaysLeft(new Date(now.getTime() + left), now, new Date(0));
      expect(Number.isInteger(days)).toBe(true);
      expect(days).toBe(Math.max(0, Math.floor(left / day)));
    }),
  );
  expect(wholeDaysLeft(new Date(now.getTime() + day - 1), now, now)).toBe(0);
  expect(wholeDaysLeft(new Date(now.getTime() + day), now, now)).toBe(1);
});

test('ends a period after exactly 30 days, also across a clock change', () => {
  const startedAt = new Date('2026-09-20T11:30:00Z');
  expect(periodEnd(startedAt).toISOString()).toBe('2026-10-20T11:30:00.000Z');
  expect(wholeDaysLeft(periodEnd(startedAt), startedAt, startedAt)).toBe(30);
});

test('rejects a plan with fewer slots than listings', () => {
  expect(planTooSmallReason('basic', 2)).toBe('This plan covers 1 listing(s); you have 2.');
  fc.assert(
    fc.property(anyPlan, fc.nat(20), (type: PlanType, listings) => {
      expect(planTooSmallReason(type, listings) === undefined).toBe(listings <= plans[type].slots);
    }),
  );
});

test.each([
  ['2026-11-30T23:59:59Z', 11, 2026, false],
  ['2026-12-01T00:00:00Z', 11, 2026, true],
  ['2026-12-31T23:59:59Z', 12, 2026, false],
  ['2027-01-01T00:00:00Z', 12, 2026, true],
  ['2026-12-15T00:00:00Z', 1, 2027, false],
])('at %s a card that expires in month %i of %i has expired: %s', (at, month, year, isExpired) => {
  expect(isCardExpired({ exp_month: month, exp_year: year }, new Date(at))).toBe(isExpired);
});
