import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Reader } from '../database/database.ts';

export type RetryOptions = {
  /** Maximum number of retries. */
  retryLimit: number;
  /** Delay of the first retry; each further delay is about twice as long, up to `retryDelayMaxSeconds`. */
  retryDelaySeconds: number;
  retryDelayMaxSeconds: number;
  /** A job that runs longer counts as failed. */
  expireSeconds: number;
};

const day = 86_400;

/** The dead-letter queue: jobs that failed permanently wait for an operator, with their data and last error. */
export const failedQueue = 'jobs.failed';
export const failedQueueOptions = { retentionSeconds: 90 * day };

/** After this time without a heartbeat, a process counts as dead and its jobs go to another one. */
export const heartbeatSeconds = 30;

const common = {
  // Jobs are announced in the changes table, because transactions with NOTIFY commit one at a time.
  notify: false,
  heartbeatSeconds,
  retentionSeconds: 30 * day,
};

export type QueueOptions = ReturnType<typeof jobQueueOptions>;

export const jobQueueOptions = (job: RetryOptions) => ({
  ...common,
  // At most one waiting job per key. Without a key, `send` generates one.
  policy: 'short',
  retryLimit: job.retryLimit,
  retryDelay: job.retryDelaySeconds,
  retryBackoff: true,
  retryDelayMax: job.retryDelayMaxSeconds,
  expireInSeconds: job.expireSeconds,
  deleteAfterSeconds: 3 * day,
  deadLetter: failedQueue as string | null,
});

/** Whether a schedule runs at least once an hour, all day. */
const isHourly = (cron: string) => cron.split(' ')[1] === '*';

// One waiting run is enough. The next scheduled run is the retry, unless it comes a day later.
export const scheduleQueueOptions = (cron: string): QueueOptions => ({
  ...common,
  policy: 'exclusive',
  retryLimit: isHourly(cron) ? 0 : 5,
  retryDelay: isHourly(cron) ? 0 : 60,
  retryBackoff: true,
  retryDelayMax: isHourly(cron) ? 0 : 3_600,
  expireInSeconds: 3_600,
  deleteAfterSeconds: 3_600,
  deadLetter: null,
});

/** Creates the queues in the database and caches which exist. */
export class Queues {
  readonly #boss: PgBoss;
  readonly #known = new Map<string, Promise<void>>();

  constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** Loads the existing queues, and creates or updates the given ones. */
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

  has(name: string): boolean {
    return this.#known.has(name);
  }

  /** Creates the queue if it is missing; several servers may do so at once. */
  ensure(name: string, queue: QueueOptions): Promise<void> {
    const known = this.#known.get(name);
    if (known) return known;
    const made = this.#create(name, queue);
    this.#known.set(name, made);
    made.catch(() => this.#known.delete(name));
    return made;
  }

  // pg-boss looks a queue up on first use, on a connection of its own. Within a transaction that would be a second connection, which deadlocks once all
  // connections of the pool wait for one. So the look-up is done here.
  async #create(name: string, queue: QueueOptions): Promise<void> {
    await this.#boss.createQueue(name, queue as Parameters<PgBoss['createQueue']>[1]);
    await this.#boss.findJobs(name, { id: randomUUID() });
  }
}

type Row = { name: string; due: number; retrying: number; waiting: number; oldest_due: number | null; oldest: number | null };

/** The numbers and ages of waiting jobs, by the database's clock. Ages in seconds. */
export async function readQueueMetrics(db: Reader) {
  const { rows } = await sql<Row>`
    select name, count(*)::int as waiting,
      (count(*) filter (where start_after <= now()))::int as due,
      (count(*) filter (where state = 'retry'))::int as retrying,
      extract(epoch from now() - min(start_after))::float as oldest_due,
      extract(epoch from now() - min(created_on))::float as oldest
    from pgboss.job where state in ('created', 'retry') group by name`.execute(db);
  const queues = rows.filter(({ name }) => name !== failedQueue);
  const sum = (of: (row: Row) => number) => queues.reduce((total, row) => total + of(row), 0);
  return {
    due: sum((row) => row.due),
    retrying: sum((row) => row.retrying),
    oldestDueSeconds: Math.max(0, ...queues.map((row) => row.oldest_due ?? 0)),
    failed: rows.find(({ name }) => name === failedQueue)?.waiting ?? 0,
    /** Age of the oldest waiting job per queue, since it was sent. */
    ages: new Map(queues.map((row) => [row.name, row.oldest ?? 0] as const)),
  };
}

/** How many jobs have failed permanently, and since when the oldest waits. */
export async function readFailedJobs(db: Reader): Promise<{ failed: number; oldest: Date | null }> {
  const { rows } = await sql<{ failed: number; oldest: Date | null }>`
    select count(*)::int as failed, min(created_on) as oldest from pgboss.job
    where name = ${failedQueue} and state in ('created', 'retry')`.execute(db);
  return rows[0] ?? { failed: 0, oldest: null };
}
