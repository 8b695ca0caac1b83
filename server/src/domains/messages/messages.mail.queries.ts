import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Role } from './messages.queries.ts';

export const lockMailTimes = (tx: Tx, conversationId: string, role: Role) =>
  tx
    .selectFrom('participants')
    .select(['user_id', 'mail_due_at', 'mailed_number'])
    .where('conversation_id', '=', conversationId)
    .where('role', '=', role)
    .forUpdate()
    .executeTakeFirst();

type MailTimes = { mail_due_at?: Date | null; mailed_at?: Date; mailed_number?: number };

export const setMailTimes = (tx: Tx, conversationId: string, role: Role, times: MailTimes) =>
  tx.updateTable('participants').set(times).where('conversation_id', '=', conversationId).where('role', '=', role).execute();

/** Sides whose unseen messages are to be mailed now. */
export const listDue = (db: Reader, now: Date, most: number) =>
  db
    .selectFrom('participants')
    .select(['conversation_id', 'role'])
    .where('mail_due_at', '<=', now)
    .orderBy('mail_due_at')
    .limit(most)
    .execute();

/** What the other side wrote behind a number and this one has not seen, with what was asked for where it is a quote request. */
export const listUnseen = (tx: Tx, conversationId: string, reader: Role, behind: number) =>
  tx
    .selectFrom('messages')
    .leftJoin('quote_receivers', (join) =>
      join
        .onRef('quote_receivers.conversation_id', '=', 'messages.conversation_id')
        .onRef('quote_receivers.number', '=', 'messages.number'),
    )
    .leftJoin('quote_requests', 'quote_requests.id', 'request_id')
    .select(['messages.number', 'body', 'messages.pictures'])
    .select(['category_code', 'sub_category_code', 'quote_requests.place', 'timing'])
    .select(sql<string | null>`wanted_on::text`.as('wanted_on'))
    .where('messages.conversation_id', '=', conversationId)
    .where('from_seller', '=', reader === 'buyer')
    .where('messages.number', '>', behind)
    .where('seen_at', 'is', null)
    .orderBy('messages.number')
    .execute();

export type UnseenRow = Awaited<ReturnType<typeof listUnseen>>[number];

/** What a mail says of a conversation: whom it goes to, who wrote, and about what. */
export const findTalk = (db: Reader, conversationId: string, reader: Role) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .innerJoin('users as other', (join) =>
      join.on((eb) =>
        eb('other.id', '=', sql<string>`${sql.ref(reader === 'buyer' ? 'conversations.seller_id' : 'conversations.buyer_id')}`),
      ),
    )
    .select(['service_title', 'business_title', 'business_email', 'other.full_name', 'other.email as other_email', 'other.deleted_at'])
    .select((eb) => eb.ref(reader === 'buyer' ? 'conversations.buyer_id' : 'conversations.seller_id').as('reader_id'))
    .where('conversations.id', '=', conversationId)
    .executeTakeFirstOrThrow();

/** Who has this side of a conversation. */
export const findParticipant = async (db: Reader, conversationId: string, role: Role) =>
  (
    await db
      .selectFrom('participants')
      .select('user_id')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', role)
      .executeTakeFirst()
  )?.user_id;
