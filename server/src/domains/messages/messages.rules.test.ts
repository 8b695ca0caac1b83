import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { getBusyMs } from '@handwise/sandbox/testing/busy-time';
import { hashOpening, listWarnings } from './messages.rules.ts';

test.each([
  'See https://example.org/quote',
  'HTTP://example.org',
  'www.mybusiness',
  'my-site.co.nz has photos',
  'try bit.ly/abc',
  'handyman.com.au',
])('“%s” has a link', (text) => {
  expect(listWarnings(text)).toEqual(['link']);
});

test.each([
  'My account is 12-3456-7890123-00',
  '12 3456 7890123 001 please',
  'BSB 062-000, account 12345678',
  'Transfer to 062-000 acc 12345678',
  'IBAN DE89 3704 0044 0532 0130 00',
  'Here are my bank details',
  'what is your bank account?',
  'Send me your account number',
  '4242 4242 4242 4242',
  '4242424242424242',
])('“%s” has bank details', (text) => {
  expect(listWarnings(text)).toEqual(['bank_details']);
});

test.each([
  'Come tomorrow.thanks',
  'Mail me at mere@example.org',
  'Call 021 123 4567 or +64 9 123 4567',
  'It is 3.5 m by 2.4 m, about $1,250.00',
  'Listing 1001, on 12-11-2026 at 10.30',
  'I sit on the river bank',
  'Your account of the job was helpful',
])('“%s” has neither', (text) => {
  expect(listWarnings(text)).toEqual([]);
});

test('texts that differ only in case, accents, spaces and punctuation have the same hash', () => {
  const hash = hashOpening('Kia ora, are you free in Taupō?');
  expect(hashOpening('  kia ora — ARE you\nfree in Taupo ').equals(hash)).toBe(true);
  expect(hashOpening('Kia ora, are you free in Taupiri?').equals(hash)).toBe(false);
});

/** The plain form of the patterns, whose time grows with the square of a text's length. */
function listWarningsSlowly(text: string) {
  const link =
    /\bhttps?:\/\/|\bwww\.|\b[a-z\d-]+\.(?:com|co|net|org|nz|au|info|biz|xyz|io|app|site|online|shop|link|ly|me|top|click)\b(?!@)/i;
  return link.test(text.replaceAll(/\S+@\S+/g, ' '));
}

test('finds the same links as the plain form of the patterns', () => {
  const pieces = fc.constantFrom(...'a1-_. @/:\nāA'.split(''), '.com', '.co.nz', 'www.', 'http://', '.me', 'mere@', '…', '.coma');
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 14 }).map((all) => all.join('')),
    fc.lorem({ maxCount: 20 }),
    fc.string(),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(listWarnings(text).includes('link')).toBe(listWarningsSlowly(text));
    }),
    { numRuns: 20_000 },
  );
});

test.each(['1-', '1-1 ', 'a@', '@', ' ', '.', '-', 'a.', '_-', '0', '012-345 ', 'ab12 cdef ', '4242 ', 'http:', '\ud83d\ude00'])(
  'reads %j a thousand times over without delay',
  (repeated) => {
    // A hundred messages; a pattern of quadratic time takes seconds for them.
    const text = repeated.repeat(maxMessageLength).slice(0, maxMessageLength);
    const startedAt = getBusyMs();
    for (let count = 0; count < 100; count += 1) listWarnings(text);
    expect(getBusyMs() - startedAt).toBeLessThan(500);
  },
);
