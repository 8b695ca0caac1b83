import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { createQueryExecutor } from './boss.ts';

/** Thrown by a job's handler if retries can't help: the job fails permanently at once. */
export class PermanentError extends Error {}

export type Fetched = Pick<JobWithMetadata<unknown>, 'id' | 'name' | 'data' | 'retryCount' | 'retryLimit'>;
export type Work = (job: Fetched) => Promise<void>;

/** Runs a job once. Logs an error and returns it. */
export async function runAttempt(
  { boss, pool, logger }: { boss: PgBoss; pool: Database['pool']; logger: Logger },
  work: Work,
  job: Fetched,
): Promise<JobResult> {
  const { id, name, retryCount, retryLimit } = job;
  try {
    await work(job);
  } catch (error) {
    const permanent = error instanceof PermanentError;
    const exhausted = permanent || retryCount >= retryLimit;
    const level = exhausted ? 'error' : 'warn';
    const message = exhausted ? 'job failed for good' : 'job failed and will be tried again';
    logger[level]({ job: name, id, attempt: retryCount + 1, err: error }, message);
    if (permanent && retryCount < retryLimit) await cancelRetries(pool, name, id);
    return { id, status: 'failed', output: error };
  }
  // Completed at once, not with its batch, so that a crash meanwhile does not repeat finished jobs.
  await boss.complete(name, id);
  return { id, status: 'completed' };
}

async function cancelRetries(pool: Database['pool'], name: string, id: string) {
  await createQueryExecutor(pool).executeSql('update pgboss.job set retry_limit = retry_count where name = $1 and id = $2', [name, id]);
}
