import { LRUCache } from 'lru-cache';

const megabyte = 1024 * 1024;

/** The size of each cache in bytes. The response cache has its own. */
export const cacheBytes = {
  /** About nine thousand networks with rejections within a minute. */
  rejections: 2 * megabyte,
  cutReaders: 2 * megabyte,
  callAddresses: 4 * megabyte,
  pageAddresses: 4 * megabyte,
  facts: megabyte,
  ledger: megabyte,
  sheets: 16 * megabyte,
  /** Compressed sitemaps, of about half a million listings. */
  documents: 16 * megabyte,
  listingCounts: 4 * megabyte,
  searchReadings: 4 * megabyte,
  /** Around some two hundred suburbs of cities. */
  localitiesAround: 4 * megabyte,
} as const;

export type CacheName = keyof typeof cacheBytes;

/** An LRU cache that is bounded by the bytes of its keys and values. */
export const createBoundedCache = <Value extends NonNullable<unknown>>(name: CacheName, ttl = 0) =>
  new LRUCache<string, Value>({
    maxSize: cacheBytes[name],
    sizeCalculation: (value, key) => entryBytes + estimateBytes(key) + estimateBytes(value),
    ttl,
  });

// The overhead of an entry in the map and the LRU lists.
const entryBytes = 120;

/** Estimates the memory of a value. Shared objects count each time. */
export function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  if (ArrayBuffer.isView(value)) return 100 + value.byteLength;
  if (value instanceof Map) return [...value].reduce((sum, [key, one]) => sum + 24 + estimateBytes(key) + estimateBytes(one), 64);
  const parts: unknown[] = value instanceof Set ? [...value] : Object.values(value);
  return parts.reduce((sum: number, one) => sum + 8 + estimateBytes(one), 32);
}
