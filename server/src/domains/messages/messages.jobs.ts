import type { MessageContext } from './messages.context.ts';
import { mailUnseen } from './messages.notify.ts';

export function messageJobs(context: MessageContext) {
  context.jobs.every('messages.mail-unseen', '* * * * *', () => mailUnseen(context));
}
