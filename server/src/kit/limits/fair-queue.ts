import type { ErrorCode } from '@handwise/contract/errors';
import { AppError, type ErrorDetails } from '../errors.ts';

export type QueueLimits = {
  /** Tasks that run at the same time. */
  running: number;
  waiting: number;
  /** The same for one client. Without it, a client may have all of it. */
  perClient?: { running: number; waiting: number };
  /** The error for a task when too many wait: `overloaded` unless it says otherwise. */
  rejection?: ErrorCode;
};

type Task = { client: string | null; start: () => void };

const retryAfter: ErrorDetails = { retryAfterSeconds: 2 };

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
  /** Rejected tasks, for the metrics: because too many wait in all, or of one client. */
  readonly refused = { all: 0, one: 0 };

  constructor(limits: QueueLimits) {
    this.#limits = limits;
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
    await new Promise<void>((start) => this.#enqueue({ client, start }));
    try {
      return await work();
    } finally {
      this.#count(client, -1);
      // Other work of the process goes first, or tasks that never wait would follow one another without a break.
      setImmediate(() => this.#startNext());
    }
  }

  #admit(client: string | null) {
    if (this.#hasRoom() && this.#hasOwnRoom(client)) return;
    const { waiting, perClient, rejection = 'overloaded' } = this.#limits;
    if (client !== null && perClient && (this.#waitingOf.get(client)?.length ?? 0) >= perClient.waiting) {
      this.refused.one += 1;
      throw new AppError('too_many_requests', retryAfter);
    }
    if (this.#waiting >= waiting) {
      this.refused.all += 1;
      throw new AppError(rejection, retryAfter);
    }
  }

  #enqueue(task: Task) {
    const own = this.#waitingOf.get(task.client) ?? [];
    own.push(task);
    this.#waitingOf.set(task.client, own);
    this.#waiting += 1;
    this.#startNext();
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
