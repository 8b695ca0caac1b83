import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';

/** How a kind of job is retried. */
export type RetryOptions = {
  /** How often a failed job is tried again. */
  retryLimit: number;
  /** Wait before the first retry; each further wait is about twice as long, up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number;
  retryDelayMaxSeconds: number;
  /** After this, a job that is still under way counts as failed. */
  expireSeconds: number;
};

const day = 86_400;

/** Where jobs that failed for good wait for an operator, with their data and their last error. */
export const failedQueue = 'jobs.failed';
export const failedQueueOptions = { retentionSeconds: 90 * day };

/** A process that dies stops giving signs of life; its jobs then go to another one. */
export const heartbeatSeconds = 30;

const common = {
  // The job is told of by a row of `changes`: a transaction that notifies waits for every other one that does.
  notify: false,
  heartbeatSeconds,
  retentionSeconds: 30 * day,
};

export type QueueOptions = ReturnType<typeof queueOfJob>;

export const queueOfJob = (job: RetryOptions) => ({
  ...common,
  // With a key: at most one that waits. Without: `send` makes one up.
  policy: 'short',
  retryLimit: job.retryLimit,
  retryDelay: job.retryDelaySeconds,
  retryBackoff: true,
  retryDelayMax: job.retryDelayMaxSeconds,
  expireInSeconds: job.expireSeconds,
  deleteAfterSeconds: 3 * day,
  deadLetter: failedQueue as string | null,
});

// The next turn is the retry, and one that waits is enough.
export const queueOfSchedule = (): QueueOptions => ({
  ...common,
  policy: 'exclusive',
  retryLimit: 0,
  retryDelay: 0,
  retryBackoff: true,
  retryDelayMax: 0,
  expireInSeconds: 3_600,
  deleteAfterSeconds: 3_600,
  deadLetter: null,
});

/** The queues in the database that this process knows of. */
export class Queues {
  readonly #boss: PgBoss;
  readonly #known = new Map<string, Promise<void>>();

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Learns which queues there are, and makes those that are handed in as they are to be. */
  async open(wanted: ReadonlyMap<string, { queue: QueueOptions }>): Promise<void> {
    for (const existing of await this.#boss.getQueues()) {
      this.#known.set(existing.name, Promise.resolve());
      const queue = wanted.get(existing.name)?.queue;
      if (!queue) continue;
      const { policy: _, ...changeable } = queue;
      const now = new Map<string, unknown>(Object.entries(existing));
      const changed = Object.entries(changeable).some(([key, value]) => (now.get(key) ?? null) !== value);
      if (changed) await this.#boss.updateQueue(existing.name, changeable);
    }
    for (const [name, { queue }] of wanted) await this.ensure(name, queue);
  }

  /** Makes the queue where the database does not have it yet; several servers may do so at once. */
  ensure(name: string, queue: QueueOptions): Promise<void> {
    const known = this.#known.get(name);
    if (known) return known;
    const made = this.#create(name, queue);
    this.#known.set(name, made);
    made.catch(() => this.#known.delete(name));
    return made;
  }

  // pg-boss looks a queue up when it first hears of it, on a connection of its own. Inside of a transaction that would be a
  // second one, and where every connection is held by somebody who waits for that transaction, none is left. So it hears here.
  async #create(name: string, queue: QueueOptions): Promise<void> {
    await this.#boss.createQueue(name, queue as Parameters<PgBoss['createQueue']>[1]);
    await this.#boss.findJobs(name, { id: randomUUID() });
  }
}
