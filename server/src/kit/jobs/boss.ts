import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { type Database, isUnavailable } from '../database/database.ts';
import { failedQueue, failedQueueOptions } from './queues.ts';

// The library that keeps jobs in the database, put onto our connections and our log.

export const queriesOf = (pool: Database['pool']) => ({
  async executeSql(text: string, values?: unknown[]): Promise<{ rows: { [column: string]: unknown }[] }> {
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  },
});

/** Makes what jobs need in a database, once. */
export async function prepareJobs(pool: Database['pool']): Promise<void> {
  const boss = new PgBoss({ db: queriesOf(pool), supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue(failedQueue, failedQueueOptions);
  await boss.stop();
}

export function openBoss({ pool, logger }: { pool: Database['pool']; logger: Logger }, work: boolean): PgBoss {
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
