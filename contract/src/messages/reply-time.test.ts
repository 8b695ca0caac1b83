import { expect, test } from 'vitest';
import { formatReplyTime } from './reply-time.ts';

test.each([
  [0, 'Usually replies within 10 minutes'],
  [10, 'Usually replies within 10 minutes'],
  [11, 'Usually replies within 30 minutes'],
  [60, 'Usually replies within an hour'],
  [61, 'Usually replies within 2 hours'],
  [120, 'Usually replies within 2 hours'],
  [1_440, 'Usually replies within a day'],
  [10_080, 'Usually replies within a week'],
  [10_081, 'Usually takes more than a week to reply'],
])('a median of %i minutes reads “%s”', (minutes, text) => {
  expect(formatReplyTime(minutes)).toBe(text);
});
