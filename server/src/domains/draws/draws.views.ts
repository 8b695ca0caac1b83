import type { PublicDraw } from '@handwise/contract/draws/calls';
import { prizeDollars } from '@handwise/contract/draws/prize';
import type { AdminDraw, DrawManagement } from '@handwise/contract/draws/admin';
import { publicName } from '@handwise/contract/accounts/public-name';
import type { Db } from '../../kit/database/database.ts';
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
import { isCompleted, isNobodys, isOwed, isUnclaimed, isWaiting, wayOf } from './draws.states.ts';
import { currentPick, findOwners, listPassedOver, listReserves } from './draws.winners.ts';

/** What changes with any draw: told a few times a month. */
export const anyDraw = 'any draw';

/** What pages with draws show. Such a page may be a minute old. */
export const cachePolicyOfDraws = { tags: [anyDraw], maxAgeSeconds: 60 };

/** A month's draw with all that is known of it. */
type Known = {
  period: Period;
  /** Of a draw that is still open: as they are now. */
  totals: { tickets: number; entries: number; people: number };
  draw: queries.DrawRow | undefined;
  picks: readonly queries.PickRow[];
  owners: Awaited<ReturnType<typeof findOwners>>;
  /** Whose the prize is, or was to be when nobody is left. */
  winner: { pick: queries.PickRow; tickets: number; person: { id: string; fullName: string; email: string } | null } | undefined;
};

/** All draws, the newest first, and the one that is open now, also where nobody has a ticket in it yet. */
async function listKnown(context: DrawContext): Promise<Known[]> {
  const { db } = context;
  await ensurePeriod(context);
  const [periods, draws] = await Promise.all([listPeriods(db), queries.listDraws(db)]);
  return withWinners(db, periods.toReversed(), new Map(draws.map((draw) => [draw.id, draw])));
}

async function withWinners(db: Db, periods: readonly Period[], draws: ReadonlyMap<string, queries.DrawRow>): Promise<Known[]> {
  const all = await queries.listPicks(db, [...draws.keys()]);
  const owners = await findOwners(db, all);
  const picks = Map.groupBy(all, (pick) => pick.draw_id);
  const people = await getContactsById(
    db,
    [...picks.values()].flatMap((ofDraw) => owners.get(currentPick(ofDraw)?.entry_id ?? '')?.userId ?? []),
  );
  return Promise.all(
    periods.map(async (period) => {
      const draw = draws.get(period.id);
      const ofDraw = picks.get(period.id) ?? [];
      const pick = currentPick(ofDraw);
      const entry = pick && owners.get(pick.entry_id);
      const totals = draw
        ? { tickets: draw.total_tickets, entries: draw.total_entries, people: draw.total_participants }
        : await countTickets(db, { periodId: period.id });
      return {
        period,
        draw,
        totals,
        picks: ofDraw,
        owners,
        winner: pick && entry ? { pick, tickets: entry.tickets, person: people.get(entry.userId) ?? null } : undefined,
      };
    }),
  );
}

const secondsUntil = (time: Date, now: Date) => Math.max(0, Math.ceil((time.getTime() - now.getTime()) / 1000));
// The beacon is asked a moment after the round is due, and again each minute.
const lateAfterMs = 60_000;

function waitingOf(draw: queries.DrawRow | undefined, now: Date) {
  if (!draw || !isWaiting(draw) || draw.round === null || !draw.expected_at) return null;
  return {
    round: draw.round,
    expectedAt: draw.expected_at.toISOString(),
    seconds: secondsUntil(draw.expected_at, now),
    late: now.getTime() > draw.expected_at.getTime() + lateAfterMs,
  };
}

function outcomeOf(draw: queries.DrawRow | undefined): 'drawn' | 'no_entries' | 'not_awarded' | null {
  if (!draw || !isCompleted(draw)) return null;
  if (draw.prize === null) return 'no_entries';
  return isNobodys(draw) ? 'not_awarded' : 'drawn';
}

