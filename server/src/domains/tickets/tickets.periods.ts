import type { DrawOpening } from '@handwise/contract/draws/permits';
import type { DrawTerms } from '@handwise/contract/tickets/calls';
import { planPromotion } from '@handwise/contract/tickets/promotion-rules';
import type { Clock } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { TicketContext } from './tickets.context.ts';
import { TicketLogWriter } from './tickets.log.ts';
import * as queries from './tickets.queries.ts';
import { parseMonth, formatMonth, nextPeriod } from './tickets.rules.ts';
import { createTerms } from './tickets.terms.ts';

/** One month of the draw. `closedAt` is null while it is open, also after its closing time. */
export type Period = {
  id: string;
  year: number;
  month: number;
  startsAt: Date;
  closesAt: Date;
  closedAt: Date | null;
  origin: string;
  logSize: number;
  prizeDollars: number;
} & DrawOpening;

export const toPeriod = (row: queries.PeriodRow): Period => ({
  id: row.id,
  year: row.year,
  month: row.month,
  startsAt: row.starts_at,
  closesAt: row.closes_at,
  closedAt: row.closed_at,
  origin: row.origin,
  logSize: row.log_size,
  prizeDollars: row.prize_minor / 100,
  permits: row.permits ?? [],
  leftOut: row.left_out ?? [],
});

export async function findPeriod(db: Reader, year: number, month: number): Promise<Period | undefined> {
  const row = await queries.findPeriodRow(db, year, month);
  return row && toPeriod(row);
}

/** What the newest draw was announced with. Undefined before the first one. */
export const findAnnounced = async (db: Reader): Promise<(DrawOpening & { prize: number }) | undefined> => {
  const last = await queries.findLastPeriodRow(db);
  if (!last) return undefined;
  const { prizeDollars: prize, permits, leftOut } = toPeriod(last);
  return { prize, permits, leftOut };
};

/** `text` is a month such as 2026-11. Throws `draw_period_not_found`. */
export async function getPeriodByMonth(db: Reader, text: string): Promise<Period> {
  const { year, month } = parseMonth(text);
  const period = await findPeriod(db, year, month);
  if (!period) throw new AppError('draw_period_not_found');
  return period;
}

export const listPeriods = async (db: Reader): Promise<Period[]> => (await queries.listPeriodRows(db)).map(toPeriod);

/** A draw and its period share one id. */
export async function getPeriod(db: Reader, id: string): Promise<Period> {
  const period = (await listPeriods(db)).find((one) => one.id === id);
  if (!period) throw new Error(`there is no period ${id}`);
  return period;
}

const isRunning = (row: queries.PeriodRow | undefined, now: Date): row is queries.PeriodRow =>
  row !== undefined && row.closed_at === null && now < row.closes_at;

/** The period that tickets are issued in now; undefined until `ensurePeriod` or the first ticket creates it. */
export async function findRunningPeriod(db: Reader, clock: Clock): Promise<Period | undefined> {
  const last = await queries.findLastPeriodRow(db);
  return isRunning(last, clock.now()) ? toPeriod(last) : undefined;
}

/**
 * Locks the running period, creating it if needed; from `now` on only this transaction can append to its log. This is the last lock of a
 * transaction except for the counters of live events.
 */
export async function lockRunningPeriod(context: TicketContext, tx: Tx): Promise<{ row: queries.PeriodRow; now: Date }> {
  for (;;) {
    const last = await queries.findLastPeriodRow(tx);
    if (!isRunning(last, context.clock.now())) {
      await createNextPeriod(context, tx, last);
      continue;
    }
    const row = await queries.lockPeriod(tx, last.id);
    // It may have been closed, or passed its closing time, during the wait.
    const now = context.clock.now();
    if (isRunning(row, now)) return { row, now };
  }
}

/** Creates the next month once, with its terms and the head of its empty log. */
async function createNextPeriod(context: TicketContext, tx: Tx, last: queries.PeriodRow | undefined): Promise<void> {
  const { clock, logKey, appUrl, logger, findPromotion } = context;
  const next = nextPeriod(last && { ...last, closesAt: last.closes_at, closedAt: last.closed_at }, clock.now());
  const period = { ...next, origin: `${new URL(appUrl).host}/draws/${formatMonth(next)}` };
  const terms = createTerms(period, planPromotion(await findPromotion(tx)), logKey.publicKey);
  const made = await queries.insertPeriod(tx, {
    year: period.year,
    month: period.month,
    starts_at: period.startsAt,
    closes_at: period.closesAt,
    origin: period.origin,
    terms: JSON.stringify(terms),
  });
  if (!made) return;
  await new TicketLogWriter(tx, await queries.lockPeriod(tx, made.id)).sign(context);
  if (terms.unmet.length > 0) {
    logger.warn({ unmet: terms.unmet }, `the draw of ${terms.period} does not meet every rule of promotions; see its terms`);
  }
}

/**
 * Creates the running month if it is missing, so that its terms do not wait for its first ticket. Logs an error if LOG_KEY is not the key that the
 * terms name.
 */
export async function ensurePeriod(context: TicketContext): Promise<void> {
  const { db, clock, logKey, logger } = context;
  const running = await findRunningPeriod(db, clock);
  if (!running) {
    await db.transaction().execute((tx) => lockRunningPeriod(context, tx));
    return;
  }
  const { log } = await queries.getStoredTerms(db, running.id);
  if (log.publicKey !== Buffer.from(logKey.publicKey).toString('hex')) {
    logger.error(
      { named: log.publicKey },
      `LOG_KEY is not the key that the terms of ${formatMonth(running)} name: its heads cannot be verified`,
    );
  }
}

/** The terms of a month or of `current`. Throws `draw_period_not_found`. */
export async function getTerms(context: TicketContext, text: string): Promise<DrawTerms> {
  const { db, clock } = context;
  if (text === 'current') await ensurePeriod(context);
  const period = text === 'current' ? await findRunningPeriod(db, clock) : await getPeriodByMonth(db, text);
  if (!period) throw new AppError('draw_period_not_found');
  const { unmet: _, ...terms } = await queries.getStoredTerms(db, period.id);
  return terms;
}

/** The promotion rules that a month's draw did not meet when it was created. */
export const listUnmetRules = async (db: Reader, { id }: Pick<Period, 'id'>) => (await queries.getStoredTerms(db, id)).unmet;
