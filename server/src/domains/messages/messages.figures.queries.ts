import { siteTimeZone } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { listTable } from '../../kit/database/list-table.ts';
import { counted } from './messages.queries.ts';

/** Within how many minutes half of the conversations were answered; null of none. */
const halfWithin = sql<
  number | null
>`percentile_cont(0.5) within group (order by extract(epoch from answered_at - conversations.created_at)::float8 / 60)`;

/** How fast the sellers of these listings answered since then, in the order of the ids. */
export async function listReplyTimes(db: Reader, listingIds: readonly string[], since: Date) {
  return db
    .selectFrom(listTable('asked', { id: ['uuid', listingIds] }))
    .leftJoin('listings', 'listings.id', 'asked.id')
    .crossJoinLateral((from) =>
      from
        .selectFrom('conversations')
        .select(({ cast, fn }) => [cast<number>(fn.countAll(), 'integer').as('answers'), halfWithin.as('minutes')])
        .whereRef('conversations.seller_id', '=', 'listings.seller_id')
        .where('answered_at', '>', since)
        .as('answered'),
    )
    .select(['asked.id as listing_id', 'answers', 'minutes'])
    .orderBy('place')
    .execute();
}

/** Who has given so many first answers since then, and half of them within these minutes. */
export async function listFastSellers(db: Reader, { minutes, answers, since }: { minutes: number; answers: number; since: Date }) {
  const rows = await db
    .selectFrom('conversations')
    .select('seller_id')
    .where('answered_at', '>', since)
    .groupBy('seller_id')
    .having(({ fn }) => fn.countAll(), '>=', answers)
    .having(halfWithin, '<', minutes + 0.5)
    .execute();
  return rows.map((row) => row.seller_id);
}

/** Messages to sellers in the last full calendar month of Auckland's clock. */
export async function countLeadsOfLastMonth(db: Reader, country: CountryCode | undefined, now: Date): Promise<number> {
  const clocks = sql.lit(siteTimeZone);
  const begins = sql`date_trunc('month', ${now}::timestamptz at time zone ${clocks})`;
  return counted(
    await db
      .selectFrom('messages')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
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

/** How many messages came to the sellers of these listings on which day of the listing's own clocks, from a day on. */
export async function countMessagesByDay(db: Reader, asked: readonly { id: string; timeZone: string; from: string }[]) {
  const sentOn = sql<Date>`(messages.created_at at time zone time_zone)::date`;
  return db
    .selectFrom(
      listTable('asked', {
        id: ['uuid', asked.map((one) => one.id)],
        time_zone: ['text', asked.map((one) => one.timeZone)],
        from_day: ['date', asked.map((one) => one.from)],
      }),
    )
    .innerJoin('conversations', 'listing_id', 'asked.id')
    .innerJoin('messages', (join) => join.onRef('conversation_id', '=', 'conversations.id').on('from_seller', '=', sql.lit(false)))
    .select(({ cast, fn }) => ['listing_id', sql<string>`${sentOn}::text`.as('day'), cast<number>(fn.countAll(), 'integer').as('count')])
    .where(sentOn, '>=', sql<Date>`from_day`)
    .groupBy(['listing_id', sentOn])
    .execute();
}

/** The listings about which customers have written since then. */
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
