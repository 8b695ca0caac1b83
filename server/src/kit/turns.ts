import { AppError } from './errors.ts';

/** Lets so many pieces of work run at the same time. Others wait in the order in which they came; too many are refused as `busy`. */
export class Turns {
  readonly #limits: { running: number; waiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { running: number; waiting: number }) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#limits.running) {
      if (this.#waiting.length >= this.#limits.waiting) throw new AppError('busy', { retryAfterSeconds: 2 });
      // Whoever ends hands its place over, so that nobody who comes later slips in between.
      await new Promise<void>((turn) => this.#waiting.push(turn));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
