import { dayMs } from '@handwise/contract/dates';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Db, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { findListingTitle, findNewestListingTitle, isLive } from '../listings/listings.service.ts';
import * as queries from './messages.contact.queries.ts';
import type { MessageContext } from './messages.context.ts';
import { findByClientId } from './messages.queries.ts';
import { lockConversation } from './messages.sending.queries.ts';
import { openingHash } from './messages.rules.ts';
import { type NewMessage, countMessage, deliver } from './messages.send.ts';

/** New conversations of one account. */
const beginLimit = { max: 20, windowSeconds: 24 * 60 * 60 };
export const countBeginning = (db: Db, userId: string) => countAttempt(db, `conversations-by:${userId}`, beginLimit);
/** So many conversations an account may begin whose address is not confirmed. */
const unconfirmedMax = 5;
/** The same words to more listings than this within a day are flagged for moderators. */
const sameOpeningsMax = 3;

/** One person has begun conversations about many listings with the same words: the first message of each, the newest last. */
export type OnSameText = (tx: Tx, sent: { senderId: string; messageIds: readonly string[] }) => Promise<void>;

type Wanted = {
  sellerId: string;
  listingId?: string | undefined;
  subject?: string | undefined;
  message: string;
  clientId?: string | undefined;
};

/**
 * Messages the seller of a listing: in the conversation that there is, or in a new one. Throws `own_listing_message`, `seller_not_found`,
 * `listing_not_found`, `listing_not_active`, `address_not_confirmed`, and what sending throws.
 */
export async function contactSeller(context: MessageContext, buyerId: string, wanted: Wanted, onSameText: OnSameText): Promise<string> {
  const { db } = context;
  const listing = await findListing(db, buyerId, wanted);
  const existing = await queries.findConversation(db, listing.id, buyerId);
  const clientId = wanted.clientId ?? null;
  if (existing && clientId !== null && (await findByClientId(db, existing.id, 'buyer', clientId))) return existing.id;
  if (!existing && !isLive(listing)) throw new AppError('listing_not_active');
  await countMessage(db, buyerId);
  if (!existing) await countBeginning(db, buyerId);
  const message = { text: wanted.message, clientId, pictures: [] };
  return db.transaction().execute((tx) => writeToSeller(context, tx, { buyerId, listing, existing, message }, onSameText));
}

type ToSeller = {
  buyerId: string;
  listing: { id: string; seller_id: string };
  /** The conversation that there is. */
  existing: { id: string } | undefined;
  message: NewMessage;
};

/** Part of a transaction: a message to the seller of a listing, in the conversation that there is or in a new one, whose id it returns. */
export async function writeToSeller(
  context: MessageContext,
  tx: Tx,
  { buyerId, listing, existing, message }: ToSeller,
  onSameText: OnSameText,
): Promise<string> {
  const id = existing?.id ?? (await begin(context, tx, buyerId, listing, message.text));
  const conversation = await lockConversation(tx, id);
  if (!conversation) throw new AppError('listing_not_found');
  await deliver(context, tx, conversation, 'buyer', message);
  if (!existing) await flagSameText(context, tx, buyerId, message.text, onSameText);
  return id;
}

async function findListing(db: Db, buyerId: string, { sellerId, listingId, subject }: Wanted) {
  if (sellerId === buyerId) throw new AppError('own_listing_message');
  const listing =
    listingId === undefined ? await findNewestListingTitle(db, sellerId, subject ?? '') : await findListingTitle(db, listingId);
  if (!listing && listingId !== undefined) throw new AppError('listing_not_found');
  // Also where the listing is somebody else's than the one who is said to sell it.
  if (listing?.seller_id !== sellerId) throw new AppError('seller_not_found');
  return listing;
}

/** The id of the conversation with this buyer about a listing, which is begun unless somebody else was faster. */
async function begin(
  { clock }: Context,
  tx: Tx,
  buyerId: string,
  listing: { id: string; seller_id: string },
  text: string,
): Promise<string> {
  // Several first messages at once are counted one after the other.
  const buyer = await lockUser(tx, buyerId);
  const begun = await queries.findConversation(tx, listing.id, buyerId);
  if (begun) return begun.id;
  if (buyer.email_confirmed_at === null && (await queries.countBegun(tx, buyerId)) >= unconfirmedMax) {
    throw new AppError('address_not_confirmed');
  }
  const values = {
    listing_id: listing.id,
    buyer_id: buyerId,
    seller_id: listing.seller_id,
    opening_hash: openingHash(text),
    created_at: clock.now(),
  };
  const { id } = await queries.insertConversation(tx, values);
  return id;
}

/** To be called once the conversation has its first message, while the buyer is locked. */
async function flagSameText({ clock }: Context, tx: Tx, buyerId: string, text: string, onSameText: OnSameText): Promise<void> {
  const hash = openingHash(text);
  const since = new Date(clock.now().getTime() - dayMs);
  const messageIds = await queries.listSameOpenings(tx, buyerId, hash, since);
  if (messageIds.length <= sameOpeningsMax) return;
  await queries.flagSameOpenings(tx, buyerId, hash, since);
  await onSameText(tx, { senderId: buyerId, messageIds });
}
