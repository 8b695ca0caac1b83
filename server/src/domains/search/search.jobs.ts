import type { Context } from '../../kit/context.ts';
import { mailAlerts } from './alerts/search.alerts.mailing.ts';
import { matchAlerts } from './alerts/search.alerts.matching.ts';
import { keepAnswering, keepMeans } from './orders/search.daily.ts';

// In the night of both countries.
export function searchJobs(context: Context) {
  context.jobs.every('search.keep-means', '47 14 * * *', () => keepMeans(context));
  context.jobs.every('search.keep-answering', '53 14 * * *', () => keepAnswering(context));
  // Before the first mails of the day in New Zealand.
  context.jobs.every('search.match-alerts', '17 17 * * *', () => matchAlerts(context));
  context.jobs.every('search.mail-alerts', '*/10 * * * *', () => mailAlerts(context));
}
