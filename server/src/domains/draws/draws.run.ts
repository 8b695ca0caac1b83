import { firstRoundFrom, roundTime, secondsToRound, deriveRandomness } from '@handwise/proof/beacon';
import { type Entry, pickEntries } from '@handwise/proof/draw';
import type { Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { closePeriod, findPeriod, listPeriods, drawMonthAt, type Period } from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import { pushResultJob } from './draws.push.ts';
import * as queries from './draws.queries.ts';
import { buildDrawFiles } from './draws.rules.ts';
import { isWaiting, setCompleted } from './draws.states.ts';
import { awardNext } from './draws.winners.ts';

/** Scheduled for the moment when the announced round is out. */
export const completeDrawsJob = defineJob<{ drawId: string }>('draws.find-round', { retryLimit: 0 });

type AnnouncedRound = { round: number; expectedAt: Date };

/** The least time between the end of closing and the announced round. */
const minWaitSeconds = 5;

/** Closes every month past its closing time, including those that ended while no server ran. */
export async function closeDueDraws(context: DrawContext): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  for (const period of await listPeriods(db)) {
    if (period.closedAt !== null || period.closesAt > now) continue;
    try {
      await db.transaction().execute((tx) => closeDraw(tx, context, period, { byHand: false }));
    } catch (error) {
      // The next run retries it; other months go on.
      logger.error({ err: error, periodId: period.id }, 'a month could not be closed');
    }
  }
}

/**
 * "Run Draw Now": closes this month's draw. Throws `no_entries_to_draw`, `draw_run_already`, and `unavailable` if closing took so long that the
 * announced round would be out before the entries are published.
 */
export async function runDraw(context: DrawContext, adminId: string, reason: string | undefined): Promise<AnnouncedRound> {
  const { db, clock } = context;
  return db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const { year, month } = drawMonthAt(clock.now());
    const period = await findPeriod(tx, year, month);
    if (!period) throw new AppError('no_entries_to_draw');
    const closed = await closeDraw(tx, context, period, { byHand: true });
    if (closed === 'closed already') throw new AppError('draw_run_already');
    // Rolls back, so the month stays open.
    if (closed === 'no entries') throw new AppError('no_entries_to_draw');
    const action = { draw_id: period.id, administrator_id: adminId, action: 'run', reason: reason ?? null } as const;
    await queries.insertAction(tx, { ...action, done_at: clock.now() });
    return closed;
  });
}

/** Freezes and publishes the entries and announces a future round. A draw without entries is completed at once. */
async function closeDraw(
  tx: Tx,
  context: DrawContext,
  period: Period,
  { byHand }: { byHand: boolean },
): Promise<AnnouncedRound | 'no entries' | 'closed already'> {
  const { jobs, clock, beacon } = context;
  const closed = await closePeriod(tx, context, period);
  if (!closed) return 'closed already';
  const { closedAt, entries } = closed;
  const { root, ...files } = buildDrawFiles(entries);
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
  // A round that is known before the entries are fixed could be exploited.
  if (wait < minWaitSeconds) throw new AppError('unavailable', { retryAfterSeconds: 1 });
  await jobs.send(tx, completeDrawsJob, { drawId: period.id }, { startAfterSeconds: Math.ceil(wait) + 1 });
  return { round, expectedAt };
}

/** Completes every draw whose announced round is out. While the beacon does not answer the draw waits: no other round is ever used. */
export async function completeDueDraws(context: DrawContext): Promise<void> {
  const { db, clock, logger } = context;
  for (const draw of await queries.listDueDraws(db, clock.now())) {
    try {
      await completeDraw(context, draw);
    } catch (error) {
      logger.error({ err: error, drawId: draw.id, round: draw.round }, 'the announced round could not be read; the draw waits');
    }
  }
}

async function completeDraw(context: DrawContext, { id, chain, round }: queries.DrawRow): Promise<void> {
  const { db, jobs, clock, beacon, logger } = context;
  if (round === null) return;
  if (chain !== beacon.chain.name) throw new Error(`round ${round} is one of ${chain}, but this server reads ${beacon.chain.name}`);
  const signature = await beacon.signatureOf(round);
  if (signature === null) {
    logger.warn({ drawId: id, round }, 'the announced round is due but not published yet; the draw waits');
    return;
  }
  const randomness = deriveRandomness(signature);
  if (randomness === null) throw new Error(`round ${round} has no signature`);
  await db.transaction().execute(async (tx) => {
    const draw = await queries.lockDraw(tx, id);
    if (!draw || !isWaiting(draw)) return;
    const entries = JSON.parse((await queries.readEntries(tx, id)).toString()) as Entry[];
    const picks = pickEntries(entries, randomness, draw.root.toString('hex'));
    await queries.insertPicks(
      tx,
      picks.map(({ entryId, ticketIndex }, place) => ({ draw_id: id, place, entry_id: entryId, ticket_index: ticketIndex })),
    );
    const prize = await awardNext(tx, context, draw);
    await setCompleted(tx, draw, {
      completed_at: clock.now(),
      signature: Buffer.from(signature, 'hex'),
      randomness: Buffer.from(randomness, 'hex'),
      prize,
    });
    await jobs.send(tx, pushResultJob, { drawId: id });
  });
}
