import { expect, test } from 'vitest';
import { checkPictures } from './checked-pictures.ts';

const megabyte = 1024 * 1024;
const jpeg = [0xff, 0xd8, 0xff, 0xe0];
const file = (name: string, head: readonly number[], size = 100) =>
  new File([Uint8Array.from(head), new Uint8Array(size - head.length)], name, { type: 'image/jpeg' });
const problemOf = async ({ name }: File) => (name.startsWith('broken') ? 'is damaged or incomplete.' : null);

test('photos over 5 MB that cannot be made smaller are dropped and counted, files that are none are named, the rest stays in order', async () => {
  const picked = [
    file('a.jpg', jpeg),
    file('huge.jpg', jpeg, 5 * megabyte + 1),
    file('broken.jpg', jpeg),
    file('exactly.jpg', jpeg, 5 * megabyte),
    file('large.jpg', jpeg, 6 * megabyte),
  ];
  expect(await checkPictures(picked, problemOf, async () => null)).toEqual({
    kept: [picked[0], picked[3]],
    problems: ["2 file(s) exceed the 5MB size limit and won't be uploaded.", '“broken.jpg” is damaged or incomplete.'],
  });
});

test('a photo over 5 MB is made smaller, in its place among the others; one of 5 MB stays as it is', async () => {
  const picked = [file('huge.jpg', jpeg, 5 * megabyte + 1), file('exactly.jpg', jpeg, 5 * megabyte)];
  const small = file('small.jpg', jpeg);
  const asked: unknown[] = [];
  const shrink = async (one: File, maxBytes: number) => {
    asked.push([one.name, maxBytes]);
    return small;
  };
  expect(await checkPictures(picked, problemOf, shrink)).toEqual({ kept: [small, picked[1]], problems: [] });
  expect(asked).toEqual([['huge.jpg', 5 * megabyte]]);
  // What the small one has wrong is said of the file that was picked.
  const broken = async () => file('broken.jpg', jpeg);
  expect((await checkPictures([file('huge.jpg', jpeg, 6 * megabyte)], problemOf, broken)).problems).toEqual([
    '“huge.jpg” is damaged or incomplete.',
  ]);
});

test('a film of 9 MB is told to be no picture rather than too large', async () => {
  const { kept, problems } = await checkPictures([file('film.mp4', [0, 0, 0, 0x18], 9 * megabyte)], async () => 'is not a picture');
  expect([kept, problems]).toEqual([[], ['“film.mp4” is not a picture']]);
});
