import type { DrawTerms } from '@handwise/contract/tickets/calls';
import type { Clock } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { TicketContext } from './tickets.context.ts';
import { LogEnd } from './tickets.log.ts';
import * as queries from './tickets.queries.ts';
import { monthOf, monthText, periodAfter } from './tickets.rules.ts';
import { termsOf } from './tickets.terms.ts';

/** One month of the draw. `closedAt` is null while tickets can still be added to it or closing is due. */
export type Period = {
  id: string;
  year: number;
  month: number;
  startsAt: Date;
  closesAt: Date;
  closedAt: Date | null;
  origin: string;
  logSize: number;
};

export const asPeriod = (row: queries.PeriodRow): Period => ({
  id: row.id,
  year: row.year,
  month: row.month,
  startsAt: row.starts_at,
  closesAt: row.closes_at,
  closedAt: row.closed_at,
  origin: row.origin,
  logSize: row.log_size,
});

export async function findPeriod(db: Reader, year: number, month: number): Promise<Period | undefined> {
  const row = await queries.findPeriod(db, year, month);
  return row && asPeriod(row);
}

/** The period of an address such as 2026-11. Throws `draw_period_not_found`. */
export async function periodOf(db: Reader, text: string): Promise<Period> {
  const { year, month } = monthOf(text);
  const period = await findPeriod(db, year, month);
  if (!period) throw new AppError('draw_period_not_found');
  return period;
}

export const listPeriods = async (db: Reader): Promise<Period[]> => (await queries.listPeriods(db)).map(asPeriod);

const runs = (row: queries.PeriodRow | undefined, now: Date): row is queries.PeriodRow =>
  row !== undefined && row.closed_at === null && now < row.closes_at;

/** The period that tickets go to now; undefined where the first ticket has yet to begin it. */
export async function runningPeriod(db: Reader, clock: Clock): Promise<Period | undefined> {
  const last = await queries.findLastPeriod(db);
  return runs(last, clock.now()) ? asPeriod(last) : undefined;
}

/**
 * The running period under its lock, and the moment from which on this transaction is the only one to write into its log. The last lock of a
 * transaction, but for the counters of live events.
 */
export async function lockRunningPeriod(context: TicketContext, tx: Tx): Promise<{ row: queries.PeriodRow; now: Date }> {
  for (;;) {
    const last = await queries.findLastPeriod(tx);
    if (!runs(last, context.clock.now())) {
      await begin(context, tx, last);
      continue;
    }
    const row = await queries.lockPeriod(tx, last.id);
    // It may have been closed, or its time have come, while we waited.
    const now = context.clock.now();
    if (runs(row, now)) return { row, now };
  }
}

/** Writes down what the next month is, once, with its terms and the head of its empty log. */
async function begin(context: TicketContext, tx: Tx, last: queries.PeriodRow | undefined): Promise<void> {
  const { clock, logKey, appUrl, logger } = context;
  const next = periodAfter(last && { ...last, closesAt: last.closes_at, closedAt: last.closed_at }, clock.now());
  const period = { ...next, origin: `${new URL(appUrl).host}/draws/${monthText(next)}` };
  const terms = termsOf(period, logKey.publicKey);
  const made = await queries.insertPeriod(tx, {
    year: period.year,
    month: period.month,
    starts_at: period.startsAt,
    closes_at: period.closesAt,
    origin: period.origin,
    terms: JSON.stringify(terms),
  });
  if (!made) return;
  await new LogEnd(tx, await queries.lockPeriod(tx, made.id)).sign(context);
  if (terms.unmet.length > 0) {
    logger.warn({ unmet: terms.unmet }, `the draw of ${terms.period} does not meet every rule of promotions; see its terms`);
  }
}

/**
 * Begins the month that is due, so that its terms hold from its beginning and not from its first ticket on. Says so where the heads of the
 * running month are signed with another key than its terms name.
 */
export async function beginPeriod(context: TicketContext): Promise<void> {
  const { db, clock, logKey, logger } = context;
  const running = await runningPeriod(db, clock);
  if (!running) {
    await db.transaction().execute((tx) => lockRunningPeriod(context, tx));
    return;
  }
  const { log } = await queries.findTerms(db, running.id);
  if (log.publicKey !== Buffer.from(logKey.publicKey).toString('hex')) {
    logger.error(
      { named: log.publicKey },
      `LOG_KEY is not the key that the terms of ${monthText(running)} name: nobody can verify its heads`,
    );
  }
}

/** The terms of a month, or of the one that runs. Throws `draw_period_not_found`. */
export async function readTerms(context: TicketContext, text: string): Promise<DrawTerms> {
  const { db, clock } = context;
  if (text === 'current') await beginPeriod(context);
  const period = text === 'current' ? await runningPeriod(db, clock) : await periodOf(db, text);
  if (!period) throw new AppError('draw_period_not_found');
  const { unmet: _, ...terms } = await queries.findTerms(db, period.id);
  return terms;
}

/** Which promotion rules a month's draw did not meet when it began. */
export const listUnmetRules = async (db: Reader, { id }: Pick<Period, 'id'>) => (await queries.findTerms(db, id)).unmet;
