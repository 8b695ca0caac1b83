import type { Context } from '../../kit/context.ts';
import { deleteExpiredAttempts } from '../../kit/identity/attempts.ts';
import { deleteExpiredAddressChanges } from './accounts.addresses.queries.ts';
import { sendConfirmationJob, sendConfirmation } from './accounts.links.ts';
import { notifyOfGuessesJob, notifyOfGuesses } from './accounts.passwords.ts';
import { deleteExpiredLinks } from './accounts.queries.ts';
import { deleteOldDevices } from './accounts.service.ts';
import { deleteOldSessions } from './accounts.sessions.ts';

/** Deletes expired attempt counters, sessions, links, devices and address changes. */
export async function deleteExpired(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  await Promise.all([
    deleteExpiredAttempts(db),
    deleteOldSessions(context),
    deleteExpiredLinks(db, now),
    deleteOldDevices(context),
    deleteExpiredAddressChanges(db, now),
  ]);
}

export function accountJobs(context: Context) {
  const { jobs } = context;
  jobs.handle(sendConfirmationJob, ({ email, conversationId }) => sendConfirmation(context, email, conversationId));
  jobs.handle(notifyOfGuessesJob, ({ email }) => notifyOfGuesses(context, email));
  jobs.every('accounts.delete-expired-data', '7 * * * *', () => deleteExpired(context));
}
