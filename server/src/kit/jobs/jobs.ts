import { randomUUID } from 'node:crypto';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { publishChange } from '../events/changes.ts';
import type { Database, Db, Tx } from '../database/database.ts';
import type { Events } from '../events/events.ts';
import { attempt, type Fetched, type Work } from './attempt.ts';
import { queriesOf, openBoss, startReleasing } from './boss.ts';
import { failedQueue, heartbeatSeconds, type QueueOptions, queueOfJob, queueOfSchedule, Queues, type RetryOptions } from './queues.ts';

declare module '../events/events.ts' {
  interface Channels {
    /** The name of a job that was sent, for those who work it off. */
    jobs: string;
  }
}

type JobName = `${string}.${string}`;

type JobOptions = RetryOptions & {
  /** How many of these one process works on at the same time. */
  concurrency: number;
};

export type Job<Data extends object> = JobOptions & {
  name: JobName;
  /** Never set: it ties the name to the type of what is sent under it. */
  data?: Data;
};

/** Names a kind of job, `<domain>.<verb-noun>`, and says how it is retried. Its data must survive JSON. */
export function defineJob<Data extends object>(name: JobName, options: Partial<JobOptions> = {}): Job<Data> {
  return { name, retryLimit: 10, retryDelaySeconds: 5, retryDelayMaxSeconds: 600, concurrency: 5, expireSeconds: 900, ...options };
}

type Handler = { queue: QueueOptions; concurrency: number; cron?: string; work: Work };
type Started = { boss: PgBoss; queues: Queues };

type Options = {
  pool: Database['pool'];
  logger: Logger;
  /** A new job is heard of at once; the clock is for those whose time comes: retries and deferred ones. */
  pollSeconds?: number;
};

const behindOthers = -1;

/**
 * Work that happens after a request, kept in the database: a job is sent by the transaction that causes it, is worked by
 * whichever server takes it, and is tried again where it fails. After a crash a job may be worked twice: work must bear that.
 */
export class Jobs {
  readonly #options: Options;
  readonly #handlers = new Map<string, Handler>();
  #running: Started | undefined;
  #stopReleasing = () => {};

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Sends a job as part of the transaction: rolled back with it. `startAfterSeconds` from now, at once without. Where a
   * job with the same `singletonKey` still waits, no second one is made.
   */
  async send<Data extends object>(
    tx: Tx | Db,
    job: Job<Data>,
    data: NoInfer<Data>,
    options: { startAfterSeconds?: number; singletonKey?: string } = {},
  ): Promise<void> {
    const { boss, queues } = this.#started;
    await queues.ensure(job.name, queueOfJob(job));
    const id = randomUUID();
    await boss.send(job.name, data, {
      id,
      db: fromKysely(tx),
      singletonKey: options.singletonKey ?? id,
      ...(options.startAfterSeconds && { startAfter: options.startAfterSeconds }),
    });
    if (!options.startAfterSeconds) await publishChange(tx, 'jobs', job.name);
  }

  /**
   * Sends many jobs of a kind in one statement, at a lower priority than single ones: a sign-in email must not wait behind thousands of emails about plans
   * that have ended.
   */
  async sendAll<Data extends object>(tx: Tx, job: Job<Data>, all: readonly NoInfer<Data>[]): Promise<void> {
    if (all.length === 0) return;
    const { boss, queues } = this.#started;
    await queues.ensure(job.name, queueOfJob(job));
    const jobs = all.map((data) => {
      const id = randomUUID();
      return { id, data, singletonKey: id, priority: behindOthers };
    });
    await boss.insert(job.name, jobs, { db: fromKysely(tx) });
    await publishChange(tx, 'jobs', job.name);
  }

  /** Gets ready to send a job that only others work on. Without it the first `send` needs a second connection meanwhile. */
  prepare(job: Job<object>): Promise<void> {
    return this.#started.queues.ensure(job.name, queueOfJob(job));
  }

