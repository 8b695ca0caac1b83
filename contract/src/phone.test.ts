import { expect, test } from 'vitest';
import { findPhoneProblem, formatPhoneNumber, type PhonePlace, readPhoneNumber, wrongPhoneNumber } from './phone.ts';

const nz: PhonePlace = { country: 'NZ' };
const au: PhonePlace = { country: 'AU' };
const readAt = (region: string, text: string) => readPhoneNumber(text, { country: 'AU', region });
const askFor = (code: string) => ({ problem: `Add the area code, such as ${code}` });

test.each([
  ['021 345 678', nz, '+6421345678'],
  ['(09) 555-0100', nz, '+6495550100'],
  ['0491 570 006', au, '+61491570006'],
  ['(03) 9123 4567', au, '+61391234567'],
  ['13 12 34', au, '+61131234'],
  ['1300 123 456', au, '+611300123456'],
  // Valid in one country only, and certain there.
  ['0491 570 006', nz, '+61491570006'],
  ['1300 123 456', nz, '+611300123456'],
  ['021 345 678', au, '+6421345678'],
  ['021 034 5678', au, '+64210345678'],
  ['0800 123 456', au, '+64800123456'],
  ['09 555 0100', au, '+6495550100'],
  // Valid in both: the listing's country decides.
  ['02 7876 5432', nz, '+64278765432'],
  ['02 7876 5432', au, '+61278765432'],
  ['+61 491 570 006', nz, '+61491570006'],
  ['+64 21 345 678', au, '+6421345678'],
  // Without the 0 or the + that a spreadsheet takes away.
  ['21 345 678', nz, '+6421345678'],
  ['9 555 0100', nz, '+6495550100'],
  ['412 345 678', au, '+61412345678'],
  ['3 9123 4567', au, '+61391234567'],
  ['61391234567', nz, '+61391234567'],
  ['6421345678', au, '+6421345678'],
  // As dialled from abroad, and as printed on cards.
  ['0011 61 3 9123 4567', nz, '+61391234567'],
  ['0064 21 345 678', au, '+6421345678'],
  ['+61 (0)3 9123 4567', nz, '+61391234567'],
  ['tel:+64-21-345-678', au, '+6421345678'],
] as const)('reads "%s" of a listing in %o as %s', (typed, place, number) => {
  expect(readPhoneNumber(typed, place)).toEqual({ number });
  expect(findPhoneProblem(typed)).toBeUndefined();
});

test('shows a number in groups, with its country', () => {
  expect(formatPhoneNumber('+6421345678')).toBe('+64 21 345 678');
  expect(formatPhoneNumber('+61391234567')).toBe('+61 3 9123 4567');
});

test.each([
  ['New South Wales', '9123 4567', '+61291234567'],
  ['New South Wales', '8123 4567', '+61281234567'],
  ['New South Wales', '6212-3456', '+61262123456'],
  ['Australian Capital Territory', '6212 3456', '+61262123456'],
  ['Victoria', '9123 4567', '+61391234567'],
  ['Tasmania', '6212 3456', '+61362123456'],
  ['Queensland', '3123 4567', '+61731234567'],
  ['South Australia', '8123 4567', '+61881234567'],
  ['Western Australia', '9123 4567', '+61891234567'],
  ['Northern Territory', '8912 3456', '+61889123456'],
  ['Queensland', '+61 3123 4567', '+61731234567'],
])('completes a local number in %s: %s', (region, typed, number) => {
  expect(readAt(region, typed)).toEqual({ number });
});

test.each([
  ['New South Wales', '3123 4567', '02'],
  // Also of a neighbour across the border.
  ['New South Wales', '5536 1234', '02'],
  ['New South Wales', '8087 1234', '02'],
  ['New South Wales', '4671 1234', '02'],
  ['Victoria', '6056 1234', '03'],
  ['Queensland', '9123 4567', '07'],
  ['Western Australia', '8123 4567', '08'],
  ['Nowhere', '9123 4567', '03'],
])('asks for the area code in %s where %s is not certain', (region, typed, code) => {
  expect(readAt(region, typed)).toEqual(askFor(code));
});

test('asks for the area code of a local number in New Zealand, and of any without a place', () => {
  expect(readPhoneNumber('345 6789', nz)).toEqual(askFor('09'));
  for (const local of ['9123 4567', '3123 4567', '8123 4567', '6212 3456', '345 6789', '+61 9123 4567']) {
    expect(readPhoneNumber(local)).toEqual(askFor('03'));
  }
});

test('never reads a local number of an Australian listing as one of New Zealand', () => {
  for (const region of ['New South Wales', 'Victoria', 'Queensland', 'Tasmania', 'Western Australia', '']) {
    for (let first = 2; first <= 9; first += 1) {
      for (const rest of ['123 4567', '555 0100', '021 3456']) expect(JSON.stringify(readAt(region, first + rest))).not.toContain('+64');
    }
  }
});

test.each(['0412 345 67', '03 9123 456', '(02) 9123 456', '07 3123 456'])(
  'refuses "%s" of an Australian listing, which lacks a digit, rather than read it as one of New Zealand',
  (typed) => {
    expect(readPhoneNumber(typed, au)).toEqual({ problem: wrongPhoneNumber });
  },
);

test.each(['412 345 678', '3 9123 4567'])('refuses "%s" of a New Zealand listing, which has no 0', (typed) => {
  expect(readPhoneNumber(typed, nz)).toEqual({ problem: wrongPhoneNumber });
});

test.each([
  '12',
  '(647) 204-1812',
  '647-204-1812',
  '+1 212 555 0100',
  '021 345 67x',
  'call me',
  '',
  '+64 0000',
  '021 345 678 ext 2',
  '021 345 678 / 09 555 0100',
  '111',
])('refuses "%s" everywhere', (typed) => {
  expect(findPhoneProblem(typed)).toBe(wrongPhoneNumber);
  for (const place of [undefined, nz, au]) expect(readPhoneNumber(typed, place)).toEqual({ problem: wrongPhoneNumber });
});

test.each(['\u2068', '\u202a', '\u200b', '\u00ad', '\ufeff', '\u200e'])('ignores %j in a number', (char) => {
  const typed = `${char}0412${char} 345${char} 678${char}`;
  expect(readPhoneNumber(typed, au)).toEqual({ number: '+61412345678' });
});

test.each([
  '0412\u2011345\u2011678',
  '0412\u2013345\u2013678',
  '0412\u00a0345\u00a0678',
  '0412\t345\t678',
  '\uff10\uff14\uff11\uff12 345 678',
])('reads the dashes, spaces and digits of %j', (typed) => {
  expect(readPhoneNumber(typed, au)).toEqual({ number: '+61412345678' });
});
