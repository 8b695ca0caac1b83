import { resealSecrets } from './sign-in.authenticator.ts';
import type { SignInContext } from './sign-in.context.ts';
import { deleteExpiredAuthorizations } from './sign-in.identities.queries.ts';
import { deleteExpiredChallenges } from './sign-in.queries.ts';
import { sendResetJob, sendReset } from './sign-in.reset.ts';

export function signInJobs(context: SignInContext) {
  const { db, jobs, clock } = context;
  jobs.handle(sendResetJob, ({ email }) => sendReset(context, email));
  jobs.every('sign-in.delete-expired-data', '37 * * * *', async () => {
    await deleteExpiredChallenges(db, clock.now());
    await deleteExpiredAuthorizations(db, clock.now());
  });
  jobs.every('sign-in.reencrypt-secrets', '43 * * * *', () => resealSecrets(context));
}
