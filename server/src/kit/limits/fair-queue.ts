import type { ErrorCode } from '@handwise/contract/errors';
import { AppError, type ErrorDetails } from '../errors.ts';

export type QueueLimits = {
  /** Tasks that run at the same time. */
  running: number;
  waiting: number;
  /** The same for one client. Without it, a client may have all of it. */
  perClient?: { running: number; waiting: number };
  /** A task that has waited so long is rejected, and at once one that would wait half of it by the queue's own measure. */
  longestWaitMs?: number;
  /** The error for a task when too many wait: `overloaded` unless it says otherwise. */
  rejection?: ErrorCode;
};

type Task = { client: string | null; start: () => void; timer?: NodeJS.Timeout };

const retryAfter: ErrorDetails = { retryAfterSeconds: 2 };

// The weight of the latest task in the mean duration: a change shows after some ten tasks.
const newest = 0.1;

/**
 * Limits how many tasks run at the same time. Waiting tasks run round-robin per client, so that a client with one task doesn't wait for all tasks of
 * another. Tasks of no client (`null`) have no limit of their own.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** In the order of the clients' next turns. */
  readonly #waitingOf = new Map<string | null, Task[]>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  /** The moving mean of how long tasks run; 0 before the first has ended. */
  #meanMs = 0;
  /** Rejected tasks, for the metrics: because too many wait in all, or of one client. */
  readonly refused = { all: 0, one: 0 };
  // Made once, because an error's stack takes longer than all else of a rejection.
  readonly #rejections: { all: AppError; one: AppError };

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#rejections = {
      all: new AppError(limits.rejection ?? 'overloaded', retryAfter),
      one: new AppError('too_many_requests', retryAfter),
    };
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `too_many_requests` if too many tasks of the client wait, and the queue's `rejection` if too many wait in all. */
  async run<Result>(work: () => Promise<Result>, client: string | null = null): Promise<Result> {
    this.#admit(client);
    await new Promise<void>((start, reject) => this.#enqueue({ client, start }, reject));
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#learn(performance.now() - startedAt);
      this.#count(client, -1);
      // Other work of the process goes first, or tasks that never wait would follow one another without a break.
      setImmediate(() => this.#startNext());
    }
  }

  #learn(ms: number) {
    this.#meanMs += (this.#meanMs === 0 ? 1 : newest) * (ms - this.#meanMs);
  }

  #admit(client: string | null) {
    const why = this.#findRejection(client);
    if (!why) return;
    this.refused[why] += 1;
    throw this.#rejections[why];
  }

  /** Whether even a client without any other task would be rejected now, so that the work before it can be saved. Counts as a rejection. */
  rejectsAnyone(): boolean {
    const isFull = this.#findRejection(null) === 'all';
    if (isFull) this.refused.all += 1;
    return isFull;
  }

  /** Whether a task of this client would be rejected now: because too many wait in all, or of this client. */
  #findRejection(client: string | null): 'all' | 'one' | null {
    if (this.#hasRoom() && this.#hasOwnRoom(client)) return null;
    const { running, waiting, perClient, longestWaitMs = Infinity } = this.#limits;
    // Half, because how long tasks take varies: at the whole of it, every third would have waited for nothing.
    const longestMs = longestWaitMs / 2;
    const own = this.#waitingOf.get(client)?.length ?? 0;
    const isOwnDoing = perClient && (own >= perClient.waiting || (own * this.#meanMs) / perClient.running > longestMs);
    if (client !== null && isOwnDoing) return 'one';
    // Those that run now go first, too.
    const expectedMs = ((this.#countAhead(own) + 1) * this.#meanMs) / running;
    return this.#waiting >= waiting || expectedMs > longestMs ? 'all' : null;
  }

  /** How many tasks start before that of a client of whom so many wait already. */
  #countAhead(own: number): number {
    let ahead = 0;
    for (const { length } of this.#waitingOf.values()) ahead += Math.min(length, own + 1);
    return ahead;
  }

  #enqueue(task: Task, reject: (error: AppError) => void) {
    const own = this.#waitingOf.get(task.client) ?? [];
    own.push(task);
    this.#waitingOf.set(task.client, own);
    this.#waiting += 1;
    this.#startNext();
    const { longestWaitMs } = this.#limits;
    if (longestWaitMs === undefined || !own.includes(task)) return;
    task.timer = setTimeout(() => {
      this.#remove(task);
      this.refused.all += 1;
      reject(this.#rejections.all);
    }, longestWaitMs);
  }

  #remove(task: Task) {
    const own = this.#waitingOf.get(task.client) ?? [];
    own.splice(own.indexOf(task), 1);
    if (own.length === 0) this.#waitingOf.delete(task.client);
    this.#waiting -= 1;
  }

  #hasRoom = () => this.#running < this.#limits.running;

  #hasOwnRoom(client: string | null): boolean {
    const { perClient } = this.#limits;
    return client === null || !perClient || (this.#runningOf.get(client) ?? 0) < perClient.running;
  }

  #startNext(): void {
    for (const [client, own] of this.#waitingOf) {
      if (!this.#hasRoom()) return;
      if (!this.#hasOwnRoom(client)) continue;
      const task = own.shift();
      // To the end of the line, unless it was the client's last.
      this.#waitingOf.delete(client);
      if (own.length > 0) this.#waitingOf.set(client, own);
      this.#waiting -= 1;
      this.#count(client, 1);
      clearTimeout(task?.timer);
      task?.start();
    }
  }

  #count(client: string | null, change: 1 | -1) {
    this.#running += change;
    if (client === null) return;
    const own = (this.#runningOf.get(client) ?? 0) + change;
    if (own === 0) this.#runningOf.delete(client);
    else this.#runningOf.set(client, own);
  }
}
