import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Db } from '../../kit/database.ts';

/** Messages of the last full calendar month of Auckland's clock. */
export async function countMessagesOfLastMonth(db: Db, country: CountryCode | undefined): Promise<number> {
  const { rows } = await sql<{ messages: number }>`
    with month as (select date_trunc('month', now() at time zone 'Pacific/Auckland') as begins)
    select count(*)::int as messages
    from messages cross join month
    ${country ? sql`join listings on listings.id = listing_id and listings.country = ${country}` : sql``}
    where messages.created_at >= (begins - interval '1 month') at time zone 'Pacific/Auckland'
      and messages.created_at < begins at time zone 'Pacific/Auckland'`.execute(db);
  return rows[0]?.messages ?? 0;
}

export const ping = (db: Db) => sql`select 1`.execute(db);
