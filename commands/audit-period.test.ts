import { expect, test } from 'vitest';
import { getAuditPeriod } from './audit-period.ts';

const now = new Date('2026-11-22T10:00:00Z');
const days = (options: { from?: string; to?: string }) => {
  const { from, to } = getAuditPeriod({ provider: true, ...options }, now);
  return `${from.toISOString()} ${to.toISOString()}`;
};

test('includes the last day of a period, and defaults to the last 30 days and today', () => {
  expect(days({ from: '2026-11-01', to: '2026-11-30' })).toBe('2026-11-01T00:00:00.000Z 2026-12-01T00:00:00.000Z');
  expect(days({ from: '2026-11-22', to: '2026-11-22' })).toBe('2026-11-22T00:00:00.000Z 2026-11-23T00:00:00.000Z');
  expect(days({ from: '2024-02-29' })).toBe('2024-02-29T00:00:00.000Z 2026-11-22T10:00:00.000Z');
  expect(days({ to: '2026-11-10' })).toBe('2026-10-11T00:00:00.000Z 2026-11-11T00:00:00.000Z');
  expect(days({})).toBe('2026-10-22T10:00:00.000Z 2026-11-22T10:00:00.000Z');
  expect(getAuditPeriod({}, now).to).toEqual(now);
});

test.each([
  [{ from: 'yesterday' }, '--from takes a day such as 2026-11-22'],
  [{ from: '22/11/2026' }, '--from takes a day'],
  [{ from: '2026-11-1' }, '--from takes a day'],
  [{ from: '' }, '--from takes a day'],
  [{ to: '2026-02-31' }, '--to takes a day'],
  [{ to: '2027-02-29' }, '--to takes a day'],
  [{ to: '2026-13-01' }, '--to takes a day'],
  [{ to: '2026-11-22T10:00' }, '--to takes a day'],
  [{ from: '2026-11-22', to: '2026-11-21' }, '--from is after --to'],
  [{ from: '2026-11-23' }, '--from is in the future'],
])('rejects %j with a message', (options, message) => {
  expect(() => days(options)).toThrow(message);
});

test('rejects days without the provider, because they would be ignored', () => {
  expect(() => getAuditPeriod({ from: '2026-11-01' }, now)).toThrow('--from and --to are for --provider');
  expect(() => getAuditPeriod({ to: '2026-11-01' }, now)).toThrow('--from and --to are for --provider');
});
