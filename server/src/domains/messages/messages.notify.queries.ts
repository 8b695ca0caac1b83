import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Role } from './messages.queries.ts';

export const lockEmailTimes = (tx: Tx, conversationId: string, role: Role) =>
  tx
    .selectFrom('participants')
    .select(['user_id', 'mail_due_at', 'mailed_number'])
    .where('conversation_id', '=', conversationId)
    .where('role', '=', role)
    .forUpdate()
    .executeTakeFirst();

type EmailTimes = { mail_due_at?: Date | null; mailed_at?: Date; mailed_number?: number };

export const setEmailTimes = (tx: Tx, conversationId: string, role: Role, times: EmailTimes) =>
  tx.updateTable('participants').set(times).where('conversation_id', '=', conversationId).where('role', '=', role).execute();

/** Sides of conversations whose unseen messages are due to be emailed. */
export const listDueEmails = (db: Reader, now: Date, limit: number) =>
  db
    .selectFrom('participants')
    .select(['conversation_id', 'role'])
    .where('mail_due_at', '<=', now)
    .orderBy('mail_due_at')
    .limit(limit)
    .execute();

/** Unseen messages of the other side after a number that have no email of their own, with the job of quote requests. */
export const listUnseenMessages = (tx: Tx, conversationId: string, reader: Role, behind: number) =>
  tx
    .selectFrom('messages')
    .leftJoin('quote_receivers', (join) =>
      join
        .onRef('quote_receivers.conversation_id', '=', 'messages.conversation_id')
        .onRef('quote_receivers.number', '=', 'messages.number'),
    )
    .leftJoin('quote_requests', 'quote_requests.id', 'request_id')
    .select(['messages.number', 'body', 'messages.warnings', 'messages.pictures', 'messages.pdf'])
    .select(['category_code', 'sub_category_code', 'quote_requests.place', 'timing'])
    .select(sql<string | null>`wanted_on::text`.as('wanted_on'))
    .where('messages.conversation_id', '=', conversationId)
    .where('from_seller', '=', reader === 'buyer')
    .where('messages.number', '>', behind)
    .where('seen_at', 'is', null)
    .where('has_own_email', '=', false)
    .orderBy('messages.number')
    .execute();

export type UnseenRow = Awaited<ReturnType<typeof listUnseenMessages>>[number];

/** Reader, writer and listing of a conversation, as an email needs them. */
export const getEmailSubject = (db: Reader, conversationId: string, reader: Role) =>
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

export const findParticipant = async (db: Reader, conversationId: string, role: Role) =>
  (
    await db
      .selectFrom('participants')
      .select('user_id')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', role)
      .executeTakeFirst()
  )?.user_id;
