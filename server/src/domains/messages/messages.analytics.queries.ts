import { sql } from 'kysely';
import { siteTimeZone } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import type { Reader } from '../../kit/database/database.ts';
import { anyId, unnestTable, rowCount } from '../../kit/database/sql-helpers.ts';
import { getTotal } from './messages.queries.ts';

/** Null without answers. */
const medianMinutes = sql<
  number | null
>`percentile_cont(0.5) within group (order by extract(epoch from answered_at - conversations.created_at)::float8 / 60)`;

export type AnswerRecord = { seller_id: string; given: number; of: number; /** Unanswered ones since the last answer. */ in_row: number };

/**
 * How many of the newest first messages to these sellers were answered, by seller. One without an answer counts from `unansweredSince` back; what the
 * same person sent to many businesses counts only if it was answered.
 */
export const listAnswerRecords = (db: Reader, sellerIds: readonly string[], unansweredSince: Date, most: number): Promise<AnswerRecord[]> =>
  db
    .selectFrom(unnestTable('requested', { seller_id: ['uuid', sellerIds] }))
    .crossJoinLateral((from) =>
      from
        .selectFrom((last) =>
          last
            .selectFrom('conversations')
            .select(['answered_at', sql<number>`row_number() over (order by conversations.created_at desc, id desc)`.as('at')])
            .whereRef('conversations.seller_id', '=', 'requested.seller_id')
            .where((eb) =>
              eb.or([
                eb('answered_at', 'is not', null),
                eb.and([eb('conversations.created_at', '<=', unansweredSince), eb('flagged_because', 'is', null)]),
              ]),
            )
            .orderBy('conversations.created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(most)
            .as('newest'),
        )
        .select([
          sql<number>`count(answered_at)::int`.as('given'),
          sql<number>`count(*)::int`.as('of'),
          sql<number>`(coalesce(min(at) filter (where answered_at is not null), count(*) + 1) - 1)::int`.as('in_row'),
        ])
        .as('record'),
    )
    .select(['requested.seller_id', 'given', 'of', 'in_row'])
    .orderBy('requested.place')
    .execute();

/** Sellers that anyone has written to, in batches by id. */
export const listSellersWrittenTo = async (db: Reader, after: string | undefined, most: number) =>
  (
    await db
      .selectFrom('conversations')
      .distinct()
      .select('seller_id')
      .$if(after !== undefined, (query) => query.where('seller_id', '>', after ?? ''))
      .orderBy('seller_id')
      .limit(most)
      .execute()
  ).map((row) => row.seller_id);

/** The median minutes to a first answer and the number of answers of these sellers since a time. Those without an answer are omitted. */
export const listReplyMinutes = (db: Reader, sellerIds: readonly string[], since: Date) =>
  db
    .selectFrom('conversations')
    .select(({ cast, fn }) => ['seller_id', cast<number>(fn.countAll(), 'integer').as('answers'), medianMinutes.as('minutes')])
    .where('seller_id', '=', anyId(sellerIds))
    .where('answered_at', '>', since)
    .groupBy('seller_id')
    .execute();

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
