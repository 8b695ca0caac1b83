import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { openIndex } from '../search/search.service.ts';
import { deleteForGood } from './alerts.queries.ts';
import * as queries from './alerts.jobs.queries.ts';
import { mailAlerts } from './alerts.mailing.ts';

/** So many new listings at once are matched: no more than a search counts exactly. */
const atOnce = 1_000;

/** A new listing that is not on the site is new for so long. */
const newForMs = 7 * dayMs;
const mailedForMs = 60 * dayMs;
const undoneForMs = dayMs;

/**
 * Matches what went live since the last run with all alerts. A listing is taken in the transaction that writes down which alerts find it:
 * killed, run twice or on two servers, each is found once.
 */
export async function matchAlerts({ db, clock, logger }: Context): Promise<void> {
  let all = 0;
  let found = 0;
  for (let taken = atOnce; taken === atOnce; all += taken) {
    // oxlint-disable-next-line no-await-in-loop -- each turn takes what the one before left
    const turn = await db.transaction().execute((tx) => matchSome(tx));
    ({ taken } = turn);
    found += turn.found;
  }
  const now = clock.now().getTime();
  await deleteForGood(db, new Date(now - undoneForMs));
  await queries.forgetBefore(db, { live: new Date(now - newForMs), mailed: new Date(now - mailedForMs) });
  if (all > 0) logger.info({ listings: all, found }, 'new listings were matched with the alerts');
}

async function matchSome(tx: Tx): Promise<{ taken: number; found: number }> {
  const fresh = await queries.takeNew(tx, atOnce);
  if (fresh.length === 0) return { taken: 0, found: 0 };
  const index = openIndex(tx);
  const among = fresh.map(({ id }) => id);
  let found = 0;
  for (const search of await queries.listSearches(tx)) {
    // oxlint-disable-next-line no-await-in-loop -- in one transaction, one statement follows the other
    const { numbers } = await index.match({ ...search, among }, 'newest', { skip: 0, take: atOnce });
    const matching = new Set(numbers);
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (matching.size > 0)
      found += await queries.noteFinds(
        tx,
        search,
        fresh.filter(({ number }) => matching.has(number)),
      );
  }
  return { taken: fresh.length, found };
}

export function alertJobs(context: Context) {
  // Before the first mails of the day in New Zealand.
  context.jobs.every('alerts.match', '17 17 * * *', () => matchAlerts(context));
  context.jobs.every('alerts.mail', '*/10 * * * *', () => mailAlerts(context));
}
