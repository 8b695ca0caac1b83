import { expect, test } from 'vitest';
import { checkPictures, hasPictureFormat, findPictureProblem } from './checked-pictures.ts';

const megabyte = 1024 * 1024;
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, head: readonly number[], size = 100) =>
  new File([Uint8Array.from(head), new Uint8Array(size - head.length)], name, { type: 'image/jpeg' });
const problemOf = async ({ name }: File) => (name.startsWith('broken') ? 'is damaged or incomplete.' : null);

test('drops and counts photos that stay over 5 MB, names files that are no pictures, and keeps the order', async () => {
  const picked = [
    file('a.jpg', jpeg),
    file('huge.jpg', jpeg, 5 * megabyte + 1),
    file('broken.jpg', jpeg),
    file('exactly.jpg', jpeg, 5 * megabyte),
    file('large.jpg', jpeg, 6 * megabyte),
  ];
  expect(await checkPictures(picked, undefined, problemOf, async () => null)).toEqual({
    accepted: [picked[0], picked[3]],
    problems: ["2 file(s) exceed the 5MB size limit and won't be uploaded.", '“broken.jpg” is damaged or incomplete.'],
  });
});

test('shrinks photos over 5 MB in place, and leaves smaller ones', async () => {
  const picked = [file('huge.jpg', jpeg, 5 * megabyte + 1), file('exactly.jpg', jpeg, 5 * megabyte)];
  const small = file('small.jpg', jpeg);
  const checked: unknown[] = [];
  const shrink = async (one: File, maxBytes: number) => {
    checked.push([one.name, maxBytes]);
    return small;
  };
  expect(await checkPictures(picked, undefined, problemOf, shrink)).toEqual({ accepted: [small, picked[1]], problems: [] });
  expect(checked).toEqual([['huge.jpg', 5 * megabyte]]);
  // A problem of the shrunk file is reported under the picked file's name.
  const broken = async () => file('broken.jpg', jpeg);
  expect((await checkPictures([file('huge.jpg', jpeg, 6 * megabyte)], undefined, problemOf, broken)).problems).toEqual([
    '“huge.jpg” is damaged or incomplete.',
  ]);
});

test('keeps a photo that the browser cannot shrink if more than 5 MB are allowed, up to that size', async () => {
  const picked = [file('exactly.jpg', jpeg, 15 * megabyte), file('huge.jpg', jpeg, 15 * megabyte + 1)];
  expect(await checkPictures(picked, 15 * megabyte, problemOf, async () => null)).toEqual({
    accepted: [picked[0]],
    problems: ["1 file(s) exceed the 15MB size limit and won't be uploaded."],
  });
});

test('reports a 9 MB film as no picture instead of as too large', async () => {
  const { accepted, problems } = await checkPictures(
    [file('film.mp4', [0, 0, 0, 0x18], 9 * megabyte)],
    undefined,
    async () => 'is not a picture',
  );
  expect([accepted, problems]).toEqual([[], ['“film.mp4” is not a picture']]);
});

const fileOf = (head: string) => new Blob([Uint8Array.from([...head].map((letter) => letter.charCodeAt(0)))]);
const opens = (width: number, height: number) => async () => ({ width, height, close: () => {} });
const unreadable = 'is not a picture that we can read. Use JPEG, PNG, WebP or AVIF.';

test.each([
  ['JPEG', '\u00ff\u00d8\u00ff\u00e0'],
  ['PNG', '\u0089PNG\r\n\u001a\n'],
  ['WebP', 'RIFF....WEBP'],
  ['AVIF', '....ftypavif'],
  ['AVIF that begins as any picture of its family', '....ftypmif1\0\0\0\0mif1avifmiaf'],
])('accepts %s', async (_, head) => {
  expect([await hasPictureFormat(fileOf(head)), await findPictureProblem(fileOf(head), opens(60, 40))]).toEqual([true, null]);
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
])('rejects %s without opening it', async (_, head) => {
  const open = async () => {
    throw new Error('it was opened');
  };
  expect([await hasPictureFormat(fileOf(head)), await findPictureProblem(fileOf(head), open)]).toEqual([false, unreadable]);
});

test('reports files that the browser cannot decode as damaged', async () => {
  const fails = () => Promise.reject(new DOMException('The source image could not be decoded.', 'InvalidStateError'));
  expect(await findPictureProblem(fileOf('RIFF....WEBP'), fails)).toBe('is damaged or incomplete.');
});

test('reports a file that has vanished as no picture', async () => {
  const unreadableFile = fileOf('RIFF....WEBP');
  Object.defineProperty(unreadableFile, 'slice', {
    value: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }),
  });
  expect([await hasPictureFormat(unreadableFile), await findPictureProblem(unreadableFile, opens(60, 40))]).toEqual([false, unreadable]);
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
  expect(await findPictureProblem(fileOf(head), opens(width, height))).toBe(problem);
});
