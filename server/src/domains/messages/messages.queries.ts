import { sql } from 'kysely';
import { prepared, type Reader } from '../../kit/database/database.ts';

export type Role = 'buyer' | 'seller';
export const otherOf = (role: Role): Role => (role === 'buyer' ? 'seller' : 'buyer');

const blocks = (db: Reader, blocker: 'other.id' | 'participants.user_id', blocked: 'other.id' | 'participants.user_id') => {
  const found = db
    .selectFrom('blocks')
    .select('blocker_id')
    .whereRef('blocker_id', '=', sql.ref(blocker))
    .whereRef('blocked_id', '=', sql.ref(blocked));
  return sql<boolean>`exists (${found})`;
};

/** How the newest quote request of a conversation stands. */
const quoteRequest = (db: Reader) =>
  db
    .selectFrom('quote_receivers')
    .innerJoin('quote_requests', 'quote_requests.id', 'request_id')
    .select(sql<'open' | 'closed'>`case when closed_at is null then 'open' else 'closed' end`.as('standing'))
    .whereRef('quote_receivers.conversation_id', '=', sql.ref('conversations.id'))
    .orderBy('quote_receivers.number', 'desc')
    .limit(1);

/** Conversations as one of their sides has them, with whom they are and what was said last. */
const sides = (db: Reader) =>
  db
    .selectFrom('participants')
    .innerJoin('conversations', 'conversations.id', 'participants.conversation_id')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .innerJoin('users as other', (join) =>
      join.on((eb) =>
        eb('other.id', '=', sql<string>`case participants.role when 'buyer' then conversations.seller_id else conversations.buyer_id end`),
      ),
    )
    .innerJoin('messages as last', (join) =>
      join.onRef('last.conversation_id', '=', 'conversations.id').onRef('last.number', '=', 'conversations.last_number'),
    )
    .select(['conversations.id', 'conversations.listing_id', 'participants.role', 'participants.unread', 'conversations.last_number'])
    .select(['listings.service_title', 'listings.status', 'listings.business_title', 'listings.logo'])
    .select(['other.id as other_id', 'other.full_name', 'other.username', 'other.avatar', 'other.deleted_at'])
    .select(['last.body', 'last.from_seller', 'last.pictures', 'last.created_at', 'last.seen_at'])
    .select(quoteRequest(db).as('quote_request'))
    .select([
      blocks(db, 'participants.user_id', 'other.id').as('blocked_by_me'),
      blocks(db, 'other.id', 'participants.user_id').as('blocked_by_them'),
    ]);

export type SideRow = Awaited<ReturnType<ReturnType<typeof sides>['execute']>>[number];

/** A conversation as this user has it; undefined where it is none of theirs. */
export const findSide = (db: Reader, userId: string, conversationId: string) =>
  sides(db)
    .modifyFront(prepared)
    .where('participants.user_id', '=', userId)
    .where('conversations.id', '=', conversationId)
    .executeTakeFirst();

type Wanted = { listingId: string | undefined; skip: number; take: number };

export const listSides = (db: Reader, userId: string, { listingId, skip, take }: Wanted) =>
  sides(db)
    .where('participants.user_id', '=', userId)
    .$if(listingId !== undefined, (query) => query.where('conversations.listing_id', '=', listingId ?? ''))
    .orderBy('participants.last_message_at', 'desc')
    .orderBy('participants.conversation_id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();

export const counted = (query: { total: number } | undefined) => query?.total ?? 0;

export const countSides = async (db: Reader, userId: string, listingId: string | undefined) =>
  counted(
    await db
      .selectFrom('participants')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('user_id', '=', userId)
      .$if(listingId !== undefined, (query) =>
        query.innerJoin('conversations', 'conversations.id', 'conversation_id').where('listing_id', '=', listingId ?? ''),
      )
      .executeTakeFirst(),
  );

/** In how many of a user's conversations there is something unseen. */
export const countUnread = async (db: Reader, userId: string) =>
  counted(
    await db
      .selectFrom('participants')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('user_id', '=', userId)
      .where('unread', '>', 0)
      .executeTakeFirst(),
  );

export const messageColumns = ['id', 'number', 'from_seller', 'body', 'pictures', 'created_at', 'seen_at', 'client_id'] as const;
const messages = (db: Reader, conversationId: string) =>
  db.selectFrom('messages').select(messageColumns).where('conversation_id', '=', conversationId);

export type MessageRow = Awaited<ReturnType<ReturnType<typeof messages>['execute']>>[number];

/** The last messages, those before a number, or the first ones after one; the newest first. */
export async function listMessages(
  db: Reader,
  conversationId: string,
  { before, after }: { before?: number | undefined; after?: number | undefined },
  take: number,
) {
  if (after !== undefined) {
    return (await messages(db, conversationId).where('number', '>', after).orderBy('number').limit(take).execute()).toReversed();
  }
  return messages(db, conversationId)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(take)
    .execute();
}

export const findByClientId = (db: Reader, conversationId: string, role: Role, clientId: string) =>
  messages(db, conversationId)
    .modifyFront(prepared)
    .where('from_seller', '=', role === 'seller')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
