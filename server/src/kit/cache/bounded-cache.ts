import { LRUCache } from 'lru-cache';

const megabyte = 1024 * 1024;

/** What a server may remember of each kind, in bytes, beside the pages and answers that it keeps (`HTML_CACHE_MB`). */
export const cacheBytes = {
  /** Some nine thousand networks with rejections within a minute. */
  rejections: 2 * megabyte,
  cutReaders: 2 * megabyte,
  callAddresses: 4 * megabyte,
  pageAddresses: 4 * megabyte,
  figures: megabyte,
  ledger: megabyte,
  sheets: 16 * megabyte,
  listingCounts: 4 * megabyte,
  searchReadings: 4 * megabyte,
} as const;

export type CacheName = keyof typeof cacheBytes;

/** Values by text, bounded by the bytes that both take: the least recently asked for is forgotten first, and what is larger than all of it is not kept. */
export const boundedCache = <Value extends NonNullable<unknown>>(name: CacheName, ttl = 0) =>
  new LRUCache<string, Value>({
    maxSize: cacheBytes[name],
    sizeCalculation: (value, key) => ofEntry + bytesOf(key) + bytesOf(value),
    ttl,
  });

// Its places in a map and in the lists of who was asked for when.
const ofEntry = 120;

/** About what a value takes in memory. What several share counts each time. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  if (value instanceof Map) return [...value].reduce((sum, [key, one]) => sum + 24 + bytesOf(key) + bytesOf(one), 64);
  const parts: unknown[] = value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce((sum: number, one) => sum + 8 + bytesOf(one), 32);
}
