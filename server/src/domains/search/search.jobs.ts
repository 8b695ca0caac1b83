import { dayMs } from '@handwise/contract/dates';
import { computeMean } from '@handwise/contract/reviews/best-rating';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { listAllAnswering, listAnswering, type SellerAnswering } from '../messages/messages.service.ts';
import { listCategoryRatings } from '../reviews/reviews.service.ts';
import { rebuildVocabulary } from './index/search.vocabulary.ts';
import * as queries from './search.jobs.queries.ts';

// In UTC; night in both countries.
export function searchJobs(context: Context) {
  context.jobs.every('search.update-category-means', '47 14 * * *', () => updateCategoryMeans(context));
  context.jobs.every('search.update-answer-rates', '53 14 * * *', () => updateAnswersWithinDay(context));
  context.jobs.every('search.rebuild-vocabulary', '23 15 * * *', async () => void (await rebuildVocabulary(context.db)));
}

// A listing published while its group's average changes may get the old average, so later runs check again for this long.
const recheckMs = 3 * dayMs;
// Batches keep transactions short, so that publishing and editing do not wait long for locks.
// The two jobs of this file run at the same time at a start, and each must wait for the other's batch only.
const numbersPerBatch = 1_000;
const sellersPerBatch = 100;

/** Computes the average rating of each group and copies changed averages to the group's listings. */
export async function updateCategoryMeans({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const ratings = await listCategoryRatings(db);
  const stored = new Map((await queries.listCategoryMeans(db)).map((row) => [row.category_code, row]));
  let hasChanged = [...stored.values()].some(({ changed_at }) => now.getTime() - changed_at.getTime() < recheckMs);
  for (const code of new Set(ratings.map((one) => one.category_code))) {
    // Averages cover both countries, so that a listing has the same score on every site.
    const ofGroup = ratings.filter((one) => one.category_code === code);
    const sum = (value: (one: (typeof ratings)[number]) => number) => ofGroup.reduce((total, one) => total + value(one), 0);
    const mean = Math.round(10 * computeMean({ reviews: sum((one) => one.reviews), stars: sum((one) => one.stars) }));
    if (stored.get(code)?.mean === mean) continue;
    await queries.saveCategoryMean(db, code, mean, now);
    hasChanged = true;
  }
  if (!hasChanged) return;
  for (
    let from = await queries.findNextListingNumber(db, 0);
    from !== undefined;
    from = await queries.findNextListingNumber(db, from + numbersPerBatch)
  )
    await queries.updateGroupMeans(db, from, from + numbersPerBatch);
}

const isWithinDay = (minutes: number | null) => minutes !== null && minutes <= dayMs / 60_000;

async function saveAnswering(db: Db, sellers: readonly SellerAnswering[]): Promise<void> {
  await queries.saveAnswering(db, sellers);
  const [fast, slow] = [true, false].map((answers) => sellers.filter(({ minutes }) => isWithinDay(minutes) === answers));
  await queries.markAnswersWithinDay(db, toIds(fast), true);
  await queries.markAnswersWithinDay(db, toIds(slow), false);
}

/** The same at once for some sellers. */
export const updateAnswering = async (context: Pick<Context, 'db' | 'clock'>, sellerIds: readonly string[]): Promise<void> =>
  saveAnswering(context.db, await listAnswering(context, context.db, sellerIds));

const toIds = (sellers: readonly { sellerId: string }[] = []) => sellers.map(({ sellerId }) => sellerId);

/** Writes to listings how their sellers answer, and marks those who answer within a day, by the same rule as the reply time that is shown. */
export async function updateAnswersWithinDay(context: Pick<Context, 'db' | 'clock'>): Promise<void> {
  for await (const sellers of listAllAnswering(context, sellersPerBatch)) await saveAnswering(context.db, sellers);
}
