import { sql } from 'kysely';
import { dayMs, getDay } from '@handwise/contract/dates';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import { chartMonths, type Referral, type ReferralDashboard, maxReferralsShown } from '@handwise/contract/referrals/calls';
import { noCard } from '@handwise/contract/referrals/holds';
import type { DrawEntry } from '@handwise/contract/tickets/calls';
import type { Reader } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';
import { ensurePeriod, listEntriesOfUser, type Period, findRunningPeriod } from '../tickets/tickets.service.ts';
import type { ReferralHooks, ReferralContext } from './referrals.context.ts';
import { findLatestReferralOfUser } from './referrals.queries.ts';
import { heldOutcome, isConverted, isHeld, publicStatus } from './referrals.states.ts';
import { isOpenEntry } from './referrals.tickets.ts';

const hourMs = 3_600_000;

/** `origin` is the site's address for the links. */
export async function loadDashboard(
  context: ReferralContext,
  hooks: ReferralHooks,
  userId: string,
  origin: string,
): Promise<ReferralDashboard> {
  const { db, clock } = context;
  const period = await currentPeriod(context);
  const now = clock.now();
  const [user, rows, counts, months, entries, winnerStatus, own] = await Promise.all([
    getUserWithCode(db, userId),
    listReferralsOfUser(db, userId),
    countReferralsOfUser(db, userId),
    countReferralsByMonth(db, userId, lastMonths(now)),
    listEntriesOfUser(db, userId),
    hooks.getWinnerStatus(db, userId),
    findLatestReferralOfUser(db, userId),
  ]);
  const titles = await hooks.listTitles(
    db,
    rows.flatMap(({ listing_id }) => listing_id ?? []),
  );
  const active = entries.filter((entry) => isOpenEntry(entry, now));
  const total = getSum(active);
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
    referrals: rows.map((row) => toReferral(row, active, titles)),
    ownReferral: own
      ? {
          status: publicStatus(own),
          ...waiting(own),
          refusedBecause: own.refused_because,
        }
      : null,
  };
}

async function currentPeriod(context: ReferralContext): Promise<Period> {
  await ensurePeriod(context);
  const period = await findRunningPeriod(context.db, context.clock);
  if (!period) throw new Error('no draw period is open');
  return period;
}

/** Whole days and remaining whole hours. */
export function timeUntil(end: Date, now: Date): { daysUntilDraw: number; hoursUntilDraw: number } {
  const left = Math.max(0, end.getTime() - now.getTime());
  return { daysUntilDraw: Math.floor(left / dayMs), hoursUntilDraw: Math.floor((left % dayMs) / hourMs) };
}

/** In the draw's time zone, oldest first. */
export function lastMonths(now: Date): string[] {
  const [year = 0, month = 0] = getDay(now, drawTimeZone).split('-').map(Number);
  return Array.from({ length: chartMonths }, (_, index) =>
    new Date(Date.UTC(year, month - chartMonths + index, 1)).toISOString().slice(0, 7),
  );
}

const getSum = (entries: readonly DrawEntry[]) => entries.reduce((sum, { tickets }) => sum + tickets, 0);

const bySource = (entries: readonly DrawEntry[]) => ({
  signup: getSum(entries.filter(({ source }) => source === 'signup')),
  listing: getSum(entries.filter(({ source }) => source === 'listing')),
  referral: getSum(entries.filter(({ source }) => source === 'referral')),
  other: getSum(entries.filter(({ source }) => source === 'other')),
});

type Row = Awaited<ReturnType<typeof listReferralsOfUser>>[number];

const waiting = (row: Pick<Row, 'status' | 'held_because' | 'held_until' | 'held_lapses' | 'awaits_card'>) =>
  row.awaits_card
    ? { heldBecause: noCard, heldUntil: null, heldOutcome: null }
    : isHeld(row)
      ? { heldBecause: row.held_because, heldUntil: row.held_until?.toISOString() ?? null, heldOutcome: heldOutcome(row) }
      : { heldBecause: null, heldUntil: null, heldOutcome: null };

