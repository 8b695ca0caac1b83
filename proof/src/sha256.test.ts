import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from './sha256.ts';

const right = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const own = (data: Uint8Array, length?: number) => Buffer.from(sha256(data, length)).toString('hex');

test('the hash is SHA-256 at every length around the ends of blocks', () => {
  for (let length = 0; length <= 260; length += 1) {
    const data = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255);
    expect(own(data), `${length} bytes`).toBe(right(data));
  }
});

test('the hash is SHA-256 of whatever bytes, and of the first of them only where one says how many', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(400), (data, cut) => {
      const length = Math.min(cut, data.length);
      expect(own(data)).toBe(right(data));
      expect(own(data, length)).toBe(right(data.subarray(0, length)));
    }),
    { numRuns: 500, seed: 256 },
  );
});

test('the hash is SHA-256 of a megabyte, of bytes above 127, and one does not change another', () => {
  const [large, high] = [new Uint8Array(1_000_003).fill(0xa5), new Uint8Array(64).fill(255)];
  const first = sha256(high);
  expect(own(large)).toBe(right(large));
  expect(Buffer.from(first).toString('hex')).toBe(right(high));
});
