import { expect, test } from 'vitest';
import { parseBusinessNumber, formatBusinessNumber } from './business-number.ts';

// Of companies and authorities that publish their own number.
const nzbns = ['9429040188935', '9429053785237', '9429053872258', '9429051028626', '9429041896853', '9429053564504'];
const abns = ['51824753556', '12620650553', '33051775556', '49004028077', '48123123124', '88000014675'];

test.each([...nzbns.map((number) => [number, 'NZ'] as const), ...abns.map((number) => [number, 'AU'] as const)])(
  'the published number %s is one of %s, and of the other country none',
  (number, country) => {
    expect(parseBusinessNumber(number, country)).toBe(number);
    expect(parseBusinessNumber(number, country === 'NZ' ? 'AU' : 'NZ')).toBeUndefined();
  },
);

test.each([['NZ', nzbns] as const, ['AU', abns] as const])(
  'rejects a number of %s with a wrong digit, or with swapped neighbours unless their check digit is the same',
  (country, numbers) => {
    for (const number of numbers) {
      for (let place = 0; place < number.length; place++) {
        for (let digit = 0; digit <= 9; digit++) {
          const changed = `${number.slice(0, place)}${digit}${number.slice(place + 1)}`;
          expect([changed, parseBusinessNumber(changed, country)]).toEqual([changed, changed === number ? number : undefined]);
        }
        const [one = '', other = ''] = number.slice(place, place + 2);
        if (place + 1 === number.length || one === other) continue;
        const swapped = `${number.slice(0, place)}${other}${one}${number.slice(place + 2)}`;
        // GS1 weighs neighbours by 1 and 3: digits that differ by five weigh the same either way.
        const same = country === 'NZ' && place > 1 && Math.abs(Number(one) - Number(other)) === 5;
        expect([swapped, parseBusinessNumber(swapped, country)]).toEqual([swapped, same ? swapped : undefined]);
      }
    }
  },
);

test.each([
  ['51 824 753 556', 'AU', '51824753556'],
  ['51-824-753-556', 'AU', '51824753556'],
  [' 9429 0401 8893 5 ', 'NZ', '9429040188935'],
] as const)('“%s” of %s is %s', (text, country, number) => expect(parseBusinessNumber(text, country)).toBe(number));

test.each([
  ['', 'NZ'],
  ['', 'AU'],
  ['942904018893', 'NZ'],
  ['94290401889350', 'NZ'],
  // Its digits check, but it is no New Zealand business's.
  ['4006381333931', 'NZ'],
  ['9429040188935x', 'NZ'],
  ['5182475355', 'AU'],
  ['518247535560', 'AU'],
  // Divides by 89, and no ABN begins with a zero.
  ['01000100000', 'AU'],
  ['ABN 51824753556', 'AU'],
] as const)('“%s” is no number of %s', (text, country) => expect(parseBusinessNumber(text, country)).toBeUndefined());

test('groups the digits of an ABN and not of an NZBN', () => {
  expect([formatBusinessNumber('51824753556', 'abn'), formatBusinessNumber('9429040188935', 'nzbn')]).toEqual([
    '51 824 753 556',
    '9429040188935',
  ]);
});
