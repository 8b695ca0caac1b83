import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { deleteEvents } from '../../kit/events/live-events.ts';
import { deleteMailPreferences } from '../../kit/mail/mail-preferences.ts';
import { type OwnData, toOwnPdf, toOwnPicture } from '../../kit/own-data.ts';
import { listQuoteRequestReceivers, listQuoteRequestsOfUser } from './messages.quote-requests.queries.ts';
import { toQuoteRequestJob } from './messages.views.ts';

const conversationsAtOnce = 50;

/** All messages of a user's conversations, both sent and received. */
export const getOwnMessageData = async (db: Reader, userId: string): Promise<OwnData> => ({
  lists: {
    conversations: () => listOwnConversations(db, userId),
    blocks: () => listBlocks(db, userId),
    'quote-requests': () => listOwnQuoteRequests(db, userId),
  },
  files: [
    ...(await listPictures(db, userId)).map((picture) => toOwnPicture('messages', picture)),
    ...(await listPdfs(db, userId)).map(toOwnPdf),
  ],
});

const listOwnQuoteRequests = async (db: Reader, userId: string) => {
  const rows = await listQuoteRequestsOfUser(db, userId, { skip: 0, take: null });
  const receivers = await listQuoteRequestReceivers(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...toQuoteRequestJob(row),
    pictures: row.pictures.map((picture) => toOwnPicture('messages', picture).name),
    conversations: receivers.filter((one) => one.request_id === row.id).map((one) => one.conversation_id),
  }));
};

export async function* listOwnConversations(db: Reader, userId: string, atOnce = conversationsAtOnce) {
  for (let after: string | undefined; ;) {
    const conversations = await listConversations(db, userId, after, atOnce);
    for (const conversation of conversations) {
      const messages = await listMessages(db, conversation.id);
      const { role } = conversation;
      yield {
        ...conversation,
        messages: messages.map(({ fromSeller, pictures, pdf, ...message }) => ({
          ...message,
          mine: fromSeller === (role === 'seller'),
          pictures: pictures.map((picture) => toOwnPicture('messages', picture).name),
          pdf: pdf && { name: pdf.name, file: toOwnPdf(pdf).name },
        })),
      };
    }
    after = conversations.at(-1)?.id;
    if (conversations.length < atOnce) return;
  }
}

/** A batch of a user's conversations after a given id, with their listings. */
const listConversations = (db: Reader, userId: string, after: string | undefined, atOnce: number) =>
  db
    .selectFrom('participants')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select([
      'conversations.id',
      'listing_id as listingId',
      'service_title as serviceTitle',
      'role',
      'conversations.created_at as createdAt',
    ])
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where('conversations.id', '>', after ?? ''))
    .orderBy('conversations.id')
    .limit(atOnce)
    .execute();

const listMessages = (db: Reader, conversationId: string) =>
  db
    .selectFrom('messages')
    .select(['number', 'body as text', 'from_seller as fromSeller', 'pictures', 'pdf', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('conversation_id', '=', conversationId)
    .orderBy('number')
    .execute();

const listBlocks = (db: Reader, userId: string) =>
  db.selectFrom('blocks').select('created_at as createdAt').where('blocker_id', '=', userId).orderBy('created_at').execute();

/** Pictures that a user has sent and received. */
const listPictures = async (db: Reader, userId: string) =>
  (
    await db
      .selectFrom('participants')
      .innerJoin('messages', 'messages.conversation_id', 'participants.conversation_id')
      .select('pictures')
      .where('user_id', '=', userId)
      .where(sql<boolean>`pictures <> '[]'::jsonb`)
      .execute()
  ).flatMap((row) => row.pictures);

/** PDFs that a user has sent and received. */
const listPdfs = async (db: Reader, userId: string) =>
  (
    await db
      .selectFrom('participants')
      .innerJoin('messages', 'messages.conversation_id', 'participants.conversation_id')
      .select('pdf')
      .where('user_id', '=', userId)
      .where('pdf', 'is not', null)
      .execute()
  ).flatMap(({ pdf }) => pdf ?? []);

/**
 * Part of account deletion. Conversations and messages stay for the other side, which can no longer write in them; quote requests, blocks
 * and pending emails are deleted.
 */
export async function deleteConversationData(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('participants').set({ mail_due_at: null }).where('user_id', '=', userId).execute();
  await tx.deleteFrom('quote_requests').where('user_id', '=', userId).execute();
  await tx.deleteFrom('blocks').where('blocker_id', '=', userId).execute();
  await deleteEvents(tx, userId);
  await deleteMailPreferences(tx, userId);
}
