import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

/** A message as moderators look at it, once one of the two has reported it, with who wrote it to whom. */
export const findForModerators = (db: Reader, id: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['messages.id', 'body', 'listing_id', 'service_title', 'buyer_id', 'conversations.seller_id'])
    .select(sql<string>`case when from_seller then conversations.seller_id else buyer_id end`.as('sender_id'))
    .where('messages.id', '=', id)
    .executeTakeFirst();
