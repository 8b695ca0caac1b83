import type { Context } from '../../kit/context.ts';
import { mailReset, sendReset } from './sign-in.reset.ts';

export function signInJobs(context: Context) {
  context.jobs.handle(mailReset, ({ email }) => sendReset(context, email));
}
