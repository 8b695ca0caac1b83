import { mostReferralsShown } from '@handwise/contract/referrals';
import { drawTimeZone } from '@handwise/contract/tickets';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

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
    .select(['referrals.id', 'code', 'status', 'held_because', 'held_until', 'refused_because', 'listing_id'])
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
  const { rows } = await sql<{
    total: number;
    converted: number;
    pending: number;
    registered: number;
    earned: number;
    freeMonths: number;
    entries: number;
  }>`
    select count(*)::int as total,
      (count(*) filter (where status = 'converted'))::int as converted,
      (count(*) filter (where status in ('held', 'pending')))::int as pending,
      (count(*) filter (where entered_at = 'registration'))::int as registered,
      coalesce((
        select sum(quantity) from reward_entries
        where user_id = ${referrerId} and reward = 'draw_entries' and change = 'issue' and cause in ('code_used', 'listing')
      ), 0)::int as earned,
      (select count(*) from reward_entries where user_id = ${referrerId} and cause = 'swapped' and change = 'issue')::int as "freeMonths",
      (
        select count(*) from reward_entries as tickets
        where user_id = ${referrerId} and cause = 'listing' and change = 'issue'
          and not exists (select from reward_entries where of_id = tickets.id)
      )::int as entries
    from referrals where referrer_id = ${referrerId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count has no row');
  return row;
}

/** Somebody's referrals and conversions by the month in which they were, by the draw's clocks. */
export async function countByMonth(db: Reader, referrerId: string, months: readonly string[]) {
  const { rows } = await sql<{ month: string; referrals: number; converted: number }>`
    select month,
      (select count(*) from referrals
        where referrer_id = ${referrerId} and to_char(created_at at time zone ${drawTimeZone}, 'YYYY-MM') = month)::int as referrals,
      (select count(*) from referrals
        where referrer_id = ${referrerId} and to_char(converted_at at time zone ${drawTimeZone}, 'YYYY-MM') = month)::int as converted
    from unnest(${[...months]}::text[]) with ordinality as months (month, place) order by place`.execute(db);
  return rows;
}

export const findUser = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .select(['full_name', 'referral_code', 'email_confirmed_at'])
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
