import type { Context } from '../../kit/context.ts';
import { forgetOldDays } from './figures.service.ts';
import { mailWeeks } from './figures.weekly.ts';

export function figureJobs(context: Context) {
  context.jobs.every('figures.forget-old-days', '23 * * * *', () => forgetOldDays(context));
  context.jobs.every('figures.mail-weeks', '*/10 * * * *', () => mailWeeks(context));
}
