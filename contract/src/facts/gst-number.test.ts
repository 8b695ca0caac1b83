import { expect, test } from 'vitest';
import { formatGstNumber, parseGstNumber } from './gst-number.ts';

// The examples of Inland Revenue's specification; the check digit of the third one takes the second weights.
const numbers = ['49091850', '35901981', '49098576', '136410132'];

test.each(numbers)('%s is a GST number, and with another check digit it is none', (number) => {
  const found = [...'0123456789'].map((digit) => parseGstNumber(number.slice(0, -1) + digit));
  expect(found.filter(Boolean)).toEqual([number]);
});

test.each([
  '49-091-850',
  '49 091 850',
  '049-091-850',
  'GST 49-091-850',
  'gst: 49091850',
  'GST number 49 091 850',
  'GST No. 49091850',
  'IRD# 49091850',
])('“%s” is cleaned before it is judged', (text) => expect(parseGstNumber(text)).toBe('49091850'));

test.each(['', '136410133', '9125568', '0049091850', '1364101320', 'GST', '49091850x', '9429040188935', '00000000'])(
  '“%s” is no GST number',
  (text) => expect(parseGstNumber(text)).toBeUndefined(),
);

test('groups the digits as Inland Revenue writes them', () => {
  expect(numbers.map(formatGstNumber)).toEqual(['49-091-850', '35-901-981', '49-098-576', '136-410-132']);
});
