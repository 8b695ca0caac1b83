import type { Context } from '../../kit/context.ts';
import { mailAlerts } from './alerts.mailing.ts';
import { matchAlerts } from './alerts.matching.ts';

export function alertJobs(context: Context) {
  // Before the first mails of the day in New Zealand.
  context.jobs.every('alerts.match', '17 17 * * *', () => matchAlerts(context));
  context.jobs.every('alerts.mail', '*/10 * * * *', () => mailAlerts(context));
}
