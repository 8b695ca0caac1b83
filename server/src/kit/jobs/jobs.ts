import { randomUUID } from 'node:crypto';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Db, Tx } from '../database/database.ts';
import { publishChange } from '../events/changes.ts';
import type { Events } from '../events/events.ts';
import { runAttempt, type Fetched, type Work } from './attempt.ts';
import { createQueryExecutor, openBoss, startReleasing } from './boss.ts';
import {
  failedQueue,
  heartbeatSeconds,
  type QueueOptions,
  jobQueueOptions,
  scheduleQueueOptions,
  Queues,
  type RetryOptions,
} from './queues.ts';

declare module '../events/events.ts' {
  interface Channels {
    /** The name of a job that was sent. */
    jobs: string;
  }
}

/** `<domain>.<verb>-<noun>`. */
type JobName = `${string}.${string}`;

type JobOptions = RetryOptions & {
  /** Number of these jobs that one process runs at the same time. */
  concurrency: number;
  /** Set if jobs are sent with a `group`: how many of a group run at the same time in one process, whatever else waits. */
  perGroup?: number;
};

export type Job<Data extends object> = JobOptions & {
  name: JobName;
  /** Never set: it carries the type of the job's data. */
  data?: Data;
};

/** Defines a kind of job and its retries. Its data must survive JSON. */
export function defineJob<Data extends object>(name: JobName, options: Partial<JobOptions> = {}): Job<Data> {
  return { name, retryLimit: 10, retryDelaySeconds: 5, retryDelayMaxSeconds: 600, concurrency: 5, expireSeconds: 900, ...options };
}

type Handler = { queue: QueueOptions; concurrency: number; perGroup?: number | undefined; cron?: string; pollSeconds?: number; work: Work };
type Started = { boss: PgBoss; queues: Queues };

type Options = {
  pool: Database['pool'];
  logger: Logger;
  /** Polling interval for retries and deferred jobs. New jobs are announced by the changes table. */
  pollSeconds?: number;
};

const behindOthers = -1;
// Jobs that are sent under a former name are announced like others.
const formerPollSeconds = 30;

/**
 * Background jobs, stored in the database: the transaction that causes a job sends it, any server runs it, and failures are retried. After a crash a
 * job may run twice, so handlers must be idempotent.
 */
export class Jobs {
  readonly #options: Options;
  readonly #handlers = new Map<string, Handler>();
  #formerNames: Readonly<Record<string, string>> = {};
  #running: Started | undefined;
  #stopReleasing = () => {};

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Sends a job as part of the transaction. It starts `startAfterSeconds` from now, by default at once. If a job with the same `singletonKey` is still
   * waiting, nothing is sent.
   */
  async send<Data extends object>(
    tx: Tx | Db,
    job: Job<Data>,
    data: NoInfer<Data>,
    options: { startAfterSeconds?: number; singletonKey?: string; group?: string } = {},
  ): Promise<void> {
    const { boss, queues } = this.#started;
    await queues.ensure(job.name, jobQueueOptions(job));
    const id = randomUUID();
    await boss.send(job.name, data, {
      id,
      db: fromKysely(tx),
      singletonKey: options.singletonKey ?? id,
      ...(options.group !== undefined && { group: { id: options.group } }),
      ...(options.startAfterSeconds && { startAfter: options.startAfterSeconds }),
    });
    if (!options.startAfterSeconds) await publishChange(tx, 'jobs', job.name);
  }

  /**
   * Sends many jobs of a kind in one statement, at a lower priority than single ones: a sign-in email must not wait behind thousands of emails about plans
   * that have ended.
   */
  async sendAll<Data extends object>(
    tx: Tx,
    job: Job<Data>,
    all: readonly NoInfer<Data>[],
    groupOf?: (data: NoInfer<Data>) => string,
  ): Promise<void> {
    if (all.length === 0) return;
    const { boss, queues } = this.#started;
    await queues.ensure(job.name, jobQueueOptions(job));
    const jobs = all.map((data) => {
      const id = randomUUID();
      return { id, data, singletonKey: id, priority: behindOthers, ...(groupOf && { group: { id: groupOf(data) } }) };
    });
    await boss.insert(job.name, jobs, { db: fromKysely(tx) });
    await publishChange(tx, 'jobs', job.name);
  }

  /** Creates the queue of a job without a handler in this process. Otherwise the first `send` needs a second connection. */
  prepare(job: Job<object>): Promise<void> {
    return this.#started.queues.ensure(job.name, jobQueueOptions(job));
  }

