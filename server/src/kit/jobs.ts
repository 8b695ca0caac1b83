import { randomUUID } from 'node:crypto';
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { tell } from './changes.ts';
import { type Database, type Db, isUnavailable, type Tx } from './database.ts';
import type { Events } from './events.ts';

declare module './events.ts' {
  interface Channels {
    /** The name of a job that was sent, for those who work it off. */
    jobs: string;
  }
}

type JobName = `${string}.${string}`;

type JobOptions = {
  /** How often a failed job is tried again. */
  retryLimit?: number;
  /** Wait before the first retry; each further wait is about twice as long, up to `retryDelayMaxSeconds`. */
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  /** How many of these one process works on at the same time. */
  concurrency?: number;
  /** After this, a job that is still under way counts as failed. */
  expireSeconds?: number;
};

export type Job<Data extends object> = Required<JobOptions> & {
  name: JobName;
  /** Never set: it ties the name to the type of what is sent under it. */
  data?: Data;
};

/** Names a kind of job, `<domain>.<verb-noun>`, and says how it is retried. Its data must survive JSON. */
export function defineJob<Data extends object>(name: JobName, options: JobOptions = {}): Job<Data> {
  return { name, retryLimit: 10, retryDelaySeconds: 5, retryDelayMaxSeconds: 600, concurrency: 5, expireSeconds: 900, ...options };
}

/** Thrown by the work of a job that no further attempt can mend: the job fails for good at once. */
export class PermanentError extends Error {}

type Fetched = Pick<JobWithMetadata<unknown>, 'id' | 'name' | 'data' | 'retryCount' | 'retryLimit'>;
type Handler = { queue: QueueOptions; concurrency: number; cron?: string; work: (job: Fetched) => Promise<void> };
type QueueOptions = ReturnType<typeof queueOfJob>;

type Options = {
  pool: Database['pool'];
  logger: Logger;
  /** A new job is heard of at once; the clock is for those whose time comes: retries and deferred ones. */
  pollSeconds?: number;
};

const day = 86_400;

/** Where jobs that failed for good wait for an operator, with their data and their last error. */
const failedQueue = 'jobs.failed';

const common = {
  // The job is told of by a row of `changes`: a transaction that notifies waits for every other one that does.
  notify: false,
  // A process that dies stops giving signs of life; its jobs then go to another one.
  heartbeatSeconds: 30,
  retentionSeconds: 30 * day,
};

