import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

export type Candidate = {
  conversation_id: string;
  listing_id: string;
  buyer_id: string;
  seller_id: string;
  country: 'NZ' | 'AU';
  region_code: number;
  /** The day on which the agreed work starts; null if it is the messages that count. */
  starts_on: string | null;
};

type Window = { from: Date; until: Date };
/** So many conversations behind an id. */
type Page = { after: string; size: number };

/**
 * Conversations whose customer has not been asked and has not reviewed: with an accepted quote that started in a window, or without such a day with a
 * last message in another one, if both sides have written at least twice. Neither side can take itself out: a block or a removed review changes nothing.
 */
export const listCandidates = async (db: Reader, started: Window, written: Window, page: Page): Promise<Candidate[]> =>
  (
    await sql<Candidate>`
      with agreed as (
        select conversation_id, max(starts_on) as starts_on from quotes
        where status = 'accepted' and starts_on between ${started.from}::date and ${started.until}::date group by conversation_id
      ), silent as (
        select conversation_id, null::date as starts_on from participants
        where role = 'buyer' and last_message_at between ${written.from} and ${written.until}
          and not exists (
            select from quotes where quotes.conversation_id = participants.conversation_id and status = 'accepted' and starts_on is not null
          )
          and (
            select count(*) filter (where from_seller) >= 2 and count(*) filter (where not from_seller) >= 2
            from messages where messages.conversation_id = participants.conversation_id
          )
      )
      select conversation_id, listing_id, buyer_id, conversations.seller_id, country, region_code, starts_on::text
      from (select * from agreed union all select * from silent) as due
        join conversations on conversations.id = conversation_id
        join listings on listings.id = listing_id
        join users as buyer on buyer.id = buyer_id
      where conversation_id > ${page.after}
        and not exists (select from review_invitations as asked where asked.conversation_id = due.conversation_id)
        and not exists (select from reviews where reviews.listing_id = conversations.listing_id and author_id = buyer_id)
        and listings.status = 'active'
        and buyer.deleted_at is null and buyer.suspended_at is null and buyer.email_confirmed_at is not null
      order by conversation_id limit ${page.size}`.execute(db)
  ).rows;

/** False if the customer of the conversation has been asked before. */
export const insertInvitation = async (tx: Tx, values: { conversation_id: string; invited_at: Date; because: 'quote' | 'messages' }) =>
  (await tx
    .insertInto('review_invitations')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('conversation_id')
    .executeTakeFirst()) !== undefined;

/** The customer and listing of a conversation. */
export const findSides = (db: Reader, conversationId: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['buyer_id', 'listing_id', 'service_title', 'business_title', 'status'])
    .where('conversations.id', '=', conversationId)
    .executeTakeFirst();
