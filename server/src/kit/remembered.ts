import type { LRUCache } from 'lru-cache';
import { type CacheName, boundedCache } from './bounds/cache-bytes.ts';
import { Freshness } from './kept/freshness.ts';

type Known<Value> = { value: Value; begun: number; shows: readonly string[] };

/**
 * Results that are dear to work out, remembered for `seconds`, until `clear`, or until something changes that they say they show. Callers that ask for
 * the same key at the same time wait for one answer. A result that was begun before such a change is handed out but not kept.
 */
export class Remembered<Value extends NonNullable<unknown>> {
  readonly #known: LRUCache<string, Known<Value>>;
  readonly #pending = new Map<string, { result: Promise<Value>; begun: number }>();
  readonly #freshness: Freshness;

  constructor(options: { name: CacheName; seconds: number; freshness?: Freshness }) {
    this.#known = boundedCache(options.name, options.seconds * 1000);
    this.#freshness = options.freshness ?? new Freshness();
  }

  /** What it takes in memory, about. */
  get bytes(): number {
    return this.#known.calculatedSize;
  }

  peek(key: string): Value | undefined {
    const known = this.#known.get(key);
    return known && this.#freshness.holds(known.begun, known.shows) ? known.value : undefined;
  }

  /**
   * For results that come as a part of other work: call it before, and what it returns with the result afterwards; with what that shows, where only
   * the result says it.
   */
  begin(key: string, known: readonly string[] = []): (value: Value, shows?: readonly string[]) => void {
    const begun = this.#freshness.now;
    return (value, shows = known) => {
      if (this.#freshness.holds(begun, shows)) this.#known.set(key, { value, begun, shows });
    };
  }

  async get(key: string, work: () => Promise<Value>, shows: readonly string[] = []): Promise<Value> {
    const known = this.peek(key);
    if (known !== undefined) return known;
    const pending = this.#pending.get(key);
    if (pending && this.#freshness.holds(pending.begun, shows)) return pending.result;
    const keep = this.begin(key, shows);
    const own = {
      begun: this.#freshness.now,
      result: work().finally(() => {
        if (this.#pending.get(key) === own) this.#pending.delete(key);
      }),
    };
    this.#pending.set(key, own);
    const value = await own.result;
    keep(value);
    return value;
  }

  /** Forgets all; not for those that share their freshness with others. */
  clear() {
    this.#freshness.allChanged();
    this.#known.clear();
  }
}
