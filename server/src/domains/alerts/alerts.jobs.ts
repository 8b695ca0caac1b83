import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { createSearchIndex } from '../search/search.service.ts';
import * as queries from './alerts.jobs.queries.ts';
import { emailAlerts } from './alerts.notify.ts';
import { deleteExpiredAlerts } from './alerts.queries.ts';

/** New listings per batch; must not exceed what a search counts exactly. */
const batchSize = 1_000;

/** How long an inactive new listing stays queued. */
const newListingRetentionMs = 7 * dayMs;
const matchRetentionMs = 60 * dayMs;
const deletedRetentionMs = dayMs;

/**
 * Matches listings that went live since the last run with all alerts. Listings are dequeued in the transaction that records their matches,
 * so that crashes, repeated runs and concurrent servers match each listing once.
 */
export async function matchAlerts({ db, clock, logger }: Context): Promise<void> {
  let all = 0;
  let found = 0;
  for (let taken = batchSize; taken === batchSize; all += taken) {
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the one before left
    const batch = await db.transaction().execute((tx) => matchBatch(tx));
    ({ taken } = batch);
    found += batch.found;
  }
  const now = clock.now().getTime();
  await deleteExpiredAlerts(db, new Date(now - deletedRetentionMs));
  await queries.deleteOldMatches(db, { live: new Date(now - newListingRetentionMs), mailed: new Date(now - matchRetentionMs) });
  if (all > 0) logger.info({ listings: all, found }, 'new listings were matched with the alerts');
}

async function matchBatch(tx: Tx): Promise<{ taken: number; found: number }> {
  const newListings = await queries.takeNewListings(tx, batchSize);
  if (newListings.length === 0) return { taken: 0, found: 0 };
  const index = createSearchIndex(tx);
  const onlyIds = newListings.map(({ id }) => id);
  let found = 0;
  for (const search of await queries.listAlertSearches(tx)) {
    // oxlint-disable-next-line no-await-in-loop -- in one transaction, one statement follows the other
    const { numbers } = await index.match({ ...search, onlyIds }, 'newest', { skip: 0, take: batchSize });
    const matching = new Set(numbers);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (matching.size > 0)
      found += await queries.recordMatches(
        tx,
        search,
        newListings.filter(({ number }) => matching.has(number)),
      );
  }
  return { taken: newListings.length, found };
}

export function alertJobs(context: Context) {
  // Before the first mails of the day in New Zealand. The second and third run repeat one that failed; after a success they find little to match.
  context.jobs.every('alerts.match-listings', '17,32,47 17 * * *', () => matchAlerts(context));
  context.jobs.every('alerts.send-emails', '*/10 * * * *', () => emailAlerts(context));
}
