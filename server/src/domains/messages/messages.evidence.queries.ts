import { type RawBuilder, sql } from 'kysely';

/** When a buyer first wrote about a listing, and when the seller first answered. */
type FirstContact = { messagedAt: string; answeredAt: string | null };

/** That of a buyer and a listing, as a column of a statement that reads both; null where there is no conversation. */
export const firstContactOf = (listingId: RawBuilder<string>, buyerId: RawBuilder<string>): RawBuilder<FirstContact | null> => sql`(
  select jsonb_build_object('messagedAt', talk.created_at, 'answeredAt', talk.answered_at)
  from conversations as talk where talk.listing_id = ${listingId} and talk.buyer_id = ${buyerId}
)`;
