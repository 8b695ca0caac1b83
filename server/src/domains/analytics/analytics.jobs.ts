import type { Context } from '../../kit/context.ts';
import { deleteOldAnalytics } from './analytics.service.ts';
import { emailWeeklyAnalytics } from './analytics.weekly.ts';

export function analyticsJobs(context: Context) {
  context.jobs.every('analytics.delete-old-days', '23 * * * *', () => deleteOldAnalytics(context));
  context.jobs.every('analytics.send-weekly-emails', '*/10 * * * *', () => emailWeeklyAnalytics(context));
}
