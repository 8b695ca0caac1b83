import type { Message } from '@handwise/contract/messages/calls';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { appendEvents, lockReceivers } from '../../kit/events/live-events.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPdf, type StoredPicture, attachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { type LoadedFiles, listKeys, loadFiles, storeAttachments } from './messages.attachments.ts';
import type { MessageContext } from './messages.context.ts';
import { emailFirstMessage, pushMessage, scheduleEmail } from './messages.notify.ts';
import {
  type MessageRow,
  type Role,
  countUnread,
  findMessageByClientId,
  findConversationOfUser,
  getOtherRole,
} from './messages.queries.ts';
import { listWarnings } from './messages.rules.ts';
import type { LockedConversation } from './messages.send.queries.ts';
import * as queries from './messages.send.queries.ts';
import { toMessage } from './messages.views.ts';

/** Messages per user across all conversations. */
const sendLimit = { max: 30, windowSeconds: 60 };

export type NewMessage = {
  text: string;
  clientId: string | null;
  /** Attached by the caller in the same transaction. */
  pictures: readonly StoredPicture[];
  pdf?: StoredPdf | null;
  /** Whether the caller sends an email of its own about it. */
  hasOwnEmail?: boolean;
  isQuoteRequest?: boolean;
  /** Runs in the transaction after the message is written and before events and emails. */
  onWritten?: (at: { conversationId: string; number: number }) => Promise<void>;
};

/** Outside a transaction the attempt stays counted even if nothing is sent. */
export const countSentMessage = (db: Db, userId: string) => countAttempt(db, `messages-by:${userId}`, sendLimit);

/**
 * Sends a message in one of the user's conversations; idempotent per `clientId`. Throws
 * `conversation_not_found`, `blocked`, `blocked_by_you`, `member_left`, `too_many_requests`, and what files throw.
 */
export async function sendMessage(
  context: MessageContext,
  userId: string,
  conversationId: string,
  form: { message: string; clientId: string },
  files: readonly UploadedFile[],
): Promise<Message> {
  if (form.message === '' && files.length === 0) throw invalidField('message', 'Message is required');
  return sendWithFiles(context, userId, conversationId, form, { load: () => loadFiles(files, userId) });
}

/** The same for files that `load` gives once the message may be sent. `onSent` is part of the transaction that writes it. */
export async function sendWithFiles(
  context: MessageContext,
  userId: string,
  conversationId: string,
  form: { message: string; clientId: string },
  { load, onSent }: { load: () => Promise<LoadedFiles>; onSent?: (tx: Tx) => Promise<void> },
): Promise<Message> {
  const { db, store } = context;
  const side = await findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  const known = await findMessageByClientId(db, conversationId, side.role, form.clientId);
  if (known) return toMessage(known, side.role);
  // Checked again in the transaction; checked here to reject before files are processed.
  checkCanWrite({
    blockedBySender: side.blocked_by_me,
    blockedByReceiver: side.blocked_by_them,
    isReceiverDeleted: side.deleted_at !== null,
  });
  await countSentMessage(db, userId);

  const attachments = await storeAttachments(db, store, await load());
  const keys = listKeys(attachments);
  try {
    const { row, isNew } = await db.transaction().execute(async (tx) => {
      const conversation = await queries.lockConversation(tx, conversationId);
      if (!conversation) throw new AppError('conversation_not_found');
      const delivered = await writeMessage(context, tx, conversation, side.role, {
        text: form.message,
        clientId: form.clientId,
        ...attachments,
      });
      if (delivered.isNew) {
        await attachFiles(tx, keys);
        await onSent?.(tx);
      }
      return delivered;
    });
    if (!isNew) await discardFiles(db, store, keys);
    return toMessage(row, side.role);
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

/** Writes a message into a locked conversation and publishes it to both sides. */
export async function writeMessage(
  context: MessageContext,
  tx: Tx,
  conversation: LockedConversation,
  role: Role,
  message: NewMessage,
): Promise<{ row: MessageRow; isNew: boolean }> {
  const { id, buyer_id: buyerId, seller_id: sellerId } = conversation;
  const [senderId, receiverId] = role === 'buyer' ? [buyerId, sellerId] : [sellerId, buyerId];
  checkCanWrite(await queries.findWriteBlocks(tx, senderId, receiverId));

  const at = context.clock.now();
  const number = conversation.last_number + 1;
  const { text, clientId, pictures, pdf = null, hasOwnEmail = false } = message;
  const written = { role, text, warnings: listWarnings(text), clientId, pictures, pdf, hasOwnEmail, at };
  const row = await queries.insertMessage(tx, id, number, written);
  if (!row) {
    const known = clientId === null ? undefined : await findMessageByClientId(tx, id, role, clientId);
    if (!known) throw new Error('the message with the conflicting clientId is missing');
    return { row: known, isNew: false };
  }
  await message.onWritten?.({ conversationId: id, number });
  const schedule = scheduleEmail(at);
  const emailAt = hasOwnEmail ? null : schedule.emailAt;
  const unread = await queries.recordMessage(tx, { conversationId: id, number, from: role, at, ...schedule, emailAt });
  if (number === 1) await emailFirstMessage(context, tx, id);

  await pushMessage(context, tx, {
    conversationId: id,
    receiverId,
    reader: getOtherRole(role),
    text: text || (pictures.length > 0 ? 'Sent a picture' : 'Sent a PDF'),
    isQuoteRequest: message.isQuoteRequest ?? false,
  });

  const isNewlyUnread = unread === 1;
  if (isNewlyUnread) await lockReceivers(tx, [senderId, receiverId]);
  await appendEvents(tx, [
    { userId: senderId, kind: 'message', data: { conversationId: id, message: toMessage(row, role) } },
    { userId: receiverId, kind: 'message', data: { conversationId: id, message: toMessage(row, getOtherRole(role)) } },
    ...(isNewlyUnread ? [{ userId: receiverId, kind: 'unread', data: { conversations: await countUnread(tx, receiverId) } } as const] : []),
  ]);
  return { row, isNew: true };
}

type WriteBlocks = { blockedBySender: boolean; blockedByReceiver: boolean; isReceiverDeleted: boolean };

/** Throws if either side has blocked the other or the receiver's account is deleted. */
export function checkCanWrite(stops: WriteBlocks | undefined): void {
  if (stops?.blockedByReceiver) throw new AppError('blocked');
  if (stops?.blockedBySender) throw new AppError('blocked_by_you');
  if (stops?.isReceiverDeleted ?? true) throw new AppError('member_left');
}
