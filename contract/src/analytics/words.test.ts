import { expect, test } from 'vitest';
import { formatChange, formatMetrics } from './words.ts';

test.each([
  [0, 0, 'None in the 30 days before either'],
  [7, 0, 'None in the 30 days before'],
  [45, 45, 'As many as in the 30 days before'],
  [51, 45, '13% more than in the 30 days before (45)'],
  [0, 45, '100% fewer than in the 30 days before (45)'],
  [2_001, 2_000, 'About as many as in the 30 days before (2,000)'],
  [1_010, 1_000, '1% more than in the 30 days before (1,000)'],
  [45_000, 45, '99,900% more than in the 30 days before (45)'],
])('%i after %i reads: %s', (now, before, text) => {
  expect(formatChange(now, before, 'in the 30 days before')).toBe(text);
});

test('writes views, saves and messages on one line, and who was shown the number if anyone was', () => {
  const metrics = { views: 1_200, saves: 1, messages: 0, numbersShown: 0 };
  expect(formatMetrics(metrics)).toBe('1,200 views · 1 save · 0 messages');
  expect(formatMetrics({ ...metrics, numbersShown: 1 })).toBe('1,200 views · 1 save · 0 messages · number shown to 1 person');
  expect(formatMetrics({ ...metrics, numbersShown: 1_002 })).toContain('number shown to 1,002 people');
});
