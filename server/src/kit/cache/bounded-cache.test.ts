import { expect, test } from 'vitest';
import { type CacheName, boundedCache, bytesOf, cacheBytes } from './bounded-cache.ts';

const names = Object.keys(cacheBytes) as CacheName[];

test.each(names)('what a server remembers as %s stays within its bytes: what nobody asked for goes first', (name) => {
  const cache = boundedCache<string>(name);
  const large = 'x'.repeat(cacheBytes[name] / 5);
  for (const key of ['a', 'b', 'c', 'd']) cache.set(key, large);
  expect(cache.get('a')).toBe(large);
  cache.set('e', large);
  cache.set('too large', 'x'.repeat(cacheBytes[name]));
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd', 'e']);
  expect(cache.calculatedSize).toBeLessThanOrEqual(cacheBytes[name]);
});

test('small values count too: ten thousand of a few letters do not come for nothing', () => {
  const cache = boundedCache<string>('figures');
  for (let index = 0; index < 10_000; index += 1) cache.set(`/${index}`, 'x');
  expect(cache.size).toBeGreaterThan(4_000);
  expect(cache.size).toBeLessThan(8_000);
});

test('the bounds of all these together stay below 96 MB, beside kept pages and answers and what searches are answered from in memory', () => {
  expect(Object.values(cacheBytes).reduce((sum: number, bytes) => sum + bytes, 0)).toBeLessThan(96 * 1024 * 1024);
});

test('what a value takes is counted through all that it holds', () => {
  expect(bytesOf('x'.repeat(1_000))).toBe(1_024);
  expect(bytesOf(Buffer.alloc(5_000))).toBe(5_100);
  expect([bytesOf(7), bytesOf(null), bytesOf(true)]).toEqual([8, 8, 8]);
  const row = { id: 'x'.repeat(100), counts: [1, 2, 3] };
  expect(bytesOf(row)).toBe(32 + 8 + 124 + 8 + (32 + 3 * 16));
  expect(bytesOf([row, row])).toBe(32 + 2 * (8 + bytesOf(row)));
  expect(bytesOf(new Map([['ab', row]]))).toBe(64 + 24 + 26 + bytesOf(row));
  expect(bytesOf(new Set([row]))).toBe(32 + 8 + bytesOf(row));
});
