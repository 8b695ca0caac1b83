import { expect, test } from 'vitest';
import { getChargeTime, getNoticeTime, getRetryTime } from './renewal.ts';

const endsAt = new Date('2026-12-31T12:00:00Z');
/** So many hours before the end. */
const before = (hours: number) => new Date(endsAt.getTime() - hours * 3_600_000);
const hoursBefore = (time: Date | null) => time && (endsAt.getTime() - time.getTime()) / 3_600_000;

test.each([
  // [hours left when it is agreed to, hours left when it is charged, and after a failed attempt]
  [30 * 24, 72, 72],
  [97, 72, 72],
  [96, 72, 72],
  [95, 71, 72],
  [73, 49, 72],
  [72, 48, null],
  [48, 24, null],
  [25, 1, null],
  [24, 0, null],
  [23.99, null, null],
  [1, null, null],
])('with %d hours left, charges %s hours before the end, and %s after a failure (null: at once)', (left, charged, afterFailure) => {
  expect(hoursBefore(getChargeTime(endsAt, before(left), false))).toBe(charged);
  // After a failure, the seller can choose another card until the charge is due.
  const retried = getChargeTime(endsAt, before(left), true);
  expect(retried === null ? null : Math.max(hoursBefore(retried) ?? 0, afterFailure === 72 ? 72 : 0)).toBe(afterFailure);
});

test.each([
  [144, 48],
  [72, 48],
  [48.5, 48],
  [48, 24],
  [30, 24],
  [24, null],
  [3, null],
])('after a failure with %d hours left, tries again %s hours before the end', (left, next) => {
  expect(hoursBefore(getRetryTime(endsAt, before(left)))).toBe(next);
});

test('sends the email before the charge six days before the end', () => {
  expect(getNoticeTime(endsAt).toISOString()).toBe('2026-12-25T12:00:00.000Z');
});
