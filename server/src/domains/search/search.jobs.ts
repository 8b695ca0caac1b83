import type { Context } from '../../kit/context.ts';
import { rebuildVocabulary } from './index/search.vocabulary.ts';
import { keepAnswering, keepMeans } from './search.daily.ts';

// In the night of both countries.
export function searchJobs(context: Context) {
  context.jobs.every('search.keep-means', '47 14 * * *', () => keepMeans(context));
  context.jobs.every('search.keep-answering', '53 14 * * *', () => keepAnswering(context));
  context.jobs.every('search.rebuild-vocabulary', '23 15 * * *', async () => void (await rebuildVocabulary(context.db)));
}
