import { mostReferralsShown } from '@handwise/contract/referrals/calls';
import { drawTimeZone } from '@handwise/contract/tickets/calls';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';

/** Whom somebody referred, the newest first, with what became of the reward. */
export async function listReferrals(db: Reader, referrerId: string) {
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
    .select(['referrals.id', 'code', 'status', 'held_because', 'held_until', 'held_lapses', 'refused_because', 'listing_id'])
    .select(['full_name', 'users.created_at as joined_at', 'deleted_at', 'tickets.entry_id', 'swapped.id as swapped_id'])
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')])
    .where('referrer_id', '=', referrerId)
    .orderBy('referrals.created_at', 'desc')
    .orderBy('referrals.id', 'desc')
    .limit(mostReferralsShown)
    .execute();
}

/** All of somebody's referrals, counted; not only those that are listed. */
export async function countReferrals(db: Reader, referrerId: string) {
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
            .select(counted.as('kept'))
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

/** Somebody's referrals and conversions by the month in which they were, by the draw's clocks. */
export async function countByMonth(db: Reader, referrerId: string, months: readonly string[]) {
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

export const findUser = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .select(['full_name', 'referral_code', 'email_confirmed_at'])
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
