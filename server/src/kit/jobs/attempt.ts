import type { JobResult, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { queriesOf } from './boss.ts';

/** Thrown by the work of a job that no further attempt can mend: the job fails for good at once. */
export class PermanentError extends Error {}

export type Fetched = Pick<JobWithMetadata<unknown>, 'id' | 'name' | 'data' | 'retryCount' | 'retryLimit'>;
export type Work = (job: Fetched) => Promise<void>;

/** Works on a job once. What goes wrong is logged, and told to whoever fetched it. */
export async function attempt(
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
    if (permanent && retryCount < retryLimit) await giveUpRetries(pool, name, id);
    return { id, status: 'failed', output: error };
  }
  // At once, not with its batch: a crash meanwhile must not make finished work be done again.
  await boss.complete(name, id);
  return { id, status: 'completed' };
}

async function giveUpRetries(pool: Database['pool'], name: string, id: string) {
  await queriesOf(pool).executeSql('update pgboss.job set retry_limit = retry_count where name = $1 and id = $2', [name, id]);
}
