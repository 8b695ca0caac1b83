import { type RawBuilder, sql } from 'kysely';
import { type Reader, type Tx, prepared } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';

export type Role = 'buyer' | 'seller';
export const getOtherRole = (role: Role): Role => (role === 'buyer' ? 'seller' : 'buyer');

const selectBlocks = (db: Reader, blocker: 'other.id' | 'participants.user_id', blocked: 'other.id' | 'participants.user_id') => {
  const found = db
    .selectFrom('blocks')
    .select('blocker_id')
    .whereRef('blocker_id', '=', sql.ref(blocker))
    .whereRef('blocked_id', '=', sql.ref(blocked));
  return sql<boolean>`exists (${found})`;
};

/** The state of the newest quote request of a conversation. */
const selectQuoteRequest = (db: Reader) =>
  db
    .selectFrom('quote_receivers')
    .innerJoin('quote_requests', 'quote_requests.id', 'request_id')
    .select(sql<'open' | 'closed'>`case when closed_at is null then 'open' else 'closed' end`.as('standing'))
    .whereRef('quote_receivers.conversation_id', '=', sql.ref('conversations.id'))
    .orderBy('quote_receivers.number', 'desc')
    .limit(1);

/** Conversations from one user's side, with the other user and the last message. */
const selectSides = (db: Reader) =>
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
    .select(['last.body', 'last.from_seller', 'last.pictures', 'last.pdf', 'last.created_at', 'last.seen_at'])
    .select(selectQuoteRequest(db).as('quote_request'))
    .select([
      selectBlocks(db, 'participants.user_id', 'other.id').as('blocked_by_me'),
      selectBlocks(db, 'other.id', 'participants.user_id').as('blocked_by_them'),
    ]);

export type ConversationRow = Awaited<ReturnType<ReturnType<typeof selectSides>['execute']>>[number];

/** Undefined if the user does not take part in the conversation. */
export const findConversationOfUser = (db: Reader, userId: string, conversationId: string) =>
  selectSides(db)
    .modifyFront(prepared)
    .where('participants.user_id', '=', userId)
    .where('conversations.id', '=', conversationId)
    .executeTakeFirst();

type ConversationFilter = { listingId: string | undefined; skip: number; take: number };

export const listConversationsOfUser = (db: Reader, userId: string, { listingId, skip, take }: ConversationFilter) =>
  selectSides(db)
    .where('participants.user_id', '=', userId)
    .$if(listingId !== undefined, (query) => query.where('conversations.listing_id', '=', listingId ?? ''))
    .orderBy('participants.last_message_at', 'desc')
    .orderBy('participants.conversation_id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();

export const getTotal = (query: { total: number } | undefined) => query?.total ?? 0;

export const countConversationsOfUser = async (db: Reader, userId: string, listingId: string | undefined) =>
  getTotal(
    await db
      .selectFrom('participants')
      .select(rowCount.as('total'))
      .where('user_id', '=', userId)
      .$if(listingId !== undefined, (query) =>
        query.innerJoin('conversations', 'conversations.id', 'conversation_id').where('listing_id', '=', listingId ?? ''),
      )
      .executeTakeFirst(),
  );

/** Counts a user's conversations with unseen messages. */
export const countUnread = async (db: Reader, userId: string) =>
  getTotal(
    await db
      .selectFrom('participants')
      .select(rowCount.as('total'))
      .where('user_id', '=', userId)
      .where('unread', '>', 0)
      .executeTakeFirst(),
  );

export const messageColumns = [
  'id',
  'conversation_id',
  'number',
  'from_seller',
  'body',
  'pictures',
  'pdf',
  'created_at',
  'seen_at',
  'client_id',
  'warnings',
] as const;
const selectMessages = (db: Reader, conversationId: string) =>
  db.selectFrom('messages').select(messageColumns).where('conversation_id', '=', conversationId);

export type MessageRow = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number];

