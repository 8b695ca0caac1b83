import { deleteExpiredSessions } from './domains/accounts/accounts.queries.ts';
import { deleteOldAttempts } from './kit/attempts.ts';
import type { Db } from './kit/database.ts';
import type { Jobs } from './kit/jobs.ts';

/** Every job and schedule of the product but the mails, which alone need a way out. To be called before `jobs.start`. */
export function handleJobs(jobs: Jobs, { db }: { db: Db }): void {
  jobs.every('accounts.delete-expired', '7 * * * *', async () => {
    await Promise.all([deleteOldAttempts(db), deleteExpiredSessions(db)]);
  });
}
