import { expect, test } from 'vitest';
import { areBytesEqual, fromBase64, fromHex } from './bytes.ts';

test.each([
  ['QUJD', 3],
  ['QUI=', 2],
  ['QQ==', 1],
])('reads canonical base64 with any padding: %s', (text, length) => {
  expect(fromBase64(text, length)).toEqual(Uint8Array.from([65, 66, 67].slice(0, length)));
});

test.each([
  ['of another length', 'QUJD', 4],
  ['without its padding', 'QUI', 2],
  ['with spare bits', 'QUJ=', 2],
  ['of the URL alphabet', 'QU-_', 3],
  ['with white space', 'QUJD\n', 3],
  ['that is empty', '', 0],
])('rejects base64 %s', (_, text, length) => {
  expect(fromBase64(text, length)).toBeNull();
});

test('reads lower-case hexadecimal', () => {
  expect(fromHex('00ff', 2)).toEqual(Uint8Array.from([0, 255]));
});

test.each(['00FF', '00f', '00ff00', 'x0ff', '00fx', ''])('rejects “%s” as two bytes of hexadecimal', (text) => {
  expect(fromHex(text, 2)).toBeNull();
});

test.each([
  [[1, 2], true],
  [[1], false],
  [[1, 2, 3], false],
  [[1, 3], false],
  [[], false],
])('compares the bytes 1 and 2 with %j', (other, areEqual) => {
  expect(areBytesEqual(Uint8Array.from([1, 2]), Uint8Array.from(other))).toBe(areEqual);
});
