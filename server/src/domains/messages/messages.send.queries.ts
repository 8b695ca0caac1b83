import { sql } from 'kysely';
import type { MessageWarning } from '@handwise/contract/messages/calls';
import { prepared, type Reader, type Tx } from '../../kit/database/database.ts';
import type { StoredPdf, StoredPicture } from '../../kit/files/stored-files.ts';
import { type Role, messageColumns } from './messages.queries.ts';

const lockedColumns = ['id', 'buyer_id', 'seller_id', 'last_number'] as const;

/** Serializes sending, marking as seen and blocking in one conversation. */
export const lockConversation = (tx: Tx, id: string) =>
  tx.selectFrom('conversations').select(lockedColumns).modifyFront(prepared).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export type LockedConversation = NonNullable<Awaited<ReturnType<typeof lockConversation>>>;

export const lockConversationsBetween = (tx: Tx, one: string, other: string) =>
  tx
    .selectFrom('conversations')
    .select(lockedColumns)
    .where((eb) =>
      eb.or([
        eb.and([eb('buyer_id', '=', one), eb('seller_id', '=', other)]),
        eb.and([eb('buyer_id', '=', other), eb('seller_id', '=', one)]),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

type NewMessage = {
  role: Role;
  text: string;
  warnings: MessageWarning[];
  pictures: readonly StoredPicture[];
  pdf: StoredPdf | null;
  clientId: string | null;
  hasOwnEmail: boolean;
  at: Date;
};

/** Returns undefined if the sender has already written a message with this client id. */
export const insertMessage = (
  tx: Tx,
  conversationId: string,
  number: number,
  { role, text, warnings, pictures, pdf, clientId, hasOwnEmail, at }: NewMessage,
) =>
  tx
    .insertInto('messages')
    .values({
      conversation_id: conversationId,
      number,
      from_seller: role === 'seller',
      body: text,
      warnings,
      pictures: JSON.stringify(pictures),
      pdf: pdf && JSON.stringify(pdf),
      client_id: clientId,
      has_own_email: hasOwnEmail,
      created_at: at,
    })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'from_seller', 'client_id']).doNothing())
    .returning(messageColumns)
    .modifyEnd(prepared)
    .executeTakeFirst();

type RecordedMessage = { conversationId: string; number: number; from: Role; at: Date; emailAt: Date | null; minutesBetweenEmails: number };

/**
 * Moves the conversation to the top of both inboxes and returns the other side's unread count. Except for the first message, it schedules
 * an email, not too soon after the last one; an already scheduled email keeps its time, so that further messages do not delay it. Without `emailAt`
 * it schedules none.
 */
export async function recordMessage(
  tx: Tx,
  { conversationId, number, from, at, emailAt, minutesBetweenEmails }: RecordedMessage,
): Promise<number> {
  const answered = sql<Date | null>`coalesce(answered_at, case when ${from}::text = 'seller' then ${at}::timestamptz end)`;
  const mailDue = sql<Date | null>`case when ${emailAt}::timestamptz is null then mail_due_at when ${number}::int > 1 then
    coalesce(mail_due_at, greatest(${emailAt}::timestamptz, mailed_at + make_interval(mins => ${minutesBetweenEmails}::int))) end`;
  const other = await tx
    .with('numbered', (own) =>
      own.updateTable('conversations').set({ last_number: number, answered_at: answered }).where('id', '=', conversationId),
    )
    .with('own', (own) =>
      own.updateTable('participants').set({ last_message_at: at }).where('conversation_id', '=', conversationId).where('role', '=', from),
    )
    .updateTable('participants')
    .set({ last_message_at: at, unread: sql<number>`unread + 1`, mail_due_at: mailDue })
    .where('conversation_id', '=', conversationId)
    .where('role', '<>', from)
    .returning('unread')
    .modifyEnd(prepared)
    .executeTakeFirst();
  return other?.unread ?? 0;
}

/** Marks the other side's messages up to a number as seen and returns the numbers that were unseen. */
export const markMessagesSeen = async (tx: Tx, conversationId: string, reader: Role, upTo: number, at: Date) =>
  (
    await tx
      .updateTable('messages')
      .set({ seen_at: at })
      .where('conversation_id', '=', conversationId)
      .where('from_seller', '=', reader === 'buyer')
      .where('number', '<=', upTo)
      .where('seen_at', 'is', null)
      .returning('number')
      .execute()
  ).map(({ number }) => number);

export async function decreaseUnread(tx: Tx, conversationId: string, reader: Role, by: number): Promise<number> {
  const { unread } = await tx
    .updateTable('participants')
    .set({ unread: sql<number>`unread - ${by}`, mail_due_at: sql<Date | null>`case when unread = ${by} then null else mail_due_at end` })
    .where('conversation_id', '=', conversationId)
    .where('role', '=', reader)
    .returning('unread')
    .executeTakeFirstOrThrow();
  return unread;
}

export const getUnread = async (db: Reader, conversationId: string, role: Role) =>
  (
    await db
      .selectFrom('participants')
      .select('unread')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', role)
      .executeTakeFirstOrThrow()
  ).unread;

/** Blocks between two users, and whether the receiver's account is deleted. */
export async function findWriteBlocks(db: Reader, senderId: string, receiverId: string) {
  return db
    .selectFrom('users')
    .select(({ exists, selectFrom, eb }) => {
      const block = (by: string, of: string) =>
        exists(selectFrom('blocks').select('blocker_id').where('blocker_id', '=', by).where('blocked_id', '=', of));
      return [
        block(senderId, receiverId).$castTo<boolean>().as('blockedBySender'),
        block(receiverId, senderId).$castTo<boolean>().as('blockedByReceiver'),
        eb('deleted_at', 'is not', null).$castTo<boolean>().as('isReceiverDeleted'),
      ];
    })
    .where('id', '=', receiverId)
    .modifyFront(prepared)
    .executeTakeFirst();
}

export const insertBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx.deleteFrom('blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute();
