import { publicName } from '@handwise/contract/accounts/public-name';
import type { AdminDraw, DrawManagement } from '@handwise/contract/draws/admin';
import type { PublicDraw } from '@handwise/contract/draws/calls';
import type { Db, Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { getContactsById } from '../accounts/accounts.service.ts';
import {
  ensurePeriod,
  countTickets,
  isMonthBefore,
  listPeriods,
  listUnmetRules,
  drawMonthAt,
  formatMonth,
  type Period,
} from '../tickets/tickets.service.ts';
import type { DrawContext } from './draws.context.ts';
import * as queries from './draws.queries.ts';
import { isClaimed, isCompleted, isNotAwarded, isOwed, isUnclaimed, isWaiting, payoutState } from './draws.states.ts';
import { findCurrentPick, listPassedOver, listReserves } from './draws.winners.ts';

/** Cache tag invalidated by any change of a draw, a few times a month. */
export const drawsTag = 'any draw';

export const drawsCachePolicy = { tags: [drawsTag], maxAgeSeconds: 60 };

type LoadedDraw = {
  period: Period;
  /** Current totals while the draw is open. */
  totals: { tickets: number; entries: number; people: number };
  draw: queries.DrawRow | undefined;
  picks: readonly queries.PickRow[];
  /** Who has the prize now. */
  winner:
    | { pick: NonNullable<ReturnType<typeof findCurrentPick>>; person: { id: string; fullName: string; email: string } | null }
    | undefined;
};

/** Newest first, with the open month even if it has no tickets yet. */
async function loadDraws(context: DrawContext): Promise<LoadedDraw[]> {
  const { db } = context;
  await ensurePeriod(context);
  const [periods, draws] = await Promise.all([listPeriods(db), queries.listDraws(db)]);
  return withWinners(db, periods.toReversed(), new Map(draws.map((draw) => [draw.id, draw])));
}

async function withWinners(db: Db, periods: readonly Period[], draws: ReadonlyMap<string, queries.DrawRow>): Promise<LoadedDraw[]> {
  const all = await queries.listPicks(db, [...draws.keys()]);
  const picks = Map.groupBy(all, (pick) => pick.draw_id);
  const people = await getContactsById(
    db,
    [...picks.values()].flatMap((ofDraw) => findCurrentPick(ofDraw)?.user_id ?? []),
  );
  return Promise.all(
    periods.map(async (period) => {
      const draw = draws.get(period.id);
      const ofDraw = picks.get(period.id) ?? [];
      const pick = findCurrentPick(ofDraw);
      const totals = draw
        ? { tickets: draw.total_tickets, entries: draw.total_entries, people: draw.total_participants }
        : await countTickets(db, { periodId: period.id });
      return {
        period,
        draw,
        totals,
        picks: ofDraw,
        winner: pick && { pick, person: people.get(pick.user_id) ?? null },
      };
    }),
  );
}

const secondsUntil = (time: Date, now: Date) => Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000));
// The beacon is asked a moment after the round is due, and again each minute.
const lateAfterMs = 60_000;

function getWaiting(draw: queries.DrawRow | undefined, now: Date) {
  if (!draw || !isWaiting(draw) || draw.round === null || !draw.expected_at) return null;
  return {
    round: draw.round,
    expectedAt: draw.expected_at.toISOString(),
    seconds: secondsUntil(draw.expected_at, now),
    late: now.getTime() > draw.expected_at.getTime() + lateAfterMs,
  };
}

function getOutcome(draw: queries.DrawRow | undefined): 'drawn' | 'no_entries' | 'not_awarded' | null {
  if (!draw || !isCompleted(draw)) return null;
  if (draw.prize === null) return 'no_entries';
  return isNotAwarded(draw) ? 'not_awarded' : 'drawn';
}

export function listStruckEntries(picks: readonly queries.PickRow[]) {
  const passedOver = listPassedOver(picks);
  return picks.flatMap(({ entry_id: entryId, ticket_index: ticketIndex, struck_at: struckAt, struck_reason: reason }) => {
    if (!struckAt || !reason) return [];
    const samePerson = (passedOver.get(entryId) ?? []).map((pick) => pick.entry_id);
    return [{ entryId, ticketIndex, reason, struckAt: struckAt.toISOString(), samePerson }];
  });
}

function toPublicDraw({ period, draw, totals, picks, winner }: LoadedDraw, now: Date): PublicDraw {
  const waiting = getWaiting(draw, now);
  return {
    period: formatMonth(period),
    year: period.year,
    month: period.month,
    status: draw?.status ?? 'open',
    startsAt: period.startsAt.toISOString(),
    closesAt: period.closesAt.toISOString(),
    closedAt: draw?.closed_at.toISOString() ?? null,
    root: draw?.root.toString('hex') ?? null,
    totalTickets: totals.tickets,
    totalEntries: totals.tickets,
    entryCount: totals.entries,
    totalParticipants: totals.people,
    prize: { amount: period.prizeDollars, currency: winner?.pick.currency ?? null },
    round:
      draw?.chain && draw.round !== null && draw.announced_at && draw.expected_at
        ? {
            number: draw.round,
            chain: draw.chain,
            announcedAt: draw.announced_at.toISOString(),
            expectedAt: draw.expected_at.toISOString(),
            secondsLeft: waiting?.seconds ?? 0,
            late: waiting?.late ?? false,
          }
        : null,
    outcome: getOutcome(draw),
    winner: winner
      ? {
          name: winner.person ? publicName(winner.person.fullName) : '',
          entryId: winner.pick.entry_id,
          ticketIndex: winner.pick.ticket_index,
          tickets: winner.pick.tickets,
          place: winner.pick.place,
          prize: payoutState(draw?.prize),
        }
      : null,
    struck: listStruckEntries(picks),
  };
}

