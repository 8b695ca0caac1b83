import type { Context } from '../../kit/context.ts';
import { forgetOldDays } from './figures.service.ts';

export function figureJobs(context: Context) {
  context.jobs.every('figures.forget-old-days', '23 * * * *', () => forgetOldDays(context));
}
