import type { MessageContext } from './messages.context.ts';
import { emailUnseenMessages } from './messages.notify.ts';

export function messageJobs(context: MessageContext) {
  context.jobs.every('messages.email-unseen-messages', '* * * * *', () => emailUnseenMessages(context));
}
