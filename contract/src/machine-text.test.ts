import { expect, test } from 'vitest';
import { cleanMachineText, cleanReferralCode, cleanWebAddress } from './machine-text.ts';

const invisible = [
  ...'\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0f\u3164\u180e\ufe0d\ufffc',
];

test.each(invisible)('removes %j', (char) => {
  expect(cleanMachineText(`${char}04${char}12${char}`)).toBe('0412');
  expect(cleanWebAddress(`${char}https://kingi${char}.example/a${char}b${char}`)).toBe('https://kingi.example/ab');
});

test.each([...'\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u05be'])('maps %j to a hyphen', (dash) => {
  expect(cleanMachineText(`REF${dash}DEM${dash}1002`)).toBe('REF-DEM-1002');
});

test.each([...'\t\n\v\f\r\u0085\u00a0\u2003\u2009\u202f\u3000\u2028'])('maps %j to a space', (space) => {
  expect(cleanMachineText(`${space}plumber${space}${space}Ponsonby${space}`)).toBe('plumber Ponsonby');
});

test('maps full-width forms and Arabic digits', () => {
  expect(cleanMachineText('ｍｅｒｅ＠ｅｘａｍｐｌｅ．ｏｒｇ')).toBe('mere@example.org');
  expect(cleanMachineText('＃１８６０ ٠٤١٢ ۳')).toBe('#1860 0412 3');
});

test('leaves letters, marks and control characters as they are', () => {
  for (const text of ['Ōpōtiki', 'Ma\u0304ui', '東京 plumber', 'コーヒー', 'a\0b', 'a\u001bb', '½ m²', 'O’Neill'])
    expect(cleanMachineText(text)).toBe(text);
});

test.each([
  ['kingi–plumbing.example', 'kingi-plumbing.example'],
  ['https://kingi–plumbing.example/our–work?a=b–c#d–e', 'https://kingi-plumbing.example/our–work?a=b–c#d–e'],
  ['ｈｔｔｐｓ：／／ｋｉｎｇｉ．ｅｘａｍｐｌｅ／ａ', 'https://kingi.example/ａ'],
  ['\u2068https://kingi.example\u2069\t', 'https://kingi.example'],
  ['https://kingi.example/a\nb', 'https://kingi.example/ab'],
  ['', ''],
])('cleans the address %j', (typed, clean) => {
  expect(cleanWebAddress(typed)).toBe(clean);
});

test.each([
  ['REF–DEM–1002', 'REF-DEM-1002'],
  ['REF-DEM-1002.', 'REF-DEM-1002'],
  ['“ref-dem-1002”', 'REF-DEM-1002'],
  ['REF - DEM - 1002', 'REF-DEM-1002'],
  ['REF DEM 1002', 'REF-DEM-1002'],
  ['ref—dem\u00a0\u2212 1002', 'REF-DEM-1002'],
  ['R E F D E M 1 0 0 2', 'REF-DEM-1002'],
  ['REF-DEM-10 02', 'REF-DEM-1002'],
  ['refdem1002', 'REF-DEM-1002'],
  ['Use REF_DEM_1002 today', 'REF-DEM-1002'],
  ['My code: REF-DEM-1002!', 'REF-DEM-1002'],
  ['https://handwise.example/auth/register?ref=REF-DEM-1002', 'REF-DEM-1002'],
  [' REF-DEM\u200b-10021 ', 'REF-DEM-10021'],
  // Not a code of its own.
  ['XREF-DEM-1002', 'XREF-DEM-1002'],
  ['REF-DEM-1002A', 'REF-DEM-1002A'],
  ['REF-DEM-1002-3', 'REF-DEM-1002-3'],
  ['REF', 'REF'],
])('finds the code in %j', (typed, code) => {
  expect(cleanReferralCode(typed)).toBe(code);
});
