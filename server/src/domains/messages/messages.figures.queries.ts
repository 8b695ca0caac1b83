import { siteTimeZone } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { counted } from './messages.queries.ts';

/** How fast the sellers of these listings answered since then, in the order of the ids. */
export async function listReplyTimes(db: Reader, listingIds: readonly string[], since: Date) {
  const { rows } = await sql<{ listing_id: string; answers: number; minutes: number | null }>`
    select asked.id as listing_id, answers, minutes
    from unnest(${[...listingIds]}::uuid[]) with ordinality as asked (id, place)
    left join listings on listings.id = asked.id
    cross join lateral (
      select count(*)::int as answers,
        percentile_cont(0.5) within group (order by extract(epoch from answered_at - conversations.created_at)::float8 / 60) as minutes
      from conversations where conversations.seller_id = listings.seller_id and answered_at > ${since}
    ) as answered
    order by place`.execute(db);
  return rows;
}

/** Who has given so many first answers since then, and half of them within these minutes. */
export async function listFastSellers(db: Reader, { minutes, answers, since }: { minutes: number; answers: number; since: Date }) {
  const half = sql<number>`percentile_cont(0.5) within group (order by extract(epoch from answered_at - created_at)::float8 / 60)`;
  const rows = await db
    .selectFrom('conversations')
    .select('seller_id')
    .where('answered_at', '>', since)
    .groupBy('seller_id')
    .having(({ fn }) => fn.countAll(), '>=', answers)
    .having(half, '<', minutes + 0.5)
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
  const { rows } = await sql<{ listing_id: string; day: string; count: number }>`
    select listing_id, day::text, count(*)::int
    from unnest(
        ${asked.map((one) => one.id)}::uuid[], ${asked.map((one) => one.timeZone)}::text[], ${asked.map((one) => one.from)}::date[]
      ) as asked (id, time_zone, from_day)
      join conversations on listing_id = asked.id
      join messages on conversation_id = conversations.id and not from_seller
      cross join lateral (select (messages.created_at at time zone time_zone)::date as day) as sent
    where day >= from_day
    group by listing_id, day`.execute(db);
  return rows;
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
