import { emailUnseenMessages } from './messages.notify.ts';
import type { MessageContext } from './messages.reply-address.ts';

export function messageJobs(context: MessageContext) {
  context.jobs.every('messages.email-unseen-messages', '* * * * *', () => emailUnseenMessages(context));
}
