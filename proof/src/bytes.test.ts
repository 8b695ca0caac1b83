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

test('reads lower-case hexadecimal of the given length only', () => {
  expect(fromHex('00ff', 2)).toEqual(Uint8Array.from([0, 255]));
  for (const text of ['00FF', '00f', '00ff00', 'x0ff', '00fx', '']) expect(fromHex(text, 2), text).toBeNull();
});

test('bytes are equal only if all are, and their number is', () => {
  const bytes = Uint8Array.from([1, 2]);
  expect(areBytesEqual(bytes, Uint8Array.from([1, 2]))).toBe(true);
  for (const other of [[1], [1, 2, 3], [1, 3], []]) expect(areBytesEqual(bytes, Uint8Array.from(other)), `${other}`).toBe(false);
});
