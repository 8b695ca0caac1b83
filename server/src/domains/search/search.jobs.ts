import type { Context } from '../../kit/context.ts';
import { rebuildVocabulary } from './index/search.vocabulary.ts';
import { meanOf } from '@handwise/contract/reviews/best-rating';
import { dayMs } from '@handwise/contract/dates';
import { listSellersAnsweringWithin } from '../messages/messages.service.ts';
import { listCategoryRatings } from '../reviews/reviews.service.ts';
import * as queries from './search.jobs.queries.ts';

// In the night of both countries.
export function searchJobs(context: Context) {
  context.jobs.every('search.keep-means', '47 14 * * *', () => keepMeans(context));
  context.jobs.every('search.keep-answering', '53 14 * * *', () => keepAnswering(context));
  context.jobs.every('search.rebuild-vocabulary', '23 15 * * *', async () => void (await rebuildVocabulary(context.db)));
}

// A listing that is published while its group's average changes may still get the old one: the turns of so long afterwards look again.
const looksAgainFor = 3 * dayMs;
// So many listings change in one transaction, so that nobody who publishes or edits waits long.
const numbersAtOnce = 5_000;
const sellersAtOnce = 1_000;

/** Takes the averages of all groups, and where one has changed gives its listings their new scores. */
export async function keepMeans({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const ratings = await listCategoryRatings(db);
  const known = new Map((await queries.listMeans(db)).map((row) => [row.category_code, row]));
  let hasChanged = [...known.values()].some(({ changed_at }) => now.getTime() - changed_at.getTime() < looksAgainFor);
  for (const code of new Set(ratings.map((one) => one.category_code))) {
    // Of both countries: the same listing has the same score wherever it is looked at from.
    const ofGroup = ratings.filter((one) => one.category_code === code);
    const sum = (of: (one: (typeof ratings)[number]) => number) => ofGroup.reduce((total, one) => total + of(one), 0);
    const mean = Math.round(10 * meanOf({ reviews: sum((one) => one.reviews), stars: sum((one) => one.stars) }));
    if (known.get(code)?.mean === mean) continue;
    await queries.writeMean(db, code, mean, now);
    hasChanged = true;
  }
  if (!hasChanged) return;
  for (let from = await queries.nextNumber(db, 0); from !== undefined; from = await queries.nextNumber(db, from + numbersAtOnce))
    await queries.writeScores(db, from, from + numbersAtOnce);
}

/** Says of each listing whether its seller answers within a day, as the time to reply is worked out. */
export async function keepAnswering(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const { db } = context;
  const answering = new Set(await listSellersAnsweringWithin(context, dayMs / 60_000));
  const stopped = (await queries.listAnswering(db)).filter((seller) => !answering.has(seller));
  for (const [sellers, answers] of [
    [stopped, false],
    [[...answering], true],
  ] as const)
    for (let from = 0; from < sellers.length; from += sellersAtOnce)
      await queries.writeAnswering(db, sellers.slice(from, from + sellersAtOnce), answers);
}
