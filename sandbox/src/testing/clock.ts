import type { Clock } from '@handwise/server/kit/context';

/** The real time until a test changes it. */
export class TestClock implements Clock {
  #ahead = 0;
  now = () => new Date(Date.now() + this.#ahead);

  set(time: Date) {
    this.#ahead = time.getTime() - Date.now();
  }
}
