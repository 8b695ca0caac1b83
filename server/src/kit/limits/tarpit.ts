import { setTimeout as pause } from 'node:timers/promises';
import { createBoundedCache } from '../cache/bounded-cache.ts';

export type TarpitLimits = {
  /** Rejections of one network within the window that are sent at once. */
  free: number;
  windowMs: number;
  /** How long each further one is delayed. */
  delayMs: number;
  /** Responses delayed at the same time, because each takes memory. */
  maxDelayed: number;
  /** For tests. */
  wait?: (ms: number) => Promise<unknown>;
};

/**
 * Delays the 429 responses of a network that gets many of them. Over many connections that retry at once, rejecting would keep the server busier than the
 * work it rejects: without it, one client with 150 connections makes others wait 8 times as long.
 */
export class Tarpit {
  readonly #limits: TarpitLimits;
  readonly #now: () => number;
  readonly #rejections = createBoundedCache<{ count: number; since: number }>('rejections');
  #delayed = 0;

  constructor(limits: TarpitLimits, now = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Resolves when a 429 may be sent to the network; null is never delayed. */
  async delay(network: string | null): Promise<void> {
    if (network === null) return;
    const { free, windowMs, delayMs, maxDelayed, wait = pause } = this.#limits;
    const now = this.#now();
    const known = this.#rejections.get(network);
    const { count, since } = known && now - known.since < windowMs ? known : { count: 0, since: now };
    this.#rejections.set(network, { count: count + 1, since });
    if (count < free || this.#delayed >= maxDelayed) return;
    this.#delayed += 1;
    try {
      await wait(delayMs);
    } finally {
      this.#delayed -= 1;
    }
  }
}
