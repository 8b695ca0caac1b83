import { dayMs } from '@handwise/contract/dates';
import { conversationPageSize, messagePageSize } from '@handwise/contract/messages/calls';
import {
  type Answering,
  answerRecordLength,
  formatAnswering,
  minReplyTimeAnswers,
  replyTimeDays,
  unansweredHours,
  unansweredInARow,
} from '@handwise/contract/messages/reply-time';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { appendEvents, lockReceivers } from '../../kit/events/live-events.ts';
import { listSummaries } from '../listings/listings.service.ts';
import * as analytics from './messages.analytics.queries.ts';
import { getRecipient } from './messages.notify.ts';
import * as queries from './messages.queries.ts';
import { findNewestQuoteRequest } from './messages.quote-requests.queries.ts';
import * as sending from './messages.send.queries.ts';
import { toConversation, toMessage, toQuoteRequestJob } from './messages.views.ts';
export type { MessageHooks, MessageContext } from './messages.context.ts';

export { countLeadsOfLastMonth, countMessagesByDay, listMessagedSince } from './messages.analytics.queries.ts';
export { deleteConversationData } from './messages.own-data.ts';
export { getOwnMessageData } from './messages.own-data.ts';
export { contactSeller, countNewConversation } from './messages.contact.ts';
export { firstContactColumn } from './messages.queries.ts';
export { admitEmailReply, isReplyAddress, receiveEmailReply } from './messages.inbound.ts';
export { findMessageForModeration } from './messages.queries.ts';
export { closeQuoteRequest, listQuoteRequests, passOnFirstMessage, requestQuote } from './messages.quote-requests.ts';
export { checkCanWrite, countSentMessage, sendMessage, writeMessage } from './messages.send.ts';
export { type MailReader, findMailReader } from './messages.notify.ts';
export type { Role } from './messages.queries.ts';
export const { findConversationOfUser } = queries;
export const { findWriteBlocks, lockConversation } = sending;
export const { countUnread } = queries;

const hourMs = 3_600_000;

export async function listConversations(
  db: Db,
  userId: string,
  options: { page?: number | undefined; limit?: number | undefined; listingId?: string | undefined },
) {
  const page = options.page ?? 1;
  const take = options.limit ?? conversationPageSize;
  const [rows, total] = await Promise.all([
    queries.listConversationsOfUser(db, userId, { listingId: options.listingId, skip: (page - 1) * take, take }),
    queries.countConversationsOfUser(db, userId, options.listingId),
  ]);
  return {
    conversations: rows.map(toConversation),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalConversations: total,
  };
}

export async function getConversation(
  db: Db,
  userId: string,
  conversationId: string,
  options: { before?: number | undefined; after?: number | undefined },
) {
  const side = await getOwnConversation(db, userId, conversationId);
  // One more row than shown, to know whether there are more.
  const rows = await queries.listMessages(db, conversationId, options, messagePageSize + 1);
  const hasMore = rows.length > messagePageSize;
  const shown = options.after === undefined ? rows.slice(0, messagePageSize) : rows.slice(-messagePageSize);
  const [request, { isConfirmed }] = await Promise.all([
    findNewestQuoteRequest(db, conversationId),
    getRecipient(db, conversationId, side.role),
  ]);
  return {
    conversation: toConversation(side),
    quoteRequest: request ? toQuoteRequestJob(request) : null,
    messages: shown.map((row) => toMessage(row, side.role)),
    emailWaits: !isConfirmed,
    hasMore,
  };
}

/** The PDF of a message in the user's own conversation. Throws `conversation_not_found` and `file_not_found`. */
export async function getMessagePdf({ db, store }: Context, userId: string, conversationId: string, number: number) {
  await getOwnConversation(db, userId, conversationId);
  const pdf = await queries.findPdf(db, conversationId, number);
  const content = pdf && (await store.read(pdf.key));
  if (!content) throw new AppError('file_not_found');
  return { ...pdf, content };
}

