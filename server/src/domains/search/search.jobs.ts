import type { Context } from '../../kit/context.ts';
import { keepAnswering, keepMeans } from './orders/search.daily.ts';

// In the night of both countries.
export function searchJobs(context: Context) {
  context.jobs.every('search.keep-means', '47 14 * * *', () => keepMeans(context));
  context.jobs.every('search.keep-answering', '53 14 * * *', () => keepAnswering(context));
}
