import { sql } from 'kysely';
import { siteTimeZone } from '@handwise/contract/dates';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';

// A report over the tables of other domains, which it only reads.

type Period = { from: Date; until: Date; firstDay: string; lastDay: string };

/** Replaces the cells of these weeks. `firstDay` is the first Monday and `lastDay` the last Sunday. */
export async function replaceCells(tx: Tx, { from, until, firstDay, lastDay }: Period, now: Date): Promise<void> {
  const week = (time: string) => sql`date_trunc('week', ${sql.raw(time)} at time zone ${siteTimeZone})::date`;
  const ofListing = sql`listings.region_code, listings.category_code`;
  const inPeriod = (time: string) => sql`${sql.raw(time)} >= ${from} and ${sql.raw(time)} < ${until}`;
  await sql`delete from funnel_cells where week between ${firstDay}::date and ${lastDay}::date`.execute(tx);
  await sql`
    insert into funnel_cells (week, region_code, category_code, metric, value, computed_at)
    select week, region_code, category_code, metric, sum(value), ${now} from (
      select date_trunc('week', day)::date as week, ${ofListing}, 'visits' as metric, visitors as value
      from listing_views join listings on listings.id = listing_id
      where day between ${firstDay}::date and ${lastDay}::date
      union all
      select ${week('created_at')}, null, null, 'sign_ups', 1 from users where ${inPeriod('created_at')}
      union all
      select ${week('created_at')}, ${ofListing}, 'published', 1 from listings where ${inPeriod('created_at')}
      union all
      select ${week('conversations.created_at')}, ${ofListing}, stage, 1
      from conversations join listings on listings.id = listing_id,
        unnest(array['contacted', 'answered']) as stage
      where ${inPeriod('conversations.created_at')}
        and (stage = 'contacted' or answered_at <= conversations.created_at + interval '1 day')
      union all
      -- The place and trade of a seller are those of their first listing.
      select ${week('ended.ends_at')}, first.region_code, first.category_code, case when has_next then 'renewed' else 'left' end, 1
      from subscriptions as ended
        left join lateral (
          select region_code, category_code from listings where seller_id = ended.user_id order by listing_number limit 1
        ) as first on true,
        lateral (select exists (
          select from subscriptions as next
          where next.user_id = ended.user_id and next.id <> ended.id and next.returned_at is null
            and next.ends_at > ended.ends_at and next.starts_at <= ended.ends_at + interval '1 day'
        ) as has_next) as following
      where ${inPeriod('ended.ends_at')} and ended.ends_at <= ${now}::timestamptz - interval '1 day'
        and ended.replaced_by is null and ended.returned_at is null
    ) as counted
    group by week, region_code, category_code, metric
    having sum(value) > 0`.execute(tx);
}

export const listCells = (db: Reader, firstDay: string) =>
  db
    .selectFrom('funnel_cells')
    .select([sql<string>`week::text`.as('week'), 'region_code', 'category_code', 'metric', 'value', 'computed_at'])
    .where('week', '>=', sql<Date>`${firstDay}::date`)
    .execute();

/** Conversations since a time that the business has not answered, by the district of the listing. */
export const countUnanswered = (db: Reader, since: Date) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['district_code', rowCount.as('requests')])
    .where('conversations.created_at', '>=', since)
    .where('answered_at', 'is', null)
    .groupBy('district_code')
    .orderBy('district_code')
    .execute();

export type LadderCell = { region_code: number; category_code: number; metric: string; value: number };

/** What happened to first messages since a time that had no answer when they were reminded of or after a day. */
export const listLadderCells = async (db: Reader, since: Date, now: Date): Promise<LadderCell[]> =>
  (
    await sql<LadderCell>`
      select region_code, category_code, metric, count(*)::int as value from (
        select listings.region_code, listings.category_code, answered_at, conversations.created_at, first_sent_at, second_sent_at,
          exists (select from passed_on_messages as passed where passed.conversation_id = conversations.id) as is_passed_on,
          exists (
            select from passed_on_messages as passed join conversations as other on other.id = to_conversation_id
            where passed.conversation_id = conversations.id and other.answered_at is not null
          ) as is_answered_elsewhere
        from conversations join listings on listings.id = listing_id
          join answer_reminders on answer_reminders.conversation_id = conversations.id
        where conversations.created_at >= ${since}
      ) as asked, lateral (values
        ('waited', created_at + interval '1 day' <= ${now}::timestamptz and coalesce(answered_at > created_at + interval '1 day', true)),
        ('after_first', answered_at > first_sent_at and coalesce(answered_at <= second_sent_at, true)),
        ('after_second', answered_at > second_sent_at),
        ('passed_on', is_passed_on),
        ('answered_elsewhere', is_answered_elsewhere)
      ) as counted (metric, counts)
      where counts
      group by region_code, category_code, metric`.execute(db)
  ).rows;
