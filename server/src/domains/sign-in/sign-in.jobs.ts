import type { SignInContext } from './sign-in.context.ts';
import { deleteOldChallenges } from './sign-in.queries.ts';
import { mailReset, sendReset } from './sign-in.reset.ts';
import { renewSeals } from './sign-in.sealed.ts';

export function signInJobs(context: SignInContext) {
  const { db, jobs, clock } = context;
  jobs.handle(mailReset, ({ email }) => sendReset(context, email));
  jobs.every('sign-in.delete-expired', '37 * * * *', async () => {
    await deleteOldChallenges(db, clock.now());
  });
  jobs.every('sign-in.renew-seals', '43 * * * *', () => renewSeals(context));
}
