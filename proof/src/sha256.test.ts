import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashToBytes, hashWords, sha256, bytesToWords } from './sha256.ts';

const right = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const own = (data: Uint8Array) => Buffer.from(sha256(data)).toString('hex');

test('computes SHA-256 at every length around block boundaries', () => {
  for (let length = 0; length <= 260; length += 1) {
    const data = Uint8Array.from({ length }, (_, at) => (at * 37 + length) & 255);
    expect(own(data), `${length} bytes`).toBe(right(data));
  }
});

test('computes SHA-256 of random bytes and writes only at `place`, even into the message', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(8), (data, place) => {
      expect(own(data)).toBe(right(data));
      const [into, words] = [new Int32Array(16).fill(-7), bytesToWords(data, new Int32Array(128))];
      hashWords(words, data.length, into, place);
      expect(Buffer.from(hashToBytes(into, place)).toString('hex')).toBe(right(data));
      expect(into.filter((word, at) => word === -7 || (at >= place && at < place + 8))).toHaveLength(16);
      hashWords(words, data.length, words, 0);
      expect(words.slice(0, 8)).toEqual(into.slice(place, place + 8));
    }),
    { numRuns: 500, seed: 256 },
  );
});

test('computes SHA-256 of a megabyte of high bytes without sharing state between calls', () => {
  const [large, high] = [new Uint8Array(1_000_003).fill(0xa5), new Uint8Array(64).fill(255)];
  const first = sha256(high);
  expect(own(large)).toBe(right(large));
  expect(Buffer.from(first).toString('hex')).toBe(right(high));
});
