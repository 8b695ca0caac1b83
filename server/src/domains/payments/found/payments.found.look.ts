import { listDisputes } from '../disputes/payments.disputes.queries.ts';
import { hearOfDispute, hearOfWarning } from '../disputes/payments.disputes.hear.ts';
import { listDisputesBetween, listRefundsOf, listWarningsOf } from '../audit/payments.audit-queries.ts';
import { accountName, belongsTo } from '../customers/payments.account.ts';
import { hearOfIntent } from '../intents/payments.settle.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { isPaid } from '../intents/payments.states.ts';
import type { Parts } from '../payments.parts.ts';
import { abandonedAfterHours } from '../payments.rules.ts';
import { hearOfRefund } from '../refunds/payments.refunds.hear.ts';
import * as queries from './payments.found.queries.ts';
import { sendFoundBack } from './payments.found.return.ts';

const hour = 3_600_000;
// What was begun a day ago can still have been paid by now.
const overlap = (abandonedAfterHours + 1) * hour;

/**
 * Holds the provider's lists against the books since the last time that this was done, and hears of what they do not know as if its message
 * had just come. How far it got stands in the database: in one that was restored from a backup it reaches back to that backup.
 */
export async function lookAtProvider(parts: Parts): Promise<void> {
  const { db, clock } = parts.context;
  if (await haveOthersKeys(parts)) return;
  const now = clock.now();
  const { looked_until: before } = await queries.findSite(db);
  const created = { gte: Math.floor((Math.min(before.getTime(), now.getTime()) - overlap) / 1000) };
  const failures: unknown[] = [];
  const trying = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      // One that cannot be booked does not keep the others from it.
      failures.push(error);
    }
  };
  const { paymentIntents, refunds, disputes, radar } = parts.stripe;
  await inPages(paymentIntents.list({ created, limit: 100 }), async (page) => {
    const known = new Map((await queries.listKnownIntents(db, idsOf(page))).map((row) => [row.intent_id, row.status]));
    const found = new Set((await queries.listFoundOf(db, idsOf(page))).map((row) => row.intent_id));
    for (const intent of page) {
      const { id, metadata } = intent;
      const status = known.get(id);
      if (intent.status !== 'succeeded' || !metadata['paymentId'] || found.has(id) || (status && isPaid({ status }))) continue;
      await trying(() => hearOfIntent(parts, id));
    }
  });
  await inPages(refunds.list({ created, limit: 100 }), async (page) => {
    const known = new Map((await listRefundsOf(db, idsOf(page))).map((row) => [row.provider_id, row.status]));
    for (const { id } of page) if (!known.has(id)) await trying(() => hearOfRefund(parts, id));
  });
  await inPages(disputes.list({ created, limit: 100 }), async (page) => {
    const rows = await listDisputesBetween(db, { from: now, to: now }, idsOf(page));
    const known = new Map(rows.map((row) => [row.provider_id, row.status as string]));
    for (const { id, status } of page) if (known.get(id) !== status) await trying(() => hearOfDispute(parts, id));
  });
  await inPages(radar.earlyFraudWarnings.list({ created, limit: 100 }), async (page) => {
    const known = new Set(await listWarningsOf(db, idsOf(page)));
    for (const { id } of page) if (!known.has(id)) await trying(() => hearOfWarning(parts, id));
  });
  // Older ones may have been decided in what was lost.
  for (const { provider_id: id } of await listDisputes(db, { open: true, skip: 0, take: 1_000 }))
    await trying(() => ifThere(hearOfDispute(parts, id)));
  for (const { intent_id: id } of await queries.listUnreturned(db)) await trying(() => ifThere(sendFoundBack(parts, id)));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} things that the provider knows could not be booked`);
  await queries.setLookedUntil(db, now);
}

/**
 * Whether our keys are of another account or mode than those that payments were made with last, as after a restore with the wrong ones. Then its
 * lists say nothing of what is lost, and they must not count as looked through: with the right keys the look goes on where it was.
 */
async function haveOthersKeys({ account, context: { db, logger } }: Parts): Promise<boolean> {
  const here = await account.ask();
  const newest = await queries.findNewestBelonging(db);
  if (!newest || belongsTo(newest, here)) return false;
  const madeWith = accountName({ id: newest.account, livemode: newest.livemode === true });
  logger.error(
    { keys: accountName(here), payments: madeWith },
    `the keys of the payment provider are of ${accountName(here)}, the newest payments were made with those of ${madeWith}: nothing is looked for until the keys are right, or somebody has paid with these`,
  );
  return true;
}

// What was made with the keys of an account that we have left is not there, and keeps nothing else from being looked for.
const ifThere = (work: Promise<void>) =>
  work.catch((error: unknown) => {
    if (!isMissingAtProvider(error)) throw error;
  });

const idsOf = (page: readonly { id: string }[]) => page.map(({ id }) => id);

const pageSize = 100;

/** Works through a list of the provider's a page at a time. */
async function inPages<T>(list: AsyncIterable<T>, work: (page: T[]) => Promise<void>): Promise<void> {
  const read = list[Symbol.asyncIterator]();
  for (let isOver = false; !isOver;) {
    const page: T[] = [];
    while (page.length < pageSize) {
      const next = await atProvider(read.next());
      if (next.done) {
        isOver = true;
        break;
      }
      page.push(next.value);
    }
    if (page.length > 0) await work(page);
  }
}
