import { expect, test } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { messageProblem } from '../message-words.ts';

test('a message that failed says what the server said, else that it failed', () => {
  expect(messageProblem(new ApiError(403, 'own_listing_message', 'This is your own listing.'))).toBe('This is your own listing.');
  const words = 'Failed to send message. Please try again.';
  expect([new ApiError(0, 'network', 'Network Error'), new ApiError(500, 'internal', ''), 'broken'].map(messageProblem)).toEqual([
    words,
    words,
    words,
  ]);
});
