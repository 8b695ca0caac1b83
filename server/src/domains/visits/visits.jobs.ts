import type { MessageContext } from '../messages/messages.service.ts';
import { remindOfVisits } from './visits.service.ts';

export function visitJobs(context: MessageContext): void {
  context.jobs.every('visits.send-reminders', '* * * * *', () => remindOfVisits(context));
}
