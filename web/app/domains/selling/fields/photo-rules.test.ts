import { maxLogoBytes, maxPhotoBytes } from '@handwise/contract/selling';
import { expect, test } from 'vitest';
import { checkPhotos, isPicture, logoProblem, moved } from './photo-rules.ts';

const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, head: readonly number[], size = 100) =>
  new File([Uint8Array.from(head), new Uint8Array(size - head.length)], name, { type: 'image/jpeg' });
const bytes = (text: string) => Uint8Array.from([...text].map((letter) => letter.charCodeAt(0)));

test.each(['\u0089PNG\r\n', 'GIF89a', 'RIFF....WEBP', '....ftypavif', '....ftypmif1'])('%j is the beginning of a picture', (head) => {
  expect(isPicture(bytes(head))).toBe(true);
});

test.each(['<svg xmlns', '%PDF-1.7', 'RIFF....WAVE', '....ftypmp42', ''])('%j is not', (head) => {
  expect(isPicture(bytes(head))).toBe(false);
});

test('photos over 5 MB are dropped and counted, files that only call themselves pictures are named, the rest stays in order', async () => {
  const { kept, problems } = await checkPhotos([
    file('a.jpg', jpeg),
    file('huge.jpg', jpeg, maxPhotoBytes + 1),
    file('notes.jpg', [0x25, 0x50]),
    file('exactly.jpg', jpeg, maxPhotoBytes),
    file('large.jpg', jpeg, maxPhotoBytes + 1),
  ]);
  expect(kept.map((one) => one.name)).toEqual(['a.jpg', 'exactly.jpg']);
  expect(problems).toEqual([
    "2 file(s) exceed the 5MB size limit and won't be uploaded.",
    'notes.jpg is not a picture that we can show. Use JPEG, PNG, WebP, AVIF or GIF.',
  ]);
});

test('a logo has at most 2 MB and is a picture', async () => {
  expect(await logoProblem(file('logo.jpg', jpeg, maxLogoBytes))).toBeNull();
  expect(await logoProblem(file('logo.jpg', jpeg, maxLogoBytes + 1))).toContain('2MB');
  expect(await logoProblem(file('logo.svg', [0x3c]))).toContain('logo.svg');
});

test('a photo moves to its new place, and nowhere from the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
});
