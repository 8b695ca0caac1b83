import { LRUCache } from 'lru-cache';

/**
 * Results that are dear to work out, remembered until `clear` or for `seconds`. Callers that ask for the same key at the
 * same time wait for one answer. A result that was begun before a `clear` is handed out but not kept.
 */
export class Remembered<Value extends NonNullable<unknown>> {
  readonly #values: LRUCache<string, Value>;
  readonly #pending = new Map<string, Promise<Value>>();
  #generation = 0;

  constructor(options: { entries: number; seconds: number }) {
    this.#values = new LRUCache({ max: options.entries, ttl: options.seconds * 1000 });
  }

  peek(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** For results that come as a part of other work: call it before, and what it returns with the result afterwards. */
  begin(key: string): (value: Value) => void {
    const generation = this.#generation;
    return (value) => {
      if (generation === this.#generation) this.#values.set(key, value);
    };
  }

  async get(key: string, work: () => Promise<Value>): Promise<Value> {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const pendingKey = `${this.#generation} ${key}`;
    const pending = this.#pending.get(pendingKey);
    if (pending) return pending;
    const keep = this.begin(key);
    const begun = work().finally(() => this.#pending.delete(pendingKey));
    this.#pending.set(pendingKey, begun);
    const value = await begun;
    keep(value);
    return value;
  }

  clear() {
    this.#generation += 1;
    this.#values.clear();
  }
}
