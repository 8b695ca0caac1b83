import { deleteExpiredSessions } from './domains/accounts/accounts.service.ts';
import { paymentJobs } from './domains/payments/payments.jobs.ts';
import type { Checkout } from './domains/payments/payments.service.ts';
import { sellingJobs } from './domains/selling/selling.jobs.ts';
import { deleteOldAttempts } from './kit/attempts.ts';
import { deleteOldChanges } from './kit/changes.ts';
import type { FileStore } from './kit/files-store.ts';
import { sweepOrphans } from './kit/stored-files.ts';

/** Every job and schedule of the product but the mails, which alone need a way out. To be called before `jobs.start`. */
export function handleJobs({ checkout, store }: { checkout: Checkout; store: FileStore }): void {
  const { db, jobs } = checkout;
  paymentJobs(checkout);
  sellingJobs(checkout);
  jobs.every('accounts.delete-expired', '7 * * * *', async () => {
    await Promise.all([deleteOldAttempts(db), deleteExpiredSessions(db)]);
  });
  jobs.every('changes.delete-old', '*/5 * * * *', () => deleteOldChanges(db));
  jobs.every('files.sweep-orphans', '17 * * * *', async () => {
    await sweepOrphans(db, store);
  });
}
