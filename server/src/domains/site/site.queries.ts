import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Db } from '../../kit/database.ts';

/** Messages of the last full calendar month of Auckland's clock. */
export async function countMessagesOfLastMonth(db: Db, country: CountryCode | undefined, now: Date): Promise<number> {
  const begins = sql`date_trunc('month', ${now}::timestamptz at time zone 'Pacific/Auckland')`;
  const { messages } = await db
    .selectFrom('messages')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('messages'))
    .where('messages.created_at', '>=', sql<Date>`(${begins} - interval '1 month') at time zone 'Pacific/Auckland'`)
    .where('messages.created_at', '<', sql<Date>`${begins} at time zone 'Pacific/Auckland'`)
    .$if(country !== undefined, (query) =>
      query.innerJoin('listings', 'listings.id', 'messages.listing_id').where('listings.country', '=', country ?? 'NZ'),
    )
    .executeTakeFirstOrThrow();
  return messages;
}

export const ping = (db: Db) => sql`select 1`.execute(db);
