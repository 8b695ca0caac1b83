import { expect, test } from 'vitest';
import { formatDue, formatUnread, formatWaiting, isOverdue } from './work-words.ts';

const now = Date.parse('2026-11-30T00:00:00Z');
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();

test.each([
  [0, 'Waiting for 1 minute'],
  [-0.5, 'Waiting for 30 minutes'],
  [-1, 'Waiting for 1 hour'],
  [-47, 'Waiting for 47 hours'],
  [-48, 'Waiting for 2 days'],
  [-24 * 400, 'Waiting for 400 days'],
])('says how long it has been waiting: %d hours', (hours, words) => {
  expect(formatWaiting(at(hours), now)).toBe(words);
});

test('says what is due, and what is overdue', () => {
  expect(formatDue(null, now)).toBeNull();
  expect(formatDue(at(3), now)).toBe('Due in 3 hours');
  expect(formatDue(at(-72), now)).toBe('3 days overdue');
  expect([isOverdue(null, now), isOverdue(at(1), now), isOverdue(at(0), now)]).toEqual([false, false, true]);
});

test('names what could not be read', () => {
  expect(formatUnread(['licences', 'jobs'])).toBe(
    'Could not be read: licences to look up, failed jobs. Whether something is waiting there is not known.',
  );
});