  /** Says what is done for a job. `id` is the same at every attempt. To be called before `start`. */
  handle<Data extends object>(job: Job<Data>, work: (data: Data, id: string) => Promise<void>): void {
    this.#register(job.name, {
      queue: queueOfJob(job),
      concurrency: job.concurrency,
      work: (fetched) => work(fetched.data as Data, fetched.id),
    });
  }

  /**
   * Work by the clock (cron in UTC, to the minute), and once when working starts: on one server at a time, however many
   * there are. A turn that fails is logged; the next one is its retry. To be called before `start`.
   */
  every(name: JobName, cron: string, work: () => Promise<void>): void {
    this.#register(name, { queue: queueOfSchedule(), concurrency: 1, cron, work });
  }

  #register(name: string, handler: Handler) {
    if (this.#running) throw new Error(`${name} is registered after the start`);
    if (this.#handlers.has(name)) throw new Error(`${name} is registered twice`);
    this.#handlers.set(name, handler);
  }

  /** Gets ready to send, and with `work` also works until `stop`; `events` says when there is something to do. The database must be prepared. */
  async start(options: { work: false } | { work: boolean; events: Events }): Promise<void> {
    const boss = openBoss(this.#options, options.work);
    const queues = new Queues(boss);
    this.#running = { boss, queues };
    await boss.start();
    await queues.open(this.#handlers);
    if (!('events' in options && options.work)) return;
    this.#stopReleasing = startReleasing(this.#options);
    const workers = new Map<string, string>();
    options.events.on('jobs', (sent) => {
      for (const [name, worker] of workers) if (sent === name || sent === 'many') boss.notifyWorker(worker);
    });
    for (const [name, handler] of this.#handlers) {
      if (handler.cron) {
        await boss.schedule(name, handler.cron);
        // Servers that start together share one turn.
        await boss.send(name, null, { singletonSeconds: 60 });
      }
      const work = (batch: Fetched[]) => Promise.all(batch.map((job) => this.#attempt(handler, job)));
      workers.set(name, await boss.work(name, workOptions(handler, this.#options.pollSeconds), work));
    }
  }

  /**
   * Works off everything that is due now, and what that sends in turn; then returns. Jobs that fail wait for their retry as
   * usual. For tests and for commands that run once.
   */
  async runQueued(): Promise<void> {
    const { boss } = this.#started;
    for (let found = true; found;) {
      found = false;
      for (const [name, handler] of this.#handlers) {
        for (const job of await boss.fetch<object>(name, { includeMetadata: true, batchSize: 50 })) {
          found = true;
          const alive = setInterval(() => void boss.touch(name, job.id).catch(() => {}), (heartbeatSeconds * 1000) / 3);
          const { status, output } = await this.#attempt(handler, job);
          clearInterval(alive);
          if (status === 'failed') await boss.fail(name, job.id, output as object);
        }
      }
    }
  }

  /** The data of the jobs of this name that wait, oldest first. */
  async listWaiting(name: string): Promise<object[]> {
    const { rows } = await queriesOf(this.#options.pool).executeSql(
      `select data from pgboss.job where name = $1 and state in ('created', 'retry') order by created_on, ctid`,
      [name],
    );
    return rows.map((row) => row['data'] as object);
  }

  /** Gives every job that failed for good a new start. Resolves to their number. */
  async retryFailed(): Promise<number> {
    let all = 0;
    for (let moved = -1; moved !== 0; all += moved) moved = await this.#started.boss.redrive(failedQueue);
    return all;
  }

  /**
   * Takes no new jobs and lets those under way finish, for 6 s at most: what is left then goes to another server. Requests
   * that are still under way go on sending until the database closes.
   */
  async stop(): Promise<void> {
    if (!this.#running) return;
    const { boss } = this.#running;
    this.#stopReleasing();
    // First of all: pg-boss would let the workers take more while it closes its connection.
    await Promise.all([...this.#handlers.keys()].map((name) => boss.offWork(name, { wait: false })));
    await boss.stop({ graceful: true, timeout: 6_000 });
  }

  get #started(): Started {
    if (!this.#running) throw new Error('the jobs are not started');
    return this.#running;
  }

  #attempt({ work }: Handler, job: Fetched) {
    const { pool, logger } = this.#options;
    return attempt({ boss: this.#started.boss, pool, logger }, work, job);
  }
}

const workOptions = (handler: Handler, pollingIntervalSeconds = 5) =>
  ({
    includeMetadata: true,
    perJobResults: true,
    batchSize: handler.concurrency,
    burstWhenBatchFull: handler.concurrency > 1,
    pollingIntervalSeconds,
  }) as const;
