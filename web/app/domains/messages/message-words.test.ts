import { expect, test } from 'vitest';
import { addressWords, seenWords, describeMessageError } from './message-words.ts';
import { ApiError } from '../../lib/api-error.ts';

test('says that the business gets the address, unless answers are relayed', () => {
  expect(addressWords(false, 'sam@example.com')).toContain('The email carries your address, sam@example.com, so that they can reply');
  expect(seenWords(false)).toBe('They’ll see your first name and email address, nothing else.');
  expect(addressWords(true, 'sam@example.com')).toContain('They do not see your address');
  expect(addressWords(true, 'sam@example.com')).not.toContain('sam@example.com');
  expect(seenWords(true)).toBe('They’ll see your first name, nothing else.');
});

test("shows the server's message for a failed one, else a general text", () => {
  expect(describeMessageError(new ApiError(403, 'own_listing_message', 'This is your own listing.'))).toBe('This is your own listing.');
  const words = 'Failed to send message. Please try again.';
  const unexplained = [
    new ApiError(0, 'network', 'Network Error'),
    new ApiError(500, 'internal', ''),
    // A proxy's page.
    new ApiError(502, 'internal', 'An unexpected error occurred'),
    'broken',
  ];
  for (const error of unexplained) expect(describeMessageError(error)).toBe(words);
});
