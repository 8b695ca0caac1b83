import type { Context } from '../../kit/context.ts';
import { mailUnseen } from './messages.notify.ts';

export function messageJobs(context: Context) {
  context.jobs.every('messages.mail-unseen', '* * * * *', () => mailUnseen(context));
}
