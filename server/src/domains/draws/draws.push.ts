import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { listUsersWithDevices, sendPushToMany } from '../push/push.service.ts';
import { formatMonth, getPeriod, listEntrantsAmong } from '../tickets/tickets.service.ts';
import * as queries from './draws.queries.ts';

/** Queued when a draw with entries has its result. */
export const pushResultJob = defineJob<{ drawId: string }>('draws.push-result');

/**
 * Notifies everyone with tickets in a draw of its result, in batches. The draw's row holds how far it came, so a second run or server sends nothing
 * twice.
 */
export async function pushResult(context: Pick<Context, 'db' | 'jobs'>, drawId: string, batchSize = 500): Promise<void> {
  for (let found = batchSize; found === batchSize;) {
    found = await context.db.transaction().execute((tx) => pushBatch(tx, context, drawId, batchSize));
  }
}

async function pushBatch(tx: Tx, { jobs }: Pick<Context, 'jobs'>, drawId: string, batchSize: number): Promise<number> {
  const draw = await queries.lockDraw(tx, drawId);
  if (!draw) return 0;
  // Fewer users have a device than tickets, so devices come first.
  const userIds = await listUsersWithDevices(tx, draw.result_pushed_to, batchSize);
  const last = userIds.at(-1);
  if (last === undefined) return 0;
  const winners = await findWinners(tx, drawId);
  const entrants = await listEntrantsAmong(tx, drawId, userIds);
  await sendPushToMany(
    tx,
    { jobs },
    entrants.filter((userId) => !winners.has(userId)),
    {
      title: 'The result of the monthly draw is out',
      path: paths.draw(formatMonth(await getPeriod(tx, drawId))),
      tag: `draw-${drawId}`,
    },
  );
  await queries.setResultPushedTo(tx, drawId, last);
  return userIds.length;
}

/** Everyone who has or had the prize; they are notified of that instead. */
async function findWinners(tx: Tx, drawId: string): Promise<Set<string>> {
  const won = (await queries.listPicks(tx, [drawId])).filter((pick) => pick.won_at !== null);
  return new Set(won.map((pick) => pick.user_id));
}
