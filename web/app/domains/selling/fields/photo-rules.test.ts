import { expect, test } from 'vitest';
import { checkPhotos, logoProblem, moved } from './photo-rules.ts';

const megabyte = 1024 * 1024;
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, head: readonly number[], size = 100) =>
  new File([Uint8Array.from(head), new Uint8Array(size - head.length)], name, { type: 'image/jpeg' });
const problemOf = async ({ name }: File) => (name.startsWith('broken') ? 'is damaged or incomplete.' : null);
const notAsked = async () => {
  throw new Error('a file that is too large was opened');
};

test('photos over 5 MB are dropped and counted, files that are none are named, the rest stays in order', async () => {
  const picked = [
    file('a.jpg', jpeg),
    file('huge.jpg', jpeg, 5 * megabyte + 1),
    file('broken.jpg', jpeg),
    file('exactly.jpg', jpeg, 5 * megabyte),
    file('large.jpg', jpeg, 6 * megabyte),
  ];
  expect(await checkPhotos(picked, problemOf)).toEqual({
    kept: [picked[0], picked[3]],
    problems: ["2 file(s) exceed the 5MB size limit and won't be uploaded.", '“broken.jpg” is damaged or incomplete.'],
  });
});

test('a film of 9 MB is told to be no picture rather than too large', async () => {
  const { kept, problems } = await checkPhotos([file('film.mp4', [0, 0, 0, 0x18], 9 * megabyte)], async () => 'is not a picture');
  expect([kept, problems]).toEqual([[], ['“film.mp4” is not a picture']]);
});

test('a logo has at most 2 MB and is a picture', async () => {
  expect(await logoProblem(file('logo.jpg', jpeg, 2 * megabyte), problemOf)).toBeNull();
  expect(await logoProblem(file('logo.jpg', jpeg, 2 * megabyte + 1), notAsked)).toBe(
    'This logo is larger than 2MB. Choose a smaller file.',
  );
  expect(await logoProblem(file('broken.png', jpeg), problemOf)).toBe('“broken.png” is damaged or incomplete.');
});

test('a photo moves to its new place, and nowhere from the ends', () => {
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moved(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
});