export function struckOf(picks: readonly queries.PickRow[], owners: Known['owners']) {
  const passedOver = listPassedOver(picks, owners);
  return picks.flatMap(({ entry_id: entryId, ticket_index: ticketIndex, struck_at: struckAt, struck_reason: reason }) => {
    if (!struckAt || !reason) return [];
    const samePerson = (passedOver.get(entryId) ?? []).map((pick) => pick.entry_id);
    return [{ entryId, ticketIndex, reason, struckAt: struckAt.toISOString(), samePerson }];
  });
}

function asPublic({ period, draw, totals, picks, owners, winner }: Known, now: Date): PublicDraw {
  const waiting = waitingOf(draw, now);
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
    prize: { amount: prizeDollars, currency: winner?.pick.currency ?? null },
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
    outcome: outcomeOf(draw),
    winner: winner
      ? {
          name: winner.person ? publicName(winner.person.fullName) : '',
          entryId: winner.pick.entry_id,
          ticketIndex: winner.pick.ticket_index,
          tickets: winner.tickets,
          place: winner.pick.place,
          prize: wayOf(draw?.prize),
        }
      : null,
    struck: struckOf(picks, owners),
  };
}

export async function listPublicDraws(context: DrawContext): Promise<PublicDraw[]> {
  const now = context.clock.now();
  return (await listKnown(context)).map((known) => asPublic(known, now));
}

/** Throws `draw_period_not_found`. */
export async function getPublicDraw(context: DrawContext, period: string): Promise<PublicDraw> {
  const draw = (await listPublicDraws(context)).find((one) => one.period === period);
  if (!draw) throw new AppError('draw_period_not_found');
  return draw;
}

function asAdminDraw({ period, draw, totals, picks, owners, winner }: Known, now: Date): AdminDraw {
  const pick = winner?.pick;
  return {
    _id: period.id,
    drawDate: (draw?.closed_at ?? period.closesAt).toISOString(),
    month: period.month - 1,
    year: period.year,
    prizeAmount: prizeDollars,
    totalEntries: totals.tickets,
    entryCount: totals.entries,
    totalParticipants: totals.people,
    status: draw?.status ?? 'pending',
    waiting: waitingOf(draw, now),
    winner: winner
      ? {
          userId: winner.person && { _id: winner.person.id, fullName: winner.person.fullName, email: winner.person.email },
          entries: winner.tickets,
          entryId: winner.pick.entry_id,
        }
      : null,
    outcome: outcomeOf(draw),
    paymentStatus: draw?.prize ?? 'pending',
    currency: pick?.currency ?? null,
    claimBy: draw && isUnclaimed(draw) ? (pick?.claim_by?.toISOString() ?? null) : null,
    claimedAt: pick?.claimed_at?.toISOString() ?? null,
    paidAt: draw?.paid_at?.toISOString() ?? null,
    reservesLeft: listReserves(picks, owners).length,
    struck: struckOf(picks, owners),
  };
}

/** For administrators. After an early run this month's draw stays the current one until the month ends. */
export async function getDrawManagement(context: DrawContext): Promise<DrawManagement> {
  const now = context.clock.now();
  const month = drawMonthAt(now);
  const all = await listKnown(context);
  const current = all.find(({ period }) => formatMonth(period) === formatMonth(month)) ?? all[0];
  if (!current) throw new Error('no draw is open');
  return {
    currentDraw: asAdminDraw(current, now),
    pastDraws: all.filter(({ period }) => isMonthBefore(period, month)).map((known) => asAdminDraw(known, now)),
    totalEntries: current.totals.tickets,
    entryCount: current.totals.entries,
    totalParticipants: current.totals.people,
    pendingPayments: all.filter(({ draw }) => draw !== undefined && isOwed(draw)).length,
    unmetRules: await listUnmetRules(context.db, current.period),
  };
}

/** Throws `draw_not_found`. */
export async function getAdminDraw(context: DrawContext, id: string): Promise<AdminDraw> {
  const draw = (await listKnown(context)).find(({ period }) => period.id === id);
  if (!draw) throw new AppError('draw_not_found');
  return asAdminDraw(draw, context.clock.now());
}
