import type { Clock } from '@handwise/server/kit/context';

/** The true time, until a test moves it. */
export class TestClock implements Clock {
  #ahead = 0;
  now = () => new Date(Date.now() + this.#ahead);

  /** Goes on from this time. */
  set(time: Date) {
    this.#ahead = time.getTime() - Date.now();
  }
}
