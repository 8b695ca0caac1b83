import { expect, test } from 'vitest';
import { endOf } from './own-card-view.ts';

test.each([
  ['2026-12-03T00:00:00Z', 'Ends in 12 days, on Dec 3, 2026'],
  ['2026-11-22T11:59:00Z', 'Ends in 1 day, on Nov 23, 2026'],
  ['2026-11-21T11:00:00Z', 'Ends within a day, on Nov 22, 2026'],
  ['2026-11-21T00:00:00Z', 'Ended on Nov 21, 2026'],
  ['2026-11-01T00:00:00Z', 'Ended on Nov 1, 2026'],
])('a period to %s is said to be: %s', (end, said) => {
  const now = end === '2026-11-22T11:59:00Z' ? new Date('2026-11-21T11:00:00Z') : new Date('2026-11-21T00:00:00Z');
  expect(endOf(end, now)).toBe(said);
});
