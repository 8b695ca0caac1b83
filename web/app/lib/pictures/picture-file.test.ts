import { expect, test } from 'vitest';
import { hasPictureFormat, pictureProblem } from './picture-file.ts';

const fileOf = (head: string) => new Blob([Uint8Array.from([...head].map((letter) => letter.charCodeAt(0)))]);
const opens = (width: number, height: number) => async () => ({ width, height, close: () => {} });
const unreadable = 'is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.';

test.each([
  ['JPEG', '\u00ff\u00d8\u00ff\u00e0'],
  ['PNG', '\u0089PNG\r\n\u001a\n'],
  ['WebP', 'RIFF....WEBP'],
  ['AVIF', '....ftypavif'],
  ['AVIF that begins as any picture of its family', '....ftypmif1\0\0\0\0mif1avifmiaf'],
])('%s is taken', async (_, head) => {
  expect([await hasPictureFormat(fileOf(head)), await pictureProblem(fileOf(head), opens(60, 40))]).toEqual([true, null]);
});

test.each([
  ['GIF', 'GIF89a'],
  ['HEIC', '....ftypheic\0\0\0\0mif1heic'],
  ['SVG', '<svg xmlns'],
  ['PDF', '%PDF-1.7'],
  ['sound', 'RIFF....WAVE'],
  ['film', '....ftypmp42'],
  ['half a PNG’s mark', '\u0089PNG'],
  ['nothing', ''],
])('%s is not, and is not opened', async (_, head) => {
  const open = async () => {
    throw new Error('it was opened');
  };
  expect([await hasPictureFormat(fileOf(head)), await pictureProblem(fileOf(head), open)]).toEqual([false, unreadable]);
});

test('what the browser cannot open is damaged', async () => {
  const fails = () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError'));
  expect(await pictureProblem(fileOf('RIFF....WEBP'), fails)).toBe('is damaged or incomplete.');
});

test('a file that is gone meanwhile is no picture', async () => {
  const gone = fileOf('RIFF....WEBP');
  Object.defineProperty(gone, 'slice', { value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }) });
  expect([await hasPictureFormat(gone), await pictureProblem(gone, opens(60, 40))]).toEqual([false, unreadable]);
});

test.each([
  ['RIFF....WEBP', 10_000, 5_000, null],
  ['RIFF....WEBP', 10_000, 5_001, 'has too many pixels. Use a picture of at most 50 megapixels.'],
  ['....ftypavif', 5_000, 2_500, null],
  ['....ftypavif', 5_000, 2_501, 'has too many pixels. Use a picture of at most 12.5 megapixels.'],
  ['RIFF....WEBP', 16_384, 100, null],
  ['RIFF....WEBP', 16_385, 100, 'is too wide or too tall. Use a picture of at most 16,384 pixels on each side.'],
  ['RIFF....WEBP', 100, 16_385, 'is too wide or too tall. Use a picture of at most 16,384 pixels on each side.'],
])('a %s of %i × %i pixels: %s', async (head, width, height, problem) => {
  expect(await pictureProblem(fileOf(head), opens(width, height))).toBe(problem);
});
