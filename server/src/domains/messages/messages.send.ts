import type { Message } from '@handwise/contract/messages/calls';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { processPictures } from '../../kit/images/images.ts';
import { appendEvents, lockReceivers } from '../../kit/events/live-events.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { type StoredPicture, attachFiles, discardFiles, storePictures } from '../../kit/files/stored-files.ts';
import type { MessageContext } from './messages.context.ts';
import { mailFirst, mailTimes } from './messages.notify.ts';
import { type MessageRow, type Role, countUnread, findByClientId, findSide, otherOf } from './messages.queries.ts';
import type { LockedConversation } from './messages.sending.queries.ts';
import * as queries from './messages.sending.queries.ts';
import { asMessage } from './messages.views.ts';

/** What one person sends, in whatever conversations. */
const sendLimit = { max: 30, windowSeconds: 60 };

export type NewMessage = {
  text: string;
  clientId: string | null;
  /** Whoever delivers it attaches them. */
  pictures: readonly StoredPicture[];
  /** What is written of it beside itself, before it is told and mailed. */
  onWritten?: (at: { conversationId: string; number: number }) => Promise<void>;
};

/** Outside of a transaction what is counted stays counted, also where nothing is sent. */
export const countMessage = (db: Db, userId: string) => countAttempt(db, `messages-by:${userId}`, sendLimit);

/**
 * Sends a message in a conversation of one's own; the same `clientId` twice is one message, and the answer the same. Throws
 * `conversation_not_found`, `blocked`, `blocked_by_you`, `member_left`, `too_many_requests`, and what pictures throw.
 */
export async function sendMessage(
  context: MessageContext,
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
  refuseStopped({ blockedBySender: side.blocked_by_me, blockedByReceiver: side.blocked_by_them, hasLeft: side.deleted_at !== null });
  await countMessage(db, userId);

  const processed = await processPictures(files, userId);
  const pictures = await storePictures(db, store, named(processed));
  const keys = pictures.map(({ key }) => key);
  try {
    const { row, isNew } = await db.transaction().execute(async (tx) => {
      const conversation = await queries.lockConversation(tx, conversationId);
      if (!conversation) throw new AppError('conversation_not_found');
      const delivered = await deliver(context, tx, conversation, side.role, { text: form.message, clientId: form.clientId, pictures });
      if (delivered.isNew) await attachFiles(tx, keys);
      return delivered;
    });
    if (!isNew) await discardFiles(db, store, keys);
    return asMessage(row, side.role);
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

/** Pictures of a message with what is said of them to who cannot see them. */
export function named<Picture>(pictures: readonly Picture[]): (Picture & { alt: string })[] {
  const alt = (index: number) => (pictures.length > 1 ? `Picture ${index + 1} of this message` : 'Picture of this message');
  return pictures.map((picture, index) => ({ ...picture, alt: alt(index) }));
}

/** Writes a message into a conversation that is locked, and tells both sides. */
export async function deliver(
  context: MessageContext,
  tx: Tx,
  conversation: LockedConversation,
  role: Role,
  message: NewMessage,
): Promise<{ row: MessageRow; isNew: boolean }> {
  const { id, buyer_id: buyerId, seller_id: sellerId } = conversation;
  const [senderId, receiverId] = role === 'buyer' ? [buyerId, sellerId] : [sellerId, buyerId];
  refuseStopped(await queries.findStops(tx, senderId, receiverId));

  const at = context.clock.now();
  const number = conversation.last_number + 1;
  const { text, clientId, pictures } = message;
  const row = await queries.insertMessage(tx, id, number, { role, text, clientId, pictures, at });
  if (!row) {
    const known = clientId === null ? undefined : await findByClientId(tx, id, role, clientId);
    if (!known) throw new Error('a message that was written before is not there');
    return { row: known, isNew: false };
  }
  await message.onWritten?.({ conversationId: id, number });
  const unread = await queries.noteMessage(tx, { conversationId: id, number, from: role, at, ...mailTimes(at) });
  if (number === 1) await mailFirst(context, tx, id);

  const isNewlyUnread = unread === 1;
  if (isNewlyUnread) await lockReceivers(tx, [senderId, receiverId]);
  await appendEvents(tx, [
    { userId: senderId, kind: 'message', data: { conversationId: id, message: asMessage(row, role) } },
    { userId: receiverId, kind: 'message', data: { conversationId: id, message: asMessage(row, otherOf(role)) } },
    ...(isNewlyUnread ? [{ userId: receiverId, kind: 'unread', data: { conversations: await countUnread(tx, receiverId) } } as const] : []),
  ]);
  return { row, isNew: true };
}

type Stops = { blockedBySender: boolean; blockedByReceiver: boolean; hasLeft: boolean };

/** Throws where one of the two has stopped the other, or the receiver is no longer there. */
export function refuseStopped(stops: Stops | undefined): void {
  if (stops?.blockedByReceiver) throw new AppError('blocked');
  if (stops?.blockedBySender) throw new AppError('blocked_by_you');
  if (stops?.hasLeft ?? true) throw new AppError('member_left');
}
