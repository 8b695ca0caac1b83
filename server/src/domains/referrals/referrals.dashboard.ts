import { dayMs, dayOf } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { chartMonths, type Referral, type ReferralDashboard } from '@handwise/contract/referrals/calls';
import { type DrawEntry, drawTimeZone } from '@handwise/contract/tickets/calls';
import { beginPeriod, listEntriesOf, type Period, runningPeriod } from '../tickets/tickets.service.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import * as dashboard from './referrals.dashboard-queries.ts';
import { findLastReferralOf } from './referrals.queries.ts';
import { heldOutcome, isConverted, isHeld, toldOf } from './referrals.states.ts';

const hourMs = 3_600_000;

/** All that the dashboard shows. `origin` is the site's address for the links. */
export async function getDashboard(
  context: ReferralContext,
  asks: ReferralAsks,
  userId: string,
  origin: string,
): Promise<ReferralDashboard> {
  const { db, clock } = context;
  const period = await currentPeriod(context);
  const now = clock.now();
  const [user, rows, counts, months, entries, winnerStatus, own] = await Promise.all([
    dashboard.findUser(db, userId),
    dashboard.listReferrals(db, userId),
    dashboard.countReferrals(db, userId),
    dashboard.countByMonth(db, userId, lastMonths(now)),
    listEntriesOf(db, userId),
    asks.winnerOf(db, userId),
    findLastReferralOf(db, userId),
  ]);
  const titles = await asks.titlesOf(
    db,
    rows.flatMap(({ listing_id }) => listing_id ?? []),
  );
  const active = entries.filter(
    ({ status, expiryDate }) => status === 'active' && expiryDate !== null && Date.parse(expiryDate) > now.getTime(),
  );
  const total = sumOf(active);
  const code = user.referral_code ?? '';
  return {
    referralCode: code,
    referralLink: code === '' ? origin + paths.register : `${origin}${paths.register}?ref=${encodeURIComponent(code)}`,
    codeUsageCount: counts.registered,
    user: { fullName: user.full_name, username: user.username, email: user.email, emailConfirmed: user.email_confirmed_at !== null },
    referralStats: {
      referralsCount: counts.total,
      successfulConversions: counts.converted,
      activeDrawTickets: total,
      pendingReferrals: counts.pending,
      drawEntriesEarned: counts.earned,
      conversionRate: counts.total === 0 ? 0 : Math.round((100 * counts.converted) / counts.total),
    },
    drawEntries: { total, entries },
    currentDraw: {
      drawDate: period.closesAt.toISOString(),
      month: period.month - 1,
      year: period.year,
      ...timeUntil(period.closesAt, now),
    },
    winnerStatus,
    analytics: {
      referralsByMonth: months,
      rewardTypes: { free_month: counts.freeMonths, draw_entries: counts.entries },
      entriesBySource: bySource(entries),
    },
    referrals: rows.map((row) => asReferral(row, active, titles)),
    ownReferral: own
      ? {
          status: toldOf(own),
          ...waiting(own),
          refusedBecause: own.refused_because,
        }
      : null,
  };
}

async function currentPeriod(context: ReferralContext): Promise<Period> {
  await beginPeriod(context);
  const period = await runningPeriod(context.db, context.clock);
  if (!period) throw new Error('no month of the draw runs, though one was begun');
  return period;
}

/** Whole days and hours beyond them until a moment. */
export function timeUntil(end: Date, now: Date): { daysUntilDraw: number; hoursUntilDraw: number } {
  const left = Math.max(0, end.getTime() - now.getTime());
  return { daysUntilDraw: Math.floor(left / dayMs), hoursUntilDraw: Math.floor((left % dayMs) / hourMs) };
}

/** The last months by the draw's clocks, the oldest first. */
export function lastMonths(now: Date): string[] {
  const [year = 0, month = 0] = dayOf(now, drawTimeZone).split('-').map(Number);
  return Array.from({ length: chartMonths }, (_, index) =>
    new Date(Date.UTC(year, month - chartMonths + index, 1)).toISOString().slice(0, 7),
  );
}

const sumOf = (entries: readonly DrawEntry[]) => entries.reduce((sum, { tickets }) => sum + tickets, 0);

const bySource = (entries: readonly DrawEntry[]) => ({
  signup: sumOf(entries.filter(({ source }) => source === 'signup')),
  listing: sumOf(entries.filter(({ source }) => source === 'listing')),
  referral: sumOf(entries.filter(({ source }) => source === 'referral')),
  other: sumOf(entries.filter(({ source }) => source === 'other')),
});

type Row = Awaited<ReturnType<typeof dashboard.listReferrals>>[number];

const waiting = (row: Pick<Row, 'status' | 'held_because' | 'held_until' | 'held_lapses'>) =>
  isHeld(row)
    ? { heldBecause: row.held_because, heldUntil: row.held_until?.toISOString() ?? null, heldOutcome: heldOutcome(row) }
    : { heldBecause: null, heldUntil: null, heldOutcome: null };

function asReferral(row: Row, active: readonly DrawEntry[], titles: ReadonlyMap<string, string>): Referral {
  const title = row.listing_id === null ? undefined : titles.get(row.listing_id);
  const hasLeft = row.deleted_at !== null;
  return {
    id: row.id,
    code: row.code,
    status: toldOf(row),
    ...waiting(row),
    refusedBecause: row.refused_because,
    rewardType: !isConverted(row) ? null : row.swapped_id === null ? 'draw_entries' : 'free_month',
    swapUntil: active.find(({ id }) => id === row.entry_id)?.expiryDate ?? null,
    referredUser: {
      name: row.full_name,
      username: hasLeft ? '' : row.username,
      email: hasLeft ? '' : row.email,
      joinedAt: row.joined_at.toISOString(),
    },
    listing: title === undefined ? null : { title },
  };
}
