import { expect, test } from 'vitest';
import { type CacheName, createBoundedCache, estimateBytes, cacheBytes } from './bounded-cache.ts';

const names = Object.keys(cacheBytes) as CacheName[];

test.each(names)('the cache %s stays within its bytes and evicts the least recently used entries', (name) => {
  const cache = createBoundedCache<string>(name);
  const large = 'x'.repeat(cacheBytes[name] / 5);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, large);
  expect(cache.get('a')).toBe(large);
  cache.set('e', large);
  cache.set('too large', 'x'.repeat(cacheBytes[name]));
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd', 'e']);
  expect(cache.calculatedSize).toBeLessThanOrEqual(cacheBytes[name]);
});

test('counts the overhead of small values', () => {
  const cache = createBoundedCache<string>('facts');
  for (let index = 0; index < 10_000; index += 1) cache.set(`/${index}`, 'x');
  expect(cache.size).toBeGreaterThan(4_000);
  expect(cache.size).toBeLessThan(8_000);
});

test('all caches together stay below 96 MB, besides the response cache', () => {
  expect(Object.values(cacheBytes).reduce((sum: number, bytes) => sum + bytes, 0)).toBeLessThan(96 * 1024 * 1024);
});

test('counts the memory of nested values', () => {
  expect(estimateBytes('x'.repeat(1_000))).toBe(1_024);
  expect(estimateBytes(Buffer.alloc(5_000))).toBe(5_100);
  expect([estimateBytes(7), estimateBytes(null), estimateBytes(true)]).toEqual([8, 8, 8]);
  const row = { id: 'x'.repeat(100), counts: [1, 2, 3] };
  expect(estimateBytes(row)).toBe(32 + 8 + 124 + 8 + (32 + 3 * 16));
  expect(estimateBytes([row, row])).toBe(32 + 2 * (8 + estimateBytes(row)));
  expect(estimateBytes(new Map([['ab', row]]))).toBe(64 + 24 + 26 + estimateBytes(row));
  expect(estimateBytes(new Set([row]))).toBe(32 + 8 + estimateBytes(row));
});