async function getOwnConversation(db: Db, userId: string, conversationId: string) {
  const side = await queries.findConversationOfUser(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  return side;
}

/** Marks the other side's messages up to a number as seen and returns the unread count. */
export async function markSeen({ db, clock }: Context, userId: string, conversationId: string, upTo: number): Promise<number> {
  const { role, other_id: otherId } = await getOwnConversation(db, userId, conversationId);
  return db.transaction().execute(async (tx) => {
    await sending.lockConversation(tx, conversationId);
    const at = clock.now();
    const seen = await sending.markMessagesSeen(tx, conversationId, role, upTo, at);
    if (seen.length === 0) return sending.getUnread(tx, conversationId, role);
    const unread = await sending.decreaseUnread(tx, conversationId, role, seen.length);
    await lockReceivers(tx, [userId, otherId]);
    const seenEvent = { conversationId, number: Math.max(...seen), seenAt: at.toISOString() };
    await appendEvents(tx, [
      { userId: otherId, kind: 'seen', data: { ...seenEvent, by: 'them' } },
      { userId, kind: 'seen', data: { ...seenEvent, by: 'me' } },
      ...(unread === 0 ? [{ userId, kind: 'unread', data: { conversations: await queries.countUnread(tx, userId) } } as const] : []),
    ]);
    return unread;
  });
}

/** Blocks or unblocks the other side in every conversation between the two users. */
export async function setBlocked({ db }: Context, userId: string, conversationId: string, blocked: boolean): Promise<void> {
  const { other_id: otherId } = await getOwnConversation(db, userId, conversationId);
  await db.transaction().execute(async (tx) => {
    // The locks order the block after messages being sent now and before later ones, which are rejected.
    const conversations = await sending.lockConversationsBetween(tx, userId, otherId);
    if (blocked) await sending.insertBlock(tx, userId, otherId);
    else await sending.deleteBlock(tx, userId, otherId);
    const sides = conversations.flatMap(({ id }) => [userId, otherId].map((side) => ({ userId: side, data: { conversationId: id } })));
    await appendEvents(
      tx,
      sides.map((side) => ({ ...side, kind: 'block' })),
    );
  });
}

export type SellerAnswering = Answering & {
  sellerId: string;
  /** Unanswered first messages since the last answer. */
  inRow: number;
};

/**
 * How fast these sellers answer and how many of their newest first messages they have answered, in the order of the ids. Several unanswered ones in a
 * row leave a seller without a reply time: how fast they once were says nothing.
 */
export async function listAnswering(
  { clock }: Pick<Context, 'clock'>,
  db: Reader,
  sellerIds: readonly string[],
): Promise<SellerAnswering[]> {
  const now = clock.now().getTime();
  const [records, times] = await Promise.all([
    analytics.listAnswerRecords(db, sellerIds, new Date(now - unansweredHours * hourMs), answerRecordLength),
    analytics.listReplyMinutes(db, sellerIds, new Date(now - replyTimeDays * dayMs)),
  ]);
  const timeOf = new Map(times.map((row) => [row.seller_id, row]));
  return records.map(({ seller_id: sellerId, given, of, in_row: inRow }) => {
    const time = timeOf.get(sellerId);
    const isKnown = time !== undefined && time.minutes !== null && time.answers >= minReplyTimeAnswers && inRow < unansweredInARow;
    return { sellerId, given, of, inRow, minutes: isKnown ? Math.round(time.minutes ?? 0) : null };
  });
}

/** How the sellers of these listings answer, in the order of the ids; null for an unknown listing. */
export async function getReplyTimes(context: Context, listingIds: readonly string[]) {
  const sellerOf = new Map((await listSummaries(context.db, { ids: listingIds })).map((one) => [one.id, one.sellerId]));
  const found = await listAnswering(context, context.db, [...new Set(sellerOf.values())]);
  const answering = new Map(found.map(({ sellerId, minutes, given, of }) => [sellerId, { minutes, given, of }]));
  return listingIds.map((listingId) => {
    const one = answering.get(sellerOf.get(listingId) ?? '') ?? { minutes: null, given: 0, of: 0 };
    return { listingId, ...one, text: formatAnswering(one) };
  });
}

/** How each seller that anyone has written to answers, in batches. */
export async function* listAllAnswering(context: Pick<Context, 'db' | 'clock'>, batchSize: number): AsyncGenerator<SellerAnswering[]> {
  for (let after: string | undefined; ;) {
    const ids = await analytics.listSellersWrittenTo(context.db, after, batchSize);
    if (ids.length > 0) yield await listAnswering(context, context.db, ids);
    after = ids.at(-1);
    if (ids.length < batchSize) return;
  }
}
