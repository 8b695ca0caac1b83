import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { attachFiles, discardFiles } from '../../kit/files/stored-files.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findListingTitle, findNewestListingTitle, isLive } from '../listings/listings.service.ts';
import { listKeys, loadFiles, storeAttachments } from './messages.attachments.ts';
import type { MessageHooks, MessageContext } from './messages.context.ts';
import * as queries from './messages.queries.ts';
import { findMessageByClientId } from './messages.queries.ts';
import { hashOpening } from './messages.rules.ts';
import { findWriteBlocks, lockConversation } from './messages.send.queries.ts';
import { type NewMessage, checkCanWrite, countSentMessage, writeMessage } from './messages.send.ts';

/** New conversations per account. */
const newConversationLimit = { max: 20, windowSeconds: 24 * 60 * 60 };
export const countNewConversation = (db: Db, userId: string) => countAttempt(db, `conversations-by:${userId}`, newConversationLimit);
/** Conversations that an account with an unconfirmed address may start in total. */
const maxUnconfirmedConversations = 5;
/** The same text to more listings than this within a day is flagged for moderators. */
const maxSameOpenings = 3;

type ContactForm = {
  sellerId: string;
  listingId?: string | undefined;
  subject?: string | undefined;
  message: string;
  clientId?: string | undefined;
};

/**
 * Messages the seller of a listing in the existing conversation or a new one. Throws `own_listing_message`, `seller_not_found`,
 * `listing_not_found`, `listing_not_active`, `address_not_confirmed`, and what sending throws.
 */
export async function contactSeller(
  context: MessageContext,
  buyerId: string,
  wanted: ContactForm,
  files: readonly UploadedFile[],
  hooks: MessageHooks,
): Promise<string> {
  const { db, store } = context;
  const listing = await getListing(db, buyerId, wanted);
  const existing = await queries.findConversation(db, listing.id, buyerId);
  const clientId = wanted.clientId ?? null;
  if (existing && clientId !== null && (await findMessageByClientId(db, existing.id, 'buyer', clientId))) return existing.id;
  if (!existing && !isLive(listing)) throw new AppError('listing_not_active');
  await countSentMessage(db, buyerId);
  if (!existing) await countNewConversation(db, buyerId);
  // Checked again in the transaction; checked here to reject before files are processed.
  checkCanWrite(await findWriteBlocks(db, buyerId, listing.seller_id));

  const attachments = await storeAttachments(db, store, await loadFiles(files, buyerId));
  const keys = listKeys(attachments);
  const message = { text: wanted.message, clientId, ...attachments };
  try {
    const { conversationId, isNew } = await db.transaction().execute(async (tx) => {
      const sent = await sendToSeller(context, tx, { buyerId, listing, existing, message }, hooks);
      if (sent.isNew) await attachFiles(tx, keys);
      return sent;
    });
    if (!isNew) await discardFiles(db, store, keys);
    return conversationId;
  } catch (error) {
    await discardFiles(db, store, keys);
    throw error;
  }
}

type ToSeller = {
  buyerId: string;
  listing: { id: string; seller_id: string };
  /** Undefined if the buyer has no conversation about the listing yet. */
  existing: { id: string } | undefined;
  message: NewMessage;
  /** Whether this is a message that another business left unanswered: by our own offer, so its text counts as sent once. */
  isPassedOn?: boolean;
};

/** Part of a transaction, in which the caller attaches the files. `isNew` is false for a message that was sent before. */
export async function sendToSeller(
  context: MessageContext,
  tx: Tx,
  { buyerId, listing, existing, message, isPassedOn = false }: ToSeller,
  hooks: MessageHooks,
): Promise<{ conversationId: string; isNew: boolean }> {
  const hash = isPassedOn ? null : hashOpening(message.text);
  const id = existing?.id ?? (await createConversation(context, tx, { buyerId, listing, hash }, hooks.onContacted));
  const conversation = await lockConversation(tx, id);
  if (!conversation) throw new AppError('listing_not_found');
  const { isNew } = await writeMessage(context, tx, conversation, 'buyer', message);
  if (!existing && hash) await flagSameText(context, tx, buyerId, hash, hooks.onSameText);
  return { conversationId: id, isNew };
}

async function getListing(db: Db, buyerId: string, { sellerId, listingId, subject }: ContactForm) {
  if (sellerId === buyerId) throw new AppError('own_listing_message');
  const listing =
    listingId === undefined ? await findNewestListingTitle(db, sellerId, subject ?? '') : await findListingTitle(db, listingId);
  if (!listing && listingId !== undefined) throw new AppError('listing_not_found');
  // Also thrown if the listing belongs to another seller than the given one.
  if (listing?.seller_id !== sellerId) throw new AppError('seller_not_found');
  return listing;
}

/** Returns the id of the existing conversation if a concurrent request has created it. */
async function createConversation(
  { clock }: Context,
  tx: Tx,
  { buyerId, listing, hash }: { buyerId: string; listing: { id: string; seller_id: string }; hash: Buffer | null },
  onContacted: MessageHooks['onContacted'],
): Promise<string> {
  // The lock serializes concurrent first messages of one buyer so that the limit is exact.
  const buyer = await lockUser(tx, buyerId);
  const existing = await queries.findConversation(tx, listing.id, buyerId);
  if (existing) return existing.id;
  if (buyer.email_confirmed_at === null && (await queries.countConversationsOfBuyer(tx, buyerId)) >= maxUnconfirmedConversations) {
    throw new AppError('address_not_confirmed');
  }
  const values = {
    listing_id: listing.id,
    buyer_id: buyerId,
    seller_id: listing.seller_id,
    opening_hash: hash,
    created_at: clock.now(),
  };
  const { id } = await queries.insertConversation(tx, values);
  await onContacted(tx, { conversationId: id, listingId: listing.id, at: values.created_at });
  return id;
}

/** Must run after the first message is written, while the buyer is locked. */
async function flagSameText(
  { clock }: Context,
  tx: Tx,
  buyerId: string,
  hash: Buffer,
  onSameText: MessageHooks['onSameText'],
): Promise<void> {
  const since = new Date(clock.now().getTime() - dayMs);
  const messageIds = await queries.listSameOpenings(tx, buyerId, hash, since);
  if (messageIds.length <= maxSameOpenings) return;
  await queries.flagSameOpenings(tx, buyerId, hash, since);
  await onSameText(tx, { senderId: buyerId, messageIds });
}
