import { expect, test } from 'vitest';
import { type Painter, shrinkPicture } from './checked-pictures.ts';

const heads = { jpg: [0xff, 0xd8, 0xff, 0xe0], png: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] };
const file = (name: string, head: readonly number[]) => new File([Uint8Array.from(head), new Uint8Array(900)], name);

type Fake = { width: number; height: number; close(): void };
/** A browser that encodes files of these sizes by type, or none. */
function painter(width: number, height: number, bytesOf: Record<string, number>) {
  const written: string[] = [];
  let closed = 0;
  const fake: Painter<Fake> = {
    open: async () => ({ width, height, close: () => void closed++ }),
    write: async (_, size, type) => {
      written.push(`${type} ${size.width} × ${size.height}`);
      const bytes = bytesOf[type];
      return bytes === undefined ? null : new Blob([new Uint8Array(bytes)], { type });
    },
  };
  return { fake, written, closed: () => closed };
}

test.each([
  [6000, 4000, '2000 × 1333'],
  [3000, 4000, '1500 × 2000'],
  // Never enlarged, and never without a pixel.
  [1200, 900, '1200 × 900'],
  [16_000, 2, '2000 × 1'],
])('shrinks a photo of %i × %i pixels to %s', async (width, height, size) => {
  const { fake, written, closed } = painter(width, height, { 'image/jpeg': 50 });
  const small = await shrinkPicture(file('Bath.JPEG', heads.jpg), 50, fake);
  expect([small?.name, small?.type, small?.size, written, closed()]).toEqual(['Bath.jpg', 'image/jpeg', 50, [`image/jpeg ${size}`], 1]);
});

test('keeps the format if it is small enough, else uses JPEG', async () => {
  const roomy = await shrinkPicture(file('plan.png', heads.png), 50, painter(100, 100, { 'image/png': 50 }).fake);
  expect([roomy?.name, roomy?.type]).toEqual(['plan.png', 'image/png']);
  const tight = await shrinkPicture(file('plan', heads.png), 49, painter(100, 100, { 'image/png': 50, 'image/jpeg': 20 }).fake);
  expect([tight?.name, tight?.type]).toEqual(['plan.jpg', 'image/jpeg']);
});

test('returns null if a picture cannot be decoded, encoded or made small enough', async () => {
  const large = painter(100, 100, { 'image/jpeg': 51 });
  expect(await shrinkPicture(file('a.jpg', heads.jpg), 50, large.fake)).toBeNull();
  expect(large.closed()).toBe(1);
  expect(await shrinkPicture(file('a.jpg', heads.jpg), 50, painter(100, 100, {}).fake)).toBeNull();
  const broken = { ...painter(1, 1, {}).fake, open: () => Promise.reject(new Error('broken')) };
  expect(await shrinkPicture(file('a.jpg', heads.jpg), 50, broken)).toBeNull();
  const dies = { ...painter(1, 1, {}).fake, write: () => Promise.reject(new Error('too large')) };
  expect(await shrinkPicture(file('a.jpg', heads.jpg), 50, dies)).toBeNull();
  expect(await shrinkPicture(file('film.mp4', [0, 0, 0, 0x18]), 50, painter(1, 1, { 'image/jpeg': 1 }).fake)).toBeNull();
});
