import { boundedCache } from '../cache/bounded-cache.ts';

/**
 * How much work of a server each network has had: it may have so many milliseconds at once and gets them back over the window. Time counts by
 * its share: of a moment that four share, each has had a quarter.
 */
export class NetworkWork {
  readonly #limits: { milliseconds: number; windowMs: number };
  readonly #now: () => number;
  // Whoever is forgotten begins anew.
  readonly #had = boundedCache<{ milliseconds: number; at: number }>('networkWork');

  constructor(limits: { milliseconds: number; windowMs: number }, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Seconds until this network may ask for work again; 0 where it may. */
  waitOf(network: string): number {
    const { milliseconds, windowMs } = this.#limits;
    const over = this.hadBy(network) - milliseconds;
    // It comes back with something to spend, and is not refused again by its next request.
    return over < 0 ? 0 : ((over + milliseconds / 10) * windowMs) / milliseconds / 1_000;
  }

  charge(network: string | null, milliseconds: number): void {
    if (network !== null) this.#had.set(network, { milliseconds: this.hadBy(network) + milliseconds, at: this.#now() });
  }

  /** Milliseconds that this network has had and not got back yet. */
  hadBy(network: string): number {
    const had = this.#had.get(network);
    if (!had) return 0;
    return Math.max(0, had.milliseconds - ((this.#now() - had.at) * this.#limits.milliseconds) / this.#limits.windowMs);
  }
}
