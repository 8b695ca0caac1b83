import { siteTimeZone } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { unnestTable, rowCount } from '../../kit/database/sql-helpers.ts';
import { getTotal } from './messages.queries.ts';

/** Null without answers. */
const medianMinutes = sql<
  number | null
>`percentile_cont(0.5) within group (order by extract(epoch from answered_at - conversations.created_at)::float8 / 60)`;

/** Reply times of the sellers of these listings since a time, in the order of the ids. */
export async function listReplyTimes(db: Reader, listingIds: readonly string[], since: Date) {
  return db
    .selectFrom(unnestTable('requested', { id: ['uuid', listingIds] }))
    .leftJoin('listings', 'listings.id', 'requested.id')
    .crossJoinLateral((from) =>
      from
        .selectFrom('conversations')
        .select(({ cast, fn }) => [cast<number>(fn.countAll(), 'integer').as('answers'), medianMinutes.as('minutes')])
        .whereRef('conversations.seller_id', '=', 'listings.seller_id')
        .where('answered_at', '>', since)
        .as('answered'),
    )
    .select(['requested.id as listing_id', 'answers', 'minutes'])
    .orderBy('place')
    .execute();
}

/** Sellers with at least this many first answers since a time and a median within these minutes. */
export async function listSellersByReplyTime(db: Reader, { minutes, answers, since }: { minutes: number; answers: number; since: Date }) {
  const rows = await db
    .selectFrom('conversations')
    .select('seller_id')
    .where('answered_at', '>', since)
    .groupBy('seller_id')
    .having(({ fn }) => fn.countAll(), '>=', answers)
    .having(medianMinutes, '<', minutes + 0.5)
    .execute();
  return rows.map((row) => row.seller_id);
}

/** Messages to sellers in the last full calendar month in Auckland. */
export async function countLeadsOfLastMonth(db: Reader, country: CountryCode | undefined, now: Date): Promise<number> {
  const clocks = sql.lit(siteTimeZone);
  const begins = sql`date_trunc('month', ${now}::timestamptz at time zone ${clocks})`;
  return getTotal(
    await db
      .selectFrom('messages')
      .select(rowCount.as('total'))
      .where('from_seller', '=', sql.lit(false))
      .where('messages.created_at', '>=', sql<Date>`(${begins} - interval '1 month') at time zone ${clocks}`)
      .where('messages.created_at', '<', sql<Date>`${begins} at time zone ${clocks}`)
      .$if(country !== undefined, (query) =>
        query
          .innerJoin('conversations', 'conversations.id', 'conversation_id')
          .innerJoin('listings', 'listings.id', 'conversations.listing_id')
          .where('listings.country', '=', country ?? 'NZ'),
      )
      .executeTakeFirst(),
  );
}

/** Messages to sellers per listing and day, in the listing's time zone, from a given day on. */
export async function countMessagesByDay(db: Reader, requested: readonly { id: string; timeZone: string; from: string }[]) {
  const sentOn = sql<Date>`(messages.created_at at time zone time_zone)::date`;
  return db
    .selectFrom(
      unnestTable('requested', {
        id: ['uuid', requested.map((one) => one.id)],
        time_zone: ['text', requested.map((one) => one.timeZone)],
        from_day: ['date', requested.map((one) => one.from)],
      }),
    )
    .innerJoin('conversations', 'listing_id', 'requested.id')
    .innerJoin('messages', (join) => join.onRef('conversation_id', '=', 'conversations.id').on('from_seller', '=', sql.lit(false)))
    .select(({ cast, fn }) => ['listing_id', sql<string>`${sentOn}::text`.as('day'), cast<number>(fn.countAll(), 'integer').as('count')])
    .where(sentOn, '>=', sql<Date>`from_day`)
    .groupBy(['listing_id', sentOn])
    .execute();
}

/** Listings that customers have messaged about since a time. */
export async function listMessagedSince(db: Reader, since: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .distinct()
    .select('listing_id')
    .where('from_seller', '=', sql.lit(false))
    .where('messages.created_at', '>=', since)
    .execute();
  return rows.map((row) => row.listing_id);
}
