import { expect, test } from 'vitest';
import { getLogoProblem, moveItem } from './photo-rules.ts';

const megabyte = 1024 * 1024;
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, head: readonly number[], size = 100) =>
  new File([Uint8Array.from(head), new Uint8Array(size - head.length)], name, { type: 'image/jpeg' });
const problemOf = async ({ name }: File) => (name.startsWith('broken') ? 'is damaged or incomplete.' : null);
const neverOpened = async () => {
  throw new Error('a file that is too large was opened');
};

test('accepts a picture of at most 2 MB as a logo', async () => {
  expect(await getLogoProblem(file('logo.jpg', jpeg, 2 * megabyte), problemOf)).toBeNull();
  expect(await getLogoProblem(file('logo.jpg', jpeg, 2 * megabyte + 1), neverOpened)).toBe(
    'This logo is larger than 2MB. Choose a smaller file.',
  );
  expect(await getLogoProblem(file('broken.png', jpeg), problemOf)).toBe('“broken.png” is damaged or incomplete.');
});

test('moves a photo, but not beyond the ends', () => {
  expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moveItem(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moveItem(['a', 'b'], 0, -1)).toEqual(['a', 'b']);
  expect(moveItem(['a', 'b'], 1, 2)).toEqual(['a', 'b']);
});