export async function listPublicDraws(context: DrawContext): Promise<PublicDraw[]> {
  const now = context.clock.now();
  return (await loadDraws(context)).map((known) => toPublicDraw(known, now));
}

/** Throws `draw_period_not_found`. */
export async function getPublicDraw(context: DrawContext, period: string): Promise<PublicDraw> {
  const draw = (await listPublicDraws(context)).find((one) => one.period === period);
  if (!draw) throw new AppError('draw_period_not_found');
  return draw;
}

function toAdminDraw({ period, draw, totals, picks, winner }: LoadedDraw, now: Date): AdminDraw {
  const pick = winner?.pick;
  return {
    _id: period.id,
    drawDate: (draw?.closed_at ?? period.closesAt).toISOString(),
    month: period.month - 1,
    year: period.year,
    prizeAmount: period.prizeDollars,
    totalEntries: totals.tickets,
    entryCount: totals.entries,
    totalParticipants: totals.people,
    status: draw?.status ?? 'pending',
    waiting: getWaiting(draw, now),
    winner: winner
      ? {
          userId: winner.person && { _id: winner.person.id, fullName: winner.person.fullName, email: winner.person.email },
          entries: winner.pick.tickets,
          entryId: winner.pick.entry_id,
        }
      : null,
    outcome: getOutcome(draw),
    paymentStatus: draw?.prize ?? 'pending',
    currency: pick?.currency ?? null,
    claimBy: draw && isUnclaimed(draw) ? (pick?.claim_by.toISOString() ?? null) : null,
    claimedAt: pick?.claimed_at?.toISOString() ?? null,
    paidAt: draw?.paid_at?.toISOString() ?? null,
    reservesLeft: listReserves(picks).length,
    struck: listStruckEntries(picks),
  };
}

/** For administrators. After an early run this month's draw stays the current one until the month ends. */
export async function getDrawManagement(context: DrawContext): Promise<DrawManagement> {
  const now = context.clock.now();
  const month = drawMonthAt(now);
  const all = await loadDraws(context);
  const current = all.find(({ period }) => formatMonth(period) === formatMonth(month)) ?? all[0];
  if (!current) throw new Error('no draw is open');
  return {
    currentDraw: toAdminDraw(current, now),
    pastDraws: all.filter(({ period }) => isMonthBefore(period, month)).map((known) => toAdminDraw(known, now)),
    totalEntries: current.totals.tickets,
    entryCount: current.totals.entries,
    totalParticipants: current.totals.people,
    pendingPayments: all.filter(({ draw }) => draw !== undefined && isOwed(draw)).length,
    unmetRules: await listUnmetRules(context.db, current.period),
  };
}

/** Throws `draw_not_found`. */
export async function getAdminDraw(context: DrawContext, id: string): Promise<AdminDraw> {
  const draw = (await loadDraws(context)).find(({ period }) => period.id === id);
  if (!draw) throw new AppError('draw_not_found');
  return toAdminDraw(draw, context.clock.now());
}

// A closing takes seconds, and a round is out seconds after its time; both are tried again each minute.
const tooLateMs = 10 * 60_000;

/** Steps of draws that wait for a person: a claimed prize, and what should have happened by itself. */
export async function listDrawWork(db: Reader, now: Date) {
  const [periods, draws] = await Promise.all([listPeriods(db), queries.listDraws(db)]);
  const isLate = (time: Date | null): time is Date => time !== null && now.getTime() - time.getTime() > tooLateMs;
  const monthOf = new Map(periods.map((period) => [period.id, { year: period.year, month: period.month }]));
  const claimed = draws.filter(isClaimed);
  const picks = Map.groupBy(
    await queries.listPicks(
      db,
      claimed.map(({ id }) => id),
    ),
    (pick) => pick.draw_id,
  );
  const steps = [
    ...claimed.map(({ id }) => ({ id, step: 'pay' as const, since: findCurrentPick(picks.get(id) ?? [])?.claimed_at ?? null })),
    ...draws
      .filter((draw) => isWaiting(draw) && isLate(draw.expected_at))
      .map(({ id, expected_at: since }) => ({ id, step: 'round' as const, since })),
    ...periods
      .filter(({ closedAt, closesAt }) => closedAt === null && isLate(closesAt))
      .map(({ id, closesAt: since }) => ({ id, step: 'close' as const, since })),
  ];
  return steps.flatMap(({ id, step, since }) => {
    const month = monthOf.get(id);
    return month && since ? { ...month, step, since } : [];
  });
}
