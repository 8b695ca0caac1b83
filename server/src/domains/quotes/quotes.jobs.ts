import type { MessageContext } from '../messages/messages.service.ts';
import { expireQuotes, remindOfQuotes } from './quotes.service.ts';

export function quoteJobs(context: MessageContext) {
  context.jobs.every('quotes.expire-quotes', '* * * * *', () => expireQuotes(context));
  context.jobs.every('quotes.send-reminders', '*/5 * * * *', () => remindOfQuotes(context));
}
