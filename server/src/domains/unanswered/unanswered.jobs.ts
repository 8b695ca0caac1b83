import type { MessageContext } from '../messages/messages.service.ts';
import { remindOfUnanswered } from './unanswered.service.ts';

export function unansweredJobs(context: MessageContext): void {
  context.jobs.every('unanswered.send-reminders', '* * * * *', () => remindOfUnanswered(context));
}
