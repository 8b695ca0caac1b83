import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Database, isUnavailable } from '../database/database.ts';
import { failedQueue, failedQueueOptions } from './queues.ts';

// pg-boss with our connection pool and logger.

export const createQueryExecutor = (pool: Database['pool']) => ({
  async executeSql(text: string, values?: unknown[]): Promise<{ rows: { [column: string]: unknown }[] }> {
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  },
});

/** Creates the schema and queues of pg-boss in a new database. */
export async function prepareJobs(pool: Database['pool']): Promise<void> {
  const boss = new PgBoss({ db: createQueryExecutor(pool), supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(failedQueue, failedQueueOptions);
  await boss.stop();
}

// With the heartbeat, the release below and the workers' polling, the job of a dead worker restarts within 50 s.
const superviseIntervalSeconds = 10;
const releaseIntervalMs = 5_000;
const maxQuickRetries = 3;

/**
 * Retries jobs of dead workers at once, without the delay of failed jobs. A job that has killed its workers several times has to wait, so that it does
 * not bring down all of them. Resolves to the number of jobs released.
 */
export async function releaseDeadJobs(pool: Database['pool']): Promise<number> {
  const { rowCount } = await pool.query(
    `update pgboss.job set start_after = now()
     where state = 'retry' and start_after > now() and retry_count <= $1 and output->'value'->>'message' = 'job heartbeat timeout'`,
    [maxQuickRetries],
  );
  return rowCount ?? 0;
}

/** Releases jobs of dead workers every few seconds. Returns a function that stops it. */
export function startReleasing({ pool, logger }: { pool: Database['pool']; logger: Logger }): () => void {
  const timer = setInterval(() => {
    releaseDeadJobs(pool).catch((error: unknown) => reportError(logger, error as Error));
  }, releaseIntervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

const reportError = (logger: Logger, err: Error) => logger[isUnavailable(err) ? 'warn' : 'error']({ err }, 'the job queue has an error');

export function openBoss({ pool, logger }: { pool: Database['pool']; logger: Logger }, work: boolean): PgBoss {
  const boss = new PgBoss({
    db: createQueryExecutor(pool),
    supervise: work,
    schedule: work,
    migrate: work,
    superviseIntervalSeconds,
    // Less than the interval above, because every second run would be skipped otherwise.
    monitorIntervalSeconds: superviseIntervalSeconds / 2,
    maintenanceIntervalSeconds: 3_600,
    cronWorkerIntervalSeconds: 1,
  });
  boss.on('error', (reported) => {
    // pg-boss reports a plain object with the shape of an error.
    reportError(logger, Object.assign(new Error(reported.message), reported));
  });
  boss.on('warning', (warning) => logger.warn({ warning }, 'the job queue has a warning'));
  return boss;
}
