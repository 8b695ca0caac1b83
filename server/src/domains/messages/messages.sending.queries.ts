import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database.ts';
import type { StoredPicture } from '../../kit/stored-files.ts';
import { type Role, messageColumns } from './messages.queries.ts';

const lockedColumns = ['id', 'listing_id', 'buyer_id', 'seller_id', 'last_number', 'answered_at'] as const;

/** Whoever sends, sees or blocks waits here for the others of this conversation. */
export const lockConversation = (tx: Tx, id: string) =>
  tx.selectFrom('conversations').select(lockedColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

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

type NewMessage = { role: Role; text: string; pictures: readonly StoredPicture[]; clientId: string | null; at: Date };

export const insertMessage = (tx: Tx, conversationId: string, number: number, { role, text, pictures, clientId, at }: NewMessage) =>
  tx
    .insertInto('messages')
    .values({
      conversation_id: conversationId,
      number,
      from_seller: role === 'seller',
      body: text,
      pictures: JSON.stringify(pictures),
      client_id: clientId,
      created_at: at,
    })
    .returning(messageColumns)
    .executeTakeFirstOrThrow();

export const setLastNumber = (tx: Tx, id: string, values: { last_number: number; answered_at?: Date }) =>
  tx.updateTable('conversations').set(values).where('id', '=', id).execute();

/** A message has come: both sides have it at the top of their inbox, the other one unread. How many that one has not seen now. */
export async function noteMessage(tx: Tx, conversationId: string, from: Role, at: Date): Promise<number> {
  const rows = await tx
    .updateTable('participants')
    .set({ last_message_at: at, unread: sql<number>`unread + case when role = ${from} then 0 else 1 end` })
    .where('conversation_id', '=', conversationId)
    .returning(['role', 'unread'])
    .execute();
  return rows.find(({ role }) => role !== from)?.unread ?? 0;
}

/** Marks the other side's messages up to a number as seen: the numbers that were not. */
export const setSeen = async (tx: Tx, conversationId: string, reader: Role, upTo: number, at: Date) =>
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

export async function lowerUnread(tx: Tx, conversationId: string, reader: Role, by: number): Promise<number> {
  const { unread } = await tx
    .updateTable('participants')
    .set({ unread: sql<number>`unread - ${by}`, mail_due_at: sql<Date | null>`case when unread = ${by} then null else mail_due_at end` })
    .where('conversation_id', '=', conversationId)
    .where('role', '=', reader)
    .returning('unread')
    .executeTakeFirstOrThrow();
  return unread;
}

export const findUnread = async (db: Reader, conversationId: string, role: Role) =>
  (
    await db
      .selectFrom('participants')
      .select('unread')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', role)
      .executeTakeFirstOrThrow()
  ).unread;

/** Who of these two blocks the other. */
export const listBlocksBetween = (db: Reader, one: string, other: string) =>
  db
    .selectFrom('blocks')
    .select('blocker_id')
    .where((eb) =>
      eb.or([
        eb.and([eb('blocker_id', '=', one), eb('blocked_id', '=', other)]),
        eb.and([eb('blocker_id', '=', other), eb('blocked_id', '=', one)]),
      ]),
    )
    .execute();

export const insertBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx.deleteFrom('blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute();
