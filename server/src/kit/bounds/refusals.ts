import { setTimeout as pause } from 'node:timers/promises';
import { boundedCache } from '../cache/bounded-cache.ts';

export type RefusalLimits = {
  /** So many times within this time a network is refused at once. */
  atOnce: number;
  windowMs: number;
  /** After that each refusal is held back for so long. */
  heldMs: number;
  /** So many are held back at the same time: each is memory of ours. */
  held: number;
  /** How it is waited; for tests. */
  wait?: (ms: number) => Promise<unknown>;
};

/**
 * Holds back what a network is told that is refused over and over. Over many connections
 * that ask again at once, saying no would keep a server busier than the work that it refuses.
 */
export class Refusals {
  readonly #limits: RefusalLimits;
  readonly #now: () => number;
  // Whoever is forgotten begins anew.
  readonly #of = boundedCache<{ times: number; since: number }>('refusals');
  #held = 0;

  constructor(limits: RefusalLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  get held(): number {
    return this.#held;
  }

  /** To be waited for before a refusal is sent. Null: nobody is counted. */
  async hold(network: string | null): Promise<void> {
    if (network === null) return;
    const { atOnce, windowMs, heldMs, held, wait = pause } = this.#limits;
    const now = this.#now();
    const known = this.#of.get(network);
    const one = known && now - known.since < windowMs ? known : { times: 0, since: now };
    // A new one each time: what an entry takes is worked out as it is set.
    const times = one.times + 1;
    this.#of.set(network, { times, since: one.since });
    if (times <= atOnce || this.#held >= held) return;
    this.#held += 1;
    try {
      await wait(heldMs);
    } finally {
      this.#held -= 1;
    }
  }
}