/** The last messages, the last ones before a number, or the first ones after one; always newest first. */
export async function listMessages(
  db: Reader,
  conversationId: string,
  { before, after }: { before?: number | undefined; after?: number | undefined },
  take: number,
) {
  if (after !== undefined) {
    return (await selectMessages(db, conversationId).where('number', '>', after).orderBy('number').limit(take).execute()).toReversed();
  }
  return selectMessages(db, conversationId)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(take)
    .execute();
}

export const findMessageByClientId = (db: Reader, conversationId: string, role: Role, clientId: string) =>
  selectMessages(db, conversationId)
    .modifyFront(prepared)
    .where('from_seller', '=', role === 'seller')
    .where('client_id', '=', clientId)
    .executeTakeFirst();

export const findPdf = async (db: Reader, conversationId: string, number: number) =>
  (
    await db
      .selectFrom('messages')
      .select('pdf')
      .where('conversation_id', '=', conversationId)
      .where('number', '=', number)
      .executeTakeFirst()
  )?.pdf;

export const findConversation = (db: Reader, listingId: string, buyerId: string) =>
  db.selectFrom('conversations').select('id').where('listing_id', '=', listingId).where('buyer_id', '=', buyerId).executeTakeFirst();

export async function insertConversation(
  tx: Tx,
  values: { listing_id: string; buyer_id: string; seller_id: string; opening_hash: Buffer | null; created_at: Date },
): Promise<{ id: string }> {
  const { id } = await tx.insertInto('conversations').values(values).returning('id').executeTakeFirstOrThrow();
  await tx
    .insertInto('participants')
    .values([
      { conversation_id: id, role: 'buyer', user_id: values.buyer_id },
      { conversation_id: id, role: 'seller', user_id: values.seller_id },
    ])
    .execute();
  return { id };
}

export const countConversationsOfBuyer = async (db: Reader, buyerId: string) =>
  getTotal(await db.selectFrom('conversations').select(rowCount.as('total')).where('buyer_id', '=', buyerId).executeTakeFirst());

/** First messages of the buyer's conversations since a time that open with the same text, newest last. */
export const listSameOpenings = async (db: Reader, buyerId: string, hash: Buffer, since: Date) =>
  (
    await db
      .selectFrom('conversations')
      .innerJoin('messages', (join) => join.onRef('conversation_id', '=', 'conversations.id').on('number', '=', 1))
      .select('messages.id')
      .where('buyer_id', '=', buyerId)
      .where('opening_hash', '=', hash)
      .where('conversations.created_at', '>', since)
      .orderBy('conversations.created_at')
      .orderBy('conversations.id')
      .execute()
  ).map(({ id }) => id);

/** Flags the buyer's conversations since a time that open with the same text. */
export const flagSameOpenings = (tx: Tx, buyerId: string, hash: Buffer, since: Date) =>
  tx
    .updateTable('conversations')
    .set({ flagged_because: 'same_text' })
    .where('buyer_id', '=', buyerId)
    .where('opening_hash', '=', hash)
    .where('created_at', '>', since)
    .where('flagged_because', 'is', null)
    .execute();

/** When a buyer first wrote about a listing, and when the seller first answered. */
type FirstContact = { messagedAt: string; answeredAt: string | null };

/** A column for a statement that reads both listing and buyer; null without a conversation. */
export const firstContactColumn = (listingId: RawBuilder<string>, buyerId: RawBuilder<string>): RawBuilder<FirstContact | null> => sql`(
  select jsonb_build_object('messagedAt', talk.created_at, 'answeredAt', talk.answered_at)
  from conversations as talk where talk.listing_id = ${listingId} and talk.buyer_id = ${buyerId}
)`;

/** A reported message with its sender and receiver. */
export const findMessageForModeration = (db: Reader, id: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['messages.id', 'body', 'messages.pictures', 'pdf', 'listing_id', 'service_title', 'buyer_id', 'conversations.seller_id'])
    .select(sql<string>`case when from_seller then conversations.seller_id else buyer_id end`.as('sender_id'))
    .where('messages.id', '=', id)
    .executeTakeFirst();
