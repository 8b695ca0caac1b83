// A server that hears of more forgets the older half, and with it whatever is older.
const mostNames = 50_000;

/**
 * When each of the things that answers show last changed, by names that mean nothing here. An answer holds while nothing that it shows has
 * changed since it was begun. Bounded: of what changed long ago it is only known that it did, so that answers from before then hold no longer.
 */
export class Freshness {
  #now = 0;
  /** Of what was begun before, nobody can say whether it holds: all may have changed, or it is no longer known what did. */
  #unheard = 0;
  #forgotten = 0;
  readonly #changed = new Map<string, number>();
  readonly #most: number;

  constructor(most = mostNames) {
    this.#most = most;
  }

  /** To be asked before an answer is worked out. */
  get now(): number {
    return this.#now;
  }

  changed(names: Iterable<string>): void {
    this.#now += 1;
    for (const name of names) {
      // Of many listings that change together most stand in the same lists.
      if (this.#changed.get(name) === this.#now) continue;
      // Anew, so that the names stand in the order of their changes.
      this.#changed.delete(name);
      this.#changed.set(name, this.#now);
    }
    if (this.#changed.size > this.#most) this.#forgetOlder();
  }

  /** Nobody can say what changed: nothing holds that was begun before. */
  allChanged(): void {
    this.#now += 1;
    this.#unheard = this.#now;
  }

  /** Whether what was begun then and shows these things is as it would be now. */
  holds(begun: number, shows: readonly string[]): boolean {
    return this.isHeard(begun) && this.mayHold(begun, shows);
  }

  /** Whether all that changed since then was told by name. */
  isHeard(begun: number): boolean {
    return begun >= this.#unheard;
  }

  /** Whether at least nothing that it shows is known to have changed. */
  mayHold(begun: number, shows: readonly string[]): boolean {
    return begun >= this.#forgotten && shows.every((name) => (this.#changed.get(name) ?? 0) <= begun);
  }

  #forgetOlder() {
    for (const [name, at] of this.#changed) {
      if (this.#changed.size <= this.#most / 2) break;
      this.#changed.delete(name);
      this.#forgotten = at;
    }
  }
}