function toReferral(row: Row, active: readonly DrawEntry[], titles: ReadonlyMap<string, string>): Referral {
  const title = row.listing_id === null ? undefined : titles.get(row.listing_id);
  const hasLeft = row.deleted_at !== null;
  return {
    id: row.id,
    code: row.code,
    status: publicStatus(row),
    ...waiting(row),
    refusedBecause: row.refused_because,
    rewardType: !isConverted(row) || row.awaits_card ? null : row.swapped_id === null ? 'draw_entries' : 'free_month',
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

/** Newest first, with the tickets of the reward and whether they were swapped. */
export async function listReferralsOfUser(db: Reader, referrerId: string) {
  return db
    .selectFrom('referrals')
    .innerJoin('users', 'users.id', 'referred_id')
    .leftJoin('reward_entries as tickets', (on) =>
      on
        .onRef('tickets.referral_id', '=', 'referrals.id')
        .onRef('tickets.user_id', '=', 'referrer_id')
        .on('tickets.cause', '=', 'listing')
        .on('tickets.change', '=', 'issue'),
    )
    .leftJoin('reward_entries as swapped', (on) => on.onRef('swapped.of_id', '=', 'tickets.id').on('swapped.cause', '=', 'swapped'))
    .select(['referrals.id', 'code', 'status', 'held_because', 'held_until', 'held_lapses', 'refused_because', 'awaits_card', 'listing_id'])
    .select(['full_name', 'users.created_at as joined_at', 'deleted_at', 'tickets.entry_id', 'swapped.id as swapped_id'])
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')])
    .where('referrer_id', '=', referrerId)
    .orderBy('referrals.created_at', 'desc')
    .orderBy('referrals.id', 'desc')
    .limit(maxReferralsShown)
    .execute();
}

/** Counts all referrals, beyond the listed ones. */
async function countReferralsOfUser(db: Reader, referrerId: string) {
  const issued = db.selectFrom('reward_entries').where('user_id', '=', referrerId).where('change', '=', 'issue');
  return db
    .selectFrom('referrals')
    .select(({ cast, fn }) => {
      const counted = cast<number>(fn.countAll(), 'integer');
      const total = fn.countAll();
      return [
        counted.as('total'),
        cast<number>(total.filterWhere('status', '=', 'converted'), 'integer').as('converted'),
        cast<number>(total.filterWhere('status', 'in', ['held', 'pending']), 'integer').as('pending'),
        cast<number>(total.filterWhere('entered_at', '=', 'registration'), 'integer').as('registered'),
        cast<number>(
          fn.coalesce(
            issued
              .select((sum) => sum.fn.sum<number>('quantity').as('earned'))
              .where('reward', '=', 'draw_entries')
              .where('cause', 'in', ['code_used', 'listing']),
            sql<number>`0`,
          ),
          'integer',
        ).as('earned'),
        cast<number>(issued.select(counted.as('months')).where('cause', '=', 'swapped'), 'integer').as('freeMonths'),
        cast<number>(
          issued
            .select(counted.as('open'))
            .where('cause', '=', 'listing')
            .where((is) =>
              is.not(
                is.exists(is.selectFrom('reward_entries as later').select('later.id').whereRef('later.of_id', '=', 'reward_entries.id')),
              ),
            ),
          'integer',
        ).as('entries'),
      ];
    })
    .where('referrer_id', '=', referrerId)
    .executeTakeFirstOrThrow();
}

/** Referrals and conversions per month in the draw's time zone. */
async function countReferralsByMonth(db: Reader, referrerId: string, months: readonly string[]) {
  const monthOf = (column: 'created_at' | 'converted_at') =>
    sql<string>`to_char(${sql.ref(column)} at time zone ${drawTimeZone}, 'YYYY-MM')`;
  return db
    .selectFrom(unnestTable('months', { month: ['text', months] }))
    .select(({ cast, selectFrom }) => {
      const countBy = (column: 'created_at' | 'converted_at') =>
        cast<number>(
          selectFrom('referrals')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('referrer_id', '=', referrerId)
            .where(monthOf(column), '=', sql<string>`month`),
          'integer',
        );
      return ['month', countBy('created_at').as('referrals'), countBy('converted_at').as('converted')];
    })
    .orderBy('place')
    .execute();
}

const getUserWithCode = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .select(['full_name', 'referral_code', 'email_confirmed_at'])
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
