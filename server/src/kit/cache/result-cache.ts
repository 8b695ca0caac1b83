import type { LRUCache } from 'lru-cache';
import { type CacheName, createBoundedCache } from './bounded-cache.ts';
import { TagVersions } from './tag-versions.ts';

type Entry<Value> = { value: Value; version: number; tags: readonly string[] };

/**
 * Caches expensive results for `seconds`, until `clear` or until one of their tags is invalidated. Callers that ask for the same key at the same time share
 * one computation.
 */
export class ResultCache<Value extends NonNullable<unknown>> {
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #pending = new Map<string, { result: Promise<Value>; version: number }>();
  readonly #tagVersions: TagVersions;

  constructor(options: { name: CacheName; seconds: number; tagVersions?: TagVersions }) {
    this.#entries = createBoundedCache(options.name, options.seconds * 1000);
    this.#tagVersions = options.tagVersions ?? new TagVersions();
  }

  peek(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#tagVersions.isFresh(entry.version, entry.tags) ? entry.value : undefined;
  }

  async get(key: string, compute: () => Promise<Value>, tags: readonly string[] = []): Promise<Value> {
    const cachedValue = this.peek(key);
    if (cachedValue !== undefined) return cachedValue;
    const pending = this.#pending.get(key);
    if (pending && this.#tagVersions.isFresh(pending.version, tags)) return pending.result;
    const { version } = this.#tagVersions;
    const own = {
      version,
      result: compute().finally(() => {
        if (this.#pending.get(key) === own) this.#pending.delete(key);
      }),
    };
    this.#pending.set(key, own);
    const value = await own.result;
    // A result that was invalidated while it was computed is returned but not stored.
    if (this.#tagVersions.isFresh(version, tags)) this.#entries.set(key, { value, version, tags });
    return value;
  }

  /** Invalidates everything, also for other caches with the same tag versions. */
  clear() {
    this.#tagVersions.invalidateAll();
    this.#entries.clear();
  }
}