const queueOfJob = (job: Job<object>) => ({
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
const queueOfSchedule = (): QueueOptions => ({
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

/**
 * Work that happens after a request, kept in the database: a job is sent by the transaction that causes it, is worked by
 * whichever server takes it, and is tried again where it fails. After a crash a job may be worked twice: work must bear that.
 */
export class Jobs {
  readonly #options: Options;
  readonly #handlers = new Map<string, Handler>();
  readonly #queues = new Map<string, Promise<void>>();
  #boss: PgBoss | undefined;

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
    await this.#ensureQueue(job.name, queueOfJob(job));
    const id = randomUUID();
    await this.#started.send(job.name, data, {
      id,
      db: fromKysely(tx),
      singletonKey: options.singletonKey ?? id,
      ...(options.startAfterSeconds && { startAfter: options.startAfterSeconds }),
    });
    if (!options.startAfterSeconds) await tell(tx, 'jobs', job.name);
  }

  /** Gets ready to send a job that only others work on. Without it the first `send` needs a second connection meanwhile. */
  prepare(job: Job<object>): Promise<void> {
    return this.#ensureQueue(job.name, queueOfJob(job));
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
    if (this.#boss) throw new Error(`${name} is registered after the start`);
    if (this.#handlers.has(name)) throw new Error(`${name} is registered twice`);
    this.#handlers.set(name, handler);
  }

  /** Gets ready to send, and with `work` also works until `stop`; `events` says when there is something to do. The database must be prepared. */
  async start(options: { work: false } | { work: boolean; events: Events }): Promise<void> {
    const boss = openBoss(this.#options, options.work);
    this.#boss = boss;
    await boss.start();
    const known = new Map((await boss.getQueues()).map((queue) => [queue.name, new Map(Object.entries(queue))]));
    for (const name of known.keys()) if (!this.#handlers.has(name)) this.#queues.set(name, Promise.resolve());
    for (const [name, { queue }] of this.#handlers) {
      const existing = known.get(name);
      if (!existing) await this.#ensureQueue(name, queue);
      else {
        this.#queues.set(name, Promise.resolve());
        const { policy: _, ...changeable } = queue;
        const changed = Object.entries(changeable).some(([key, value]) => (existing.get(key) ?? null) !== value);
        if (changed) await boss.updateQueue(name, changeable);
      }
    }
    if (!('events' in options && options.work)) return;
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
      const work = (batch: Fetched[]) => Promise.all(batch.map((job) => this.#workOne(handler, job)));
      workers.set(name, await boss.work(name, workOptions(handler, this.#options.pollSeconds), work));
    }
  }

  /**
   * Works off everything that is due now, and what that sends in turn; then returns. Jobs that fail wait for their retry as
   * usual. For tests and for commands that run once.
   */
  async runQueued(): Promise<void> {
    for (let found = true; found;) {
      found = false;
      for (const [name, handler] of this.#handlers) {
        for (const job of await this.#started.fetch<object>(name, { includeMetadata: true, batchSize: 50 })) {
          found = true;
          const alive = setInterval(() => void this.#started.touch(name, job.id).catch(() => {}), (common.heartbeatSeconds * 1000) / 3);
          const { status, output } = await this.#workOne(handler, job);
          clearInterval(alive);
          if (status === 'failed') await this.#started.fail(name, job.id, output as object);
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
    for (let moved = -1; moved !== 0; all += moved) moved = await this.#started.redrive(failedQueue);
    return all;
  }

  /**
   * Takes no new jobs and lets those under way finish, for 6 s at most: what is left then goes to another server. Requests
   * that are still under way go on sending until the database closes.
   */
  async stop(): Promise<void> {
    const boss = this.#boss;
    if (!boss) return;
    // First of all: pg-boss would let the workers take more while it closes its connection.
    await Promise.all([...this.#handlers.keys()].map((name) => boss.offWork(name, { wait: false })));
    await boss.stop({ graceful: true, timeout: 6_000 });
  }

  get #started(): PgBoss {
    if (!this.#boss) throw new Error('the jobs are not started');
    return this.#boss;
  }

  /** Makes the queue where the database does not have it yet; several servers may do so at once. */
  #ensureQueue(name: string, queue: QueueOptions): Promise<void> {
    const known = this.#queues.get(name);
    if (known) return known;
    const made = this.#createQueue(name, queue);
    this.#queues.set(name, made);
    made.catch(() => this.#queues.delete(name));
    return made;
  }

  // pg-boss looks a queue up when it first hears of it, on a connection of its own. Inside of a transaction that would be a
  // second one, and where every connection is held by somebody who waits for that transaction, none is left. So it hears here.
  async #createQueue(name: string, queue: QueueOptions): Promise<void> {
    await this.#started.createQueue(name, queue as Parameters<PgBoss['createQueue']>[1]);
    await this.#started.findJobs(name, { id: randomUUID() });
  }

  async #workOne(handler: Handler, job: Fetched): Promise<JobResult> {
    const { id, name, retryCount, retryLimit } = job;
    try {
      await handler.work(job);
    } catch (error) {
      const permanent = error instanceof PermanentError;
      const exhausted = permanent || retryCount >= retryLimit;
      const level = exhausted ? 'error' : 'warn';
      const message = exhausted ? 'job failed for good' : 'job failed and will be tried again';
      this.#options.logger[level]({ job: name, id, attempt: retryCount + 1, err: error }, message);
      if (permanent && retryCount < retryLimit) await this.#giveUpRetries(name, id);
      return { id, status: 'failed', output: error };
    }
    // At once, not with its batch: a crash meanwhile must not make finished work be done again.
    await this.#started.complete(name, id);
    return { id, status: 'completed' };
  }

  async #giveUpRetries(name: string, id: string) {
    const { executeSql } = queriesOf(this.#options.pool);
    await executeSql('update pgboss.job set retry_limit = retry_count where name = $1 and id = $2', [name, id]);
  }
}

/** Makes what jobs need in a database, once. */
export async function prepareJobs(pool: Database['pool']): Promise<void> {
  const boss = new PgBoss({ db: queriesOf(pool), supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(failedQueue, { retentionSeconds: 90 * day });
  await boss.stop();
}

const queriesOf = (pool: Database['pool']) => ({
  async executeSql(text: string, values?: unknown[]): Promise<{ rows: { [column: string]: unknown }[] }> {
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  },
});

function openBoss({ pool, logger }: Options, work: boolean): PgBoss {
  const boss = new PgBoss({
    db: queriesOf(pool),
    supervise: work,
    schedule: work,
    migrate: work,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
    maintenanceIntervalSeconds: 3_600,
    cronWorkerIntervalSeconds: 1,
  });
  boss.on('error', (reported) => {
    // Its workers report a plain object in the shape of an error.
    const err = Object.assign(new Error(reported.message), reported);
    logger[isUnavailable(err) ? 'warn' : 'error']({ err }, 'the job queue reports an error');
  });
  boss.on('warning', (warning) => logger.warn({ warning }, 'the job queue warns'));
  return boss;
}

const workOptions = (handler: Handler, pollingIntervalSeconds = 5) =>
  ({
    includeMetadata: true,
    perJobResults: true,
    batchSize: handler.concurrency,
    burstWhenBatchFull: handler.concurrency > 1,
    pollingIntervalSeconds,
  }) as const;
