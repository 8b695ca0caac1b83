import { firstRoundFrom, roundTime, secondsToRound } from '@handwise/proof/beacon';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { closePeriod, findPeriod, listPeriods, drawMonthAt, type Period } from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import * as queries from './draws.queries.ts';
import { filesOf } from './draws.rules.ts';

/** Looks for the announced round of a draw when it should be out. */
export const findRound = defineJob<{ drawId: string }>('draws.find-round', { retryLimit: 0 });

type Announced = { round: number; expectedAt: Date };

/** Between the end of the closing and the announced round. */
const leastWaitSeconds = 5;

/** Closes every month whose time has come: also those that ended while no server ran, with the entries that were in time. */
export async function closeDueDraws(context: DrawContext): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  for (const period of await listPeriods(db)) {
    if (period.closedAt !== null || period.closesAt > now) continue;
    try {
      await db.transaction().execute((tx) => close(tx, context, period, { byHand: false }));
    } catch (error) {
      // The next turn is its retry; another month is not kept waiting.
      logger.error({ err: error, periodId: period.id }, 'a month could not be closed');
    }
  }
}

/**
 * "Run Draw Now": closes this month's draw at this moment. Throws `no_entries_to_draw`, `draw_run_already`, and `unavailable` where the
 * closing took so long that the announced round would be out before it is published.
 */
export async function runDraw(context: DrawContext, adminId: string, reason: string | undefined): Promise<Announced> {
  const { db, clock } = context;
  return db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const { year, month } = drawMonthAt(clock.now());
    const period = await findPeriod(tx, year, month);
    if (!period) throw new AppError('no_entries_to_draw');
    const closed = await close(tx, context, period, { byHand: true });
    if (closed === 'closed already') throw new AppError('draw_run_already');
    // Rolled back: the month goes on.
    if (closed === 'no entries') throw new AppError('no_entries_to_draw');
    const action = { draw_id: period.id, administrator_id: adminId, action: 'run', reason: reason ?? null } as const;
    await queries.insertAction(tx, { ...action, done_at: clock.now() });
    return closed;
  });
}

/** Freezes and publishes the entries with a round that is still to come. Without entries nothing is drawn. */
async function close(
  tx: Tx,
  context: DrawContext,
  period: Period,
  { byHand }: { byHand: boolean },
): Promise<Announced | 'no entries' | 'closed already'> {
  const { jobs, clock, beacon } = context;
  const closed = await closePeriod(tx, context, period);
  if (!closed) return 'closed already';
  const { closedAt, entries } = closed;
  const { root, ...files } = filesOf(entries);
  const draw = {
    id: period.id,
    closed_at: closedAt,
    by_hand: byHand,
    root,
    total_tickets: closed.totalTickets,
    total_entries: entries.length,
    total_participants: closed.participants,
    voided: JSON.stringify(closed.voided),
    log: JSON.stringify(closed.log),
  };
  if (entries.length === 0) {
    await queries.insertDraw(tx, { ...draw, status: 'completed', completed_at: closedAt });
    await queries.insertFiles(tx, { ...files, draw_id: period.id });
    return 'no entries';
  }
  const { chain } = beacon;
  const round = firstRoundFrom(chain, closedAt.getTime() + (byHand ? secondsToRound.byHand : secondsToRound.monthEnd) * 1000);
  const expectedAt = new Date(roundTime(chain, round));
  const announced = { chain: chain.name, round, announced_at: closedAt, expected_at: expectedAt };
  await queries.insertDraw(tx, { ...draw, ...announced, status: 'waiting' });
  await queries.insertFiles(tx, { ...files, draw_id: period.id });
  const wait = (expectedAt.getTime() - clock.now().getTime()) / 1000;
  // Whoever could see the round before the entries are fixed could choose them.
  if (wait < leastWaitSeconds) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  await jobs.send(tx, findRound, { drawId: period.id }, { startAfterSeconds: Math.ceil(wait) + 1 });
  return { round, expectedAt };
}
