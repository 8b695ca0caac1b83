import type { Message } from '@handwise/contract/messages';
import { countAttempt } from '../../kit/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { processPictures } from '../../kit/images.ts';
import { appendEvent, lockReceivers } from '../../kit/live-events.ts';
import type { UploadedFile } from '../../kit/multipart.ts';
import { type StoredPicture, attachFiles, discardFiles, storePictures } from '../../kit/stored-files.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { planMail } from './messages.notify.ts';
import { type MessageRow, type Role, countUnread, findByClientId, findSide, otherOf } from './messages.queries.ts';
import type { LockedConversation } from './messages.sending.queries.ts';
import * as queries from './messages.sending.queries.ts';
import { asMessage } from './messages.views.ts';

/** What one person sends, in whatever conversations. */
const sendLimit = { max: 30, windowSeconds: 60 };

export type NewMessage = { text: string; clientId: string | null; pictures: readonly StoredPicture[] };

/** To be called outside of a transaction: what is counted stays counted. */
export const countMessage = (db: Db, userId: string) => countAttempt(db, `messages-by:${userId}`, sendLimit);

/**
 * Sends a message in a conversation of one's own; the same `clientId` twice is one message, and the answer the same. Throws
 * `conversation_not_found`, `blocked`, `blocked_by_you`, `member_left`, `too_many_requests`, and what pictures throw.
 */
export async function sendMessage(
  context: Context,
  userId: string,
  conversationId: string,
  form: { message: string; clientId: string },
  files: readonly UploadedFile[],
): Promise<Message> {
  const { db, store } = context;
  const side = await findSide(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  const known = await findByClientId(db, conversationId, side.role, form.clientId);
  if (known) return asMessage(known, side.role);
  if (form.message === '' && files.length === 0) throw invalidField('message', 'Message is required');
  // Asked again when it is written. Asked here so that nobody uploads for a refusal.
  await refuseStopped(db, userId, side.other_id);
  await countMessage(db, userId);

  const processed = await processPictures(files);
  const alt = (index: number) => (processed.length > 1 ? `Picture ${index + 1} of this message` : 'Picture of this message');
  const pictures = await storePictures(
    db,
    store,
    processed.map((picture, index) => ({ ...picture, alt: alt(index) })),
  );
  const keys = pictures.map(({ key }) => key);
  try {
    const { row, isNew } = await db.transaction().execute(async (tx) => {
      const conversation = await queries.lockConversation(tx, conversationId);
      if (!conversation) throw new AppError('conversation_not_found');
      return deliver(context, tx, conversation, side.role, { text: form.message, clientId: form.clientId, pictures });
    });
    if (!isNew) await discardFiles(db, store, keys);
    return asMessage(row, side.role);
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

/** Writes a message into a conversation that is locked, and tells both sides. */
export async function deliver(
  context: Context,
  tx: Tx,
  conversation: LockedConversation,
  role: Role,
  message: NewMessage,
): Promise<{ row: MessageRow; isNew: boolean }> {
  const { id, buyer_id: buyerId, seller_id: sellerId } = conversation;
  const [senderId, receiverId] = role === 'buyer' ? [buyerId, sellerId] : [sellerId, buyerId];
  const known = message.clientId === null ? undefined : await findByClientId(tx, id, role, message.clientId);
  if (known) return { row: known, isNew: false };
  await refuseStopped(tx, senderId, receiverId);

  const number = conversation.last_number + 1;
  const row = await queries.insertMessage(tx, id, number, { role, ...message, at: context.clock.now() });
  await attachFiles(
    tx,
    message.pictures.map(({ key }) => key),
  );
  const isAnswer = role === 'seller' && conversation.answered_at === null;
  await queries.setLastNumber(tx, id, { last_number: number, ...(isAnswer && { answered_at: row.created_at }) });
  const unread = await queries.noteMessage(tx, id, role, row.created_at);
  await planMail(context, tx, id, role, row);

  await lockReceivers(tx, [senderId, receiverId]);
  await appendEvent(tx, senderId, 'message', { conversationId: id, message: asMessage(row, role) });
  await appendEvent(tx, receiverId, 'message', { conversationId: id, message: asMessage(row, otherOf(role)) });
  if (unread === 1) await appendEvent(tx, receiverId, 'unread', { conversations: await countUnread(tx, receiverId) });
  return { row, isNew: true };
}

/** Throws where one of the two has stopped the other, or the receiver is no longer there. */
async function refuseStopped(db: Reader, senderId: string, receiverId: string): Promise<void> {
  const blockers = new Set((await queries.listBlocksBetween(db, senderId, receiverId)).map((row) => row.blocker_id));
  if (blockers.has(receiverId)) throw new AppError('blocked');
  if (blockers.has(senderId)) throw new AppError('blocked_by_you');
  if ((await findContact(db, receiverId)).deleted_at !== null) throw new AppError('member_left');
}
