import { sql } from 'kysely';
import type { JobTime } from '@handwise/contract/messages/job-words';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import type { StoredPicture } from '../../kit/files/stored-files.ts';
import { getTotal } from './messages.queries.ts';

const requestColumns = [
  'quote_requests.id',
  'job',
  'category_code',
  'sub_category_code',
  'quote_requests.place',
  'timing',
  'pictures',
  'quote_requests.created_at',
  'closed_at',
] as const;

// As text, because a date without a time would shift with the server's time zone.
const wantedOnText = sql<string | null>`wanted_on::text`.as('wanted_on');

const selectRequests = (db: Reader) => db.selectFrom('quote_requests').select(requestColumns).select(wantedOnText);

export type QuoteRequestRow = Awaited<ReturnType<ReturnType<typeof selectRequests>['execute']>>[number];

export const findQuoteRequestByClientId = (db: Reader, userId: string, clientId: string) =>
  selectRequests(db).where('user_id', '=', userId).where('client_id', '=', clientId).executeTakeFirst();

/** Newest first. */
export const listQuoteRequestsOfUser = (db: Reader, userId: string, { skip, take }: { skip: number; take: number | null }) =>
  selectRequests(db)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(skip)
    .$if(take !== null, (query) => query.limit(take ?? 0))
    .execute();

export const countQuoteRequestsSince = async (db: Reader, userId: string, since: Date) =>
  getTotal(
    await db
      .selectFrom('quote_requests')
      .select(rowCount.as('total'))
      .where('user_id', '=', userId)
      .where('created_at', '>', since)
      .executeTakeFirst(),
  );

/** Receivers in the order of sending, with the time of each one's first answer. */
export const listQuoteRequestReceivers = (db: Reader, requestIds: readonly string[]) =>
  db
    .selectFrom('quote_receivers')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .innerJoin('participants', (join) => join.onRef('participants.conversation_id', '=', 'conversations.id').on('role', '=', 'buyer'))
    .select(['request_id', 'conversations.id as conversation_id', 'listing_id', 'service_title', 'business_title', 'status', 'unread'])
    .select((eb) =>
      eb
        .selectFrom('messages')
        .select(({ fn }) => fn.min('messages.created_at').as('at'))
        .whereRef('messages.conversation_id', '=', 'quote_receivers.conversation_id')
        .whereRef('messages.number', '>', 'quote_receivers.number')
        .where('from_seller', '=', true)
        .as('answered_at'),
    )
    .where('request_id', '=', anyId(requestIds))
    .orderBy('place')
    .execute();

export type QuoteRequestReceiverRow = Awaited<ReturnType<typeof listQuoteRequestReceivers>>[number];

export const findNewestQuoteRequest = (db: Reader, conversationId: string) =>
  selectRequests(db)
    .innerJoin('quote_receivers', 'request_id', 'quote_requests.id')
    .where('conversation_id', '=', conversationId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

type NewRequest = {
  user_id: string;
  client_id: string;
  job: string;
  category_code: number;
  sub_category_code: number | null;
  place: string;
  timing: JobTime;
  wanted_on: string | null;
  created_at: Date;
};

export const insertQuoteRequest = (tx: Tx, values: NewRequest, pictures: readonly StoredPicture[]) =>
  tx
    .insertInto('quote_requests')
    .values({ ...values, pictures: JSON.stringify(pictures) })
    .returning(requestColumns)
    .returning(wantedOnText)
    .executeTakeFirstOrThrow();

export const insertQuoteRequestReceiver = (
  tx: Tx,
  values: { request_id: string; place: number; conversation_id: string; number: number },
) => tx.insertInto('quote_receivers').values(values).execute();

/** Idempotent: returns the time of the first closing; undefined if the user has no such request. */
export async function closeQuoteRequestOfUser(tx: Tx, userId: string, id: string, at: Date) {
  const closed = await tx
    .updateTable('quote_requests')
    .set({ closed_at: sql<Date>`coalesce(closed_at, ${at})` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('closed_at')
    .executeTakeFirst();
  return closed?.closed_at ?? undefined;
}

/** The conversations that a request was sent in, in the order of sending. */
export const listQuoteRequestConversations = (db: Reader, requestId: string) =>
  db
    .selectFrom('quote_receivers')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .select(['conversation_id', 'seller_id', 'buyer_id', 'listing_id'])
    .where('request_id', '=', requestId)
    .orderBy('place')
    .execute();

export const countQuoteRequestsOfUser = async (db: Reader, userId: string) =>
  getTotal(await db.selectFrom('quote_requests').select(rowCount.as('total')).where('user_id', '=', userId).executeTakeFirst());

/** The first message of a conversation, and the quote request that it is, if any. */
export const getFirstMessage = (db: Reader, conversationId: string) =>
  db
    .selectFrom('messages')
    .leftJoin('quote_receivers', (join) =>
      join
        .onRef('quote_receivers.conversation_id', '=', 'messages.conversation_id')
        .onRef('quote_receivers.number', '=', 'messages.number'),
    )
    .select(['body', 'messages.pictures', 'messages.pdf', 'request_id'])
    .where('messages.conversation_id', '=', conversationId)
    .where('messages.number', '=', 1)
    .executeTakeFirstOrThrow();
