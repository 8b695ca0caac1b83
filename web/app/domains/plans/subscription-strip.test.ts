import type { Subscription } from '@handwise/contract/plans/calls';
import { expect, test } from 'vitest';
import { findFreeSlot } from './plan-queries.ts';
import { describeEnd, isShownInStrip, getMark } from './subscription-strip.tsx';

const day = 86_400_000;
const now = new Date('2026-11-22T00:00:00Z');
const at = (days: number) => new Date(now.getTime() + days * day).toISOString();
const running = {
  isActive: true,
  isReplaced: false,
  isReturned: false,
  isDisputed: false,
  isRenewed: false,
  endDate: at(10),
  timeZone: 'Pacific/Auckland',
  renewal: null,
};
const returned = { ...running, isActive: false, isReturned: true, endDate: at(-29) };

test("shows running plans and those that a refund ended within a plan's length, but no expired or replaced ones", () => {
  expect(isShownInStrip(running, now)).toBe(true);
  expect(isShownInStrip({ ...running, isActive: false, endDate: at(-1) }, now)).toBe(false);
  // The next one is shown instead.
  expect(isShownInStrip({ ...running, isRenewed: true }, now)).toBe(false);
  expect(isShownInStrip(returned, now)).toBe(true);
  expect(isShownInStrip({ ...returned, endDate: at(-31) }, now)).toBe(false);
  expect(isShownInStrip({ ...returned, isReplaced: true }, now)).toBe(false);
});

test('explains plans that are paused or ended by a refund, and no others', () => {
  expect(getMark(running)).toBeNull();
  expect(getMark({ ...running, isDisputed: true })).toMatchObject({ mark: 'Paused', means: expect.stringContaining('nothing new') });
  expect(getMark(returned)).toMatchObject({ mark: 'Ended', means: expect.stringContaining('is being refunded') });
  expect([describeEnd(running), describeEnd(returned)]).toEqual(['Ends on Dec 2, 2026', 'Ended on Oct 24, 2026']);
});

test('offers no free slot of a paused plan', () => {
  const plan = { ...running, country: 'NZ', slots: 5, slotsUsed: 1 } as unknown as Subscription;
  expect(findFreeSlot([plan], 'NZ')).toBe(plan);
  expect(findFreeSlot([plan], 'AU')).toBeUndefined();
  expect(findFreeSlot([{ ...plan, isDisputed: true }], 'NZ')).toBeUndefined();
  expect(findFreeSlot([{ ...plan, slotsUsed: 5 }], 'NZ')).toBeUndefined();
  expect(findFreeSlot([{ ...plan, isRenewed: true }], 'NZ')).toBeUndefined();
});
