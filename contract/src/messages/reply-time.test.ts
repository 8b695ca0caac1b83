import { expect, test } from 'vitest';
import { formatAnswering, formatReplyTime } from './reply-time.ts';

test.each([
  [0, 'Answers within about 10 minutes'],
  [10, 'Answers within about 10 minutes'],
  [11, 'Answers within about 30 minutes'],
  [60, 'Answers within about an hour'],
  [61, 'Answers within about 2 hours'],
  [120, 'Answers within about 2 hours'],
  [1_440, 'Answers within about a day'],
  [10_080, 'Answers within about a week'],
  [10_081, 'Takes more than a week to answer'],
])('a median of %i minutes reads “%s”', (minutes, text) => {
  expect(formatReplyTime(minutes)).toBe(text);
});

test.each([
  [{ minutes: 100, given: 18, of: 20 }, 'Answers within about 2 hours, 18 of the last 20 messages'],
  [{ minutes: 100, given: 2, of: 2 }, 'Answers within about 2 hours'],
  [{ minutes: null, given: 0, of: 5 }, 'Answered 0 of the last 5 messages'],
  [{ minutes: null, given: 1, of: 2 }, null],
])('%o reads “%s”', (answering, text) => {
  expect(formatAnswering(answering)).toBe(text);
});
