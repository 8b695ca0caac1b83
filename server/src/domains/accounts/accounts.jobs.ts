import { deleteOldAttempts } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { deleteExpiredChanges } from './accounts.addresses.queries.ts';
import { mailConfirmation, sendConfirmation } from './accounts.links.ts';
import { mailGuesses, sendGuesses } from './accounts.passwords.ts';
import { deleteExpiredLinks } from './accounts.queries.ts';
import { deleteOldDevices } from './accounts.service.ts';
import { deleteOldSessions } from './accounts.sessions.ts';

/** Deletes what nobody can use any more: counters, sessions, links, devices. */
export async function deleteExpired(context: Context): Promise<void> {
  const { db, clock } = context;
  const now = clock.now();
  await Promise.all([
    deleteOldAttempts(db),
    deleteOldSessions(context),
    deleteExpiredLinks(db, now),
    deleteOldDevices(context),
    deleteExpiredChanges(db, now),
  ]);
}

export function accountJobs(context: Context) {
  const { jobs } = context;
  jobs.handle(mailConfirmation, ({ email, conversationId }) => sendConfirmation(context, email, conversationId));
  jobs.handle(mailGuesses, ({ email }) => sendGuesses(context, email));
  jobs.every('accounts.delete-expired', '7 * * * *', () => deleteExpired(context));
}
