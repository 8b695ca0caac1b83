import { dayMs } from '@handwise/contract/dates';
import { conversationPageSize, messagePageSize } from '@handwise/contract/messages/calls';
import { minReplyTimeAnswers, replyTimeDays } from '@handwise/contract/messages/reply-time';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { appendEvents, lockReceivers } from '../../kit/events/live-events.ts';
import { listFastSellers, listReplyTimes } from './messages.figures.queries.ts';
import { findRecipient } from './messages.notify.ts';
import * as queries from './messages.queries.ts';
import { findNewestIn } from './quotes/messages.quotes.queries.ts';
import { asQuotedJob } from './quotes/messages.quotes.views.ts';
import * as sending from './messages.sending.queries.ts';
import { asConversation, asMessage } from './messages.views.ts';

export type { MessageContext } from './messages.context.ts';
export { countLeadsOfLastMonth, countMessagesByDay, listMessagedSince } from './messages.figures.queries.ts';
export { leaveConversations } from './messages.leaving.ts';
export { ownDataOf } from './messages.own-data.ts';
export { contactSeller, type OnSameText } from './messages.contact.ts';
export { firstContactOf } from './messages.evidence.queries.ts';
export { isReplyAddress, takeAnswer } from './messages.inbound.ts';
export { findForModerators } from './messages.moderation.ts';
export { closeQuoteRequest, listQuoteRequests, requestQuote } from './quotes/messages.quotes.ts';
export { sendMessage } from './messages.send.ts';
export const { countUnread } = queries;

export async function listConversations(
  db: Db,
  userId: string,
  asked: { page?: number | undefined; limit?: number | undefined; listingId?: string | undefined },
) {
  const page = asked.page ?? 1;
  const take = asked.limit ?? conversationPageSize;
  const [rows, total] = await Promise.all([
    queries.listSides(db, userId, { listingId: asked.listingId, skip: (page - 1) * take, take }),
    queries.countSides(db, userId, asked.listingId),
  ]);
  return {
    conversations: rows.map(asConversation),
    currentPage: page,
    totalPages: Math.ceil(total / take),
    totalConversations: total,
  };
}

export async function getConversation(
  db: Db,
  userId: string,
  conversationId: string,
  asked: { before?: number | undefined; after?: number | undefined },
) {
  const side = await findOwn(db, userId, conversationId);
  // One more than is shown says whether there are more.
  const rows = await queries.listMessages(db, conversationId, asked, messagePageSize + 1);
  const hasMore = rows.length > messagePageSize;
  const shown = asked.after === undefined ? rows.slice(0, messagePageSize) : rows.slice(-messagePageSize);
  const [quote, { isConfirmed }] = await Promise.all([findNewestIn(db, conversationId), findRecipient(db, conversationId, side.role)]);
  return {
    conversation: asConversation(side),
    quoteRequest: quote ? asQuotedJob(quote) : null,
    messages: shown.map((row) => asMessage(row, side.role)),
    emailWaits: !isConfirmed,
    hasMore,
  };
}

async function findOwn(db: Db, userId: string, conversationId: string) {
  const side = await queries.findSide(db, userId, conversationId);
  if (!side) throw new AppError('conversation_not_found');
  return side;
}

/** Marks the other side's messages up to a number as seen, and resolves to how many are still unseen. */
export async function markSeen({ db, clock }: Context, userId: string, conversationId: string, upTo: number): Promise<number> {
  const { role, other_id: otherId } = await findOwn(db, userId, conversationId);
  return db.transaction().execute(async (tx) => {
    await sending.lockConversation(tx, conversationId);
    const at = clock.now();
    const seen = await sending.setSeen(tx, conversationId, role, upTo, at);
    if (seen.length === 0) return sending.findUnread(tx, conversationId, role);
    const unread = await sending.lowerUnread(tx, conversationId, role, seen.length);
    await lockReceivers(tx, [userId, otherId]);
    const told = { conversationId, number: Math.max(...seen), seenAt: at.toISOString() };
    await appendEvents(tx, [
      { userId: otherId, kind: 'seen', data: { ...told, by: 'them' } },
      { userId, kind: 'seen', data: { ...told, by: 'me' } },
      ...(unread === 0 ? [{ userId, kind: 'unread', data: { conversations: await queries.countUnread(tx, userId) } } as const] : []),
    ]);
    return unread;
  });
}

/** Stops the other side of a conversation, or lets it write again; in every conversation that the two have. */
export async function setBlocked({ db }: Context, userId: string, conversationId: string, blocked: boolean): Promise<void> {
  const { other_id: otherId } = await findOwn(db, userId, conversationId);
  await db.transaction().execute(async (tx) => {
    // Whoever is sending now has sent before this answers; whoever comes later is refused.
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

/** How fast the sellers of these listings answer, where there are enough answers to say. */
export async function getReplyTimes({ db, clock }: Context, listingIds: readonly string[]) {
  const since = new Date(clock.now().getTime() - replyTimeDays * dayMs);
  const rows = await listReplyTimes(db, listingIds, since);
  return rows.map(({ listing_id: listingId, answers, minutes }) => ({
    listingId,
    replyTime: minutes === null || answers < minReplyTimeAnswers ? null : { medianMinutes: Math.round(minutes), answers },
  }));
}

/** The sellers whose usual time to reply is known and is so many minutes at most. */
export const listSellersAnsweringWithin = ({ db, clock }: Pick<Context, 'db' | 'clock'>, minutes: number) =>
  listFastSellers(db, { minutes, answers: minReplyTimeAnswers, since: new Date(clock.now().getTime() - replyTimeDays * dayMs) });