  /** Registers the handler of a job. `id` is the same at every attempt. To be called before `start`. */
  handle<Data extends object>(job: Job<Data>, work: (data: Data, id: string) => Promise<void>): void {
    this.#register(job.name, {
      queue: jobQueueOptions(job),
      concurrency: job.concurrency,
      perGroup: job.perGroup,
      work: (fetched) => work(fetched.data as Data, fetched.id),
    });
  }

  /**
   * Runs `work` on a schedule (cron in UTC, to the minute) and once at the start, on one server at a time. A failure is logged; the next run is its
   * retry, unless that is more than an hour away. To be called before `start`.
   */
  every(name: JobName, cron: string, work: () => Promise<void>): void {
    this.#register(name, { queue: scheduleQueueOptions(cron), concurrency: 1, cron, work });
  }

  /** Also runs the jobs that earlier versions have sent or still send, by their names then and now. To be called before `start`. */
  acceptFormerNames(names: Readonly<Record<string, string>>): void {
    this.#formerNames = names;
  }

  /** Registers the former names that the database has a queue for, and ends their schedules: each start runs what is scheduled under its present name. */
  async #registerFormerNames({ boss, queues }: Started, work: boolean): Promise<void> {
    for (const [former, name] of Object.entries(this.#formerNames)) {
      const handler = this.#handlers.get(name);
      if (!handler || !queues.has(former)) continue;
      const { cron, ...rest } = handler;
      if (cron && work) await boss.unschedule(former);
      this.#handlers.set(former, { ...rest, pollSeconds: formerPollSeconds, ...(cron && { work: async () => {} }) });
    }
  }

  #register(name: string, handler: Handler) {
    if (this.#running) throw new Error(`${name} is registered after the start`);
    if (this.#handlers.has(name)) throw new Error(`${name} is registered twice`);
    this.#handlers.set(name, handler);
  }

  /** Starts sending, and with `work` also running jobs until `stop`; `events` announces new jobs. Requires `prepareJobs`. */
  async start(options: { work: false } | { work: boolean; events: Events }): Promise<void> {
    const boss = openBoss(this.#options, options.work);
    const queues = new Queues(boss);
    this.#running = { boss, queues };
    await boss.start();
    await queues.open(this.#handlers);
    await this.#registerFormerNames(this.#running, options.work);
    if (!('events' in options && options.work)) return;
    this.#stopReleasing = startReleasing(this.#options);
    const workers = new Map<string, string[]>();
    options.events.on('jobs', (sent) => {
      for (const [name, ids] of workers) if (sent === name || sent === 'many') for (const id of ids) boss.notifyWorker(id);
    });
    for (const [name, handler] of this.#handlers) {
      if (handler.cron) {
        await boss.schedule(name, handler.cron);
        // Servers that start together share one run.
        await boss.send(name, null, { singletonSeconds: 60 });
      }
      workers.set(name, handler.perGroup ? await this.#startLanes(boss, name, handler) : [await this.#startWorker(boss, name, handler)]);
    }
  }

  /** Runs jobs in batches, which end with their slowest job. */
  #startWorker(boss: PgBoss, name: string, handler: Handler): Promise<string> {
    const work = (batch: Fetched[]) => Promise.all(batch.map((job) => this.#runAttempt(handler, job)));
    return boss.work(name, workOptions(handler, this.#options.pollSeconds), work);
  }

  /** Runs jobs one by one in several workers, so that a slow one holds up its own group only. */
  async #startLanes(boss: PgBoss, name: string, handler: Handler): Promise<string[]> {
    const ids: string[] = [];
    for (let lane = 0; lane < handler.concurrency; lane += 1) {
      const work = async ([job]: Fetched[]) => {
        const result = job && (await this.#runAttempt(handler, job));
        // Fetches the next job at once.
        boss.notifyWorker(ids[lane] ?? '');
        return result ? [result] : [];
      };
      ids.push(await boss.work(name, laneOptions(handler, this.#options.pollSeconds), work));
    }
    return ids;
  }

  /**
   * Runs all due jobs, including those that they send, and returns. Failed jobs wait for their retry. For tests and one-off commands.
   */
  async runQueued(): Promise<void> {
    const { boss } = this.#started;
    for (let found = true; found;) {
      found = false;
      for (const [name, handler] of this.#handlers) {
        for (const job of await boss.fetch<object>(name, { includeMetadata: true, batchSize: 50 })) {
          found = true;
          const alive = setInterval(() => void boss.touch(name, job.id).catch(() => {}), (heartbeatSeconds * 1000) / 3);
          const { status, output } = await this.#runAttempt(handler, job);
          clearInterval(alive);
          if (status === 'failed') await boss.fail(name, job.id, output as object);
        }
      }
    }
  }

  /** Whether jobs of this name are run, which may be a former one. */
  isHandled(name: string): boolean {
    return this.#handlers.has(name);
  }

  /** The data of the waiting jobs of this name, oldest first. */
  async listWaiting(name: string): Promise<object[]> {
    const { rows } = await createQueryExecutor(this.#options.pool).executeSql(
      `select data from pgboss.job where name = $1 and state in ('created', 'retry') order by created_on, ctid`,
      [name],
    );
    return rows.map((row) => row['data'] as object);
  }

  /** Restarts all jobs that failed permanently. Resolves to their number. */
  async retryFailed(): Promise<number> {
    let all = 0;
    for (let moved = -1; moved !== 0; all += moved) moved = await this.#started.boss.redrive(failedQueue);
    return all;
  }

  /**
   * Stops fetching jobs and lets running ones finish, for 6 s at most: the rest goes to another server. Running requests can send jobs until the
   * database closes.
   */
  async stop(): Promise<void> {
    if (!this.#running) return;
    const { boss } = this.#running;
    this.#stopReleasing();
    // Comes first, because pg-boss lets its workers fetch more jobs while it stops.
    await Promise.all([...this.#handlers.keys()].map((name) => boss.offWork(name, { wait: false })));
    await boss.stop({ graceful: true, timeout: 6_000 });
  }

  get #started(): Started {
    if (!this.#running) throw new Error('the jobs are not started');
    return this.#running;
  }

  #runAttempt({ work }: Handler, job: Fetched) {
    const { pool, logger } = this.#options;
    return runAttempt({ boss: this.#started.boss, pool, logger }, work, job);
  }
}

const laneOptions = ({ perGroup = 1, pollSeconds }: Handler, pollingIntervalSeconds = pollSeconds ?? 5) =>
  ({
    includeMetadata: true,
    perJobResults: true,
    localGroupConcurrency: perGroup,
    pollingIntervalSeconds,
  }) as const;

const workOptions = (handler: Handler, pollingIntervalSeconds = handler.pollSeconds ?? 5) =>
  ({
    includeMetadata: true,
    perJobResults: true,
    batchSize: handler.concurrency,
    burstWhenBatchFull: handler.concurrency > 1,
    pollingIntervalSeconds,
  }) as const;
