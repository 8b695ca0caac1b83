import { type Selectable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import type { Steps } from './unanswered.rules.ts';

// What follows a message is decided by the conversation, both accounts and the listing, which are only read here.

export const insertReminder = (tx: Tx, conversationId: string, { first, second, household }: Steps) =>
  tx
    .insertInto('answer_reminders')
    .values({
      conversation_id: conversationId,
      first_due_at: first,
      second_due_at: second,
      household_due_at: household,
      next_due_at: new Date(Math.min(first.getTime(), household.getTime())),
    })
    .execute();

export const listDueReminders = async (db: Reader, now: Date, most: number) =>
  (
    await db
      .selectFrom('answer_reminders')
      .select('conversation_id')
      .where('next_due_at', '<=', now)
      .orderBy('next_due_at')
      .limit(most)
      .execute()
  ).map((row) => row.conversation_id);

/** Undefined if another server has it. */
export const lockDueReminder = (tx: Tx, conversationId: string, now: Date) =>
  tx
    .selectFrom('answer_reminders')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('next_due_at', '<=', now)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();

export const lockReminder = (tx: Tx, conversationId: string) =>
  tx.selectFrom('answer_reminders').selectAll().where('conversation_id', '=', conversationId).forUpdate().executeTakeFirst();

export const findReminder = (db: Reader, conversationId: string) =>
  db.selectFrom('answer_reminders').selectAll().where('conversation_id', '=', conversationId).executeTakeFirst();

type Columns = Partial<Selectable<DB['answer_reminders']>>;

export const updateReminder = (tx: Tx, conversationId: string, columns: Columns) =>
  tx.updateTable('answer_reminders').set(columns).where('conversation_id', '=', conversationId).execute();

const isBlocked = sql<boolean>`exists (select from blocks where (blocker_id = conversations.buyer_id and blocked_id = conversations.seller_id)
  or (blocker_id = conversations.seller_id and blocked_id = conversations.buyer_id))`;

/** What decides whether anybody is still to be reminded. `asked` is the quote request that the first message is, if any. */
export const getFacts = (db: Reader, conversationId: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .innerJoin('users as seller', 'seller.id', 'conversations.seller_id')
    .innerJoin('users as buyer', 'buyer.id', 'conversations.buyer_id')
    .innerJoin('messages as opening', (join) =>
      join.onRef('opening.conversation_id', '=', 'conversations.id').on('opening.number', '=', sql.lit(1)),
    )
    .leftJoin('quote_receivers as received', (join) =>
      join.onRef('received.conversation_id', '=', 'conversations.id').on('received.number', '=', sql.lit(1)),
    )
    .leftJoin('quote_requests as asked', 'asked.id', 'received.request_id')
    .select(['conversations.buyer_id', 'conversations.seller_id', 'conversations.answered_at', 'conversations.created_at'])
    .select(['opening.body', 'listings.status', 'listings.service_title', 'listings.business_title', 'listings.business_email'])
    .select(['listings.country', 'listings.region_code', 'listings.district_code', 'listings.base_locality_code'])
    .select(['listings.category_code', 'listings.sub_category_code'])
    .select((eb) => [
      eb.ref('seller.deleted_at').as('seller_deleted_at'),
      eb.ref('seller.suspended_at').as('seller_suspended_at'),
      eb.ref('buyer.deleted_at').as('buyer_deleted_at'),
      eb.ref('buyer.suspended_at').as('buyer_suspended_at'),
      eb.ref('asked.id').as('request_id'),
      eb.ref('asked.closed_at').as('closed_at'),
      eb.ref('asked.place').as('asked_place'),
      eb.ref('asked.category_code').as('asked_category'),
      eb.ref('asked.sub_category_code').as('asked_sub_category'),
      isBlocked.as('is_blocked'),
    ])
    .where('conversations.id', '=', conversationId)
    .executeTakeFirstOrThrow();

export type Facts = Awaited<ReturnType<typeof getFacts>>;

/** Whether another business has answered the request, or its household was told of another one. */
export const isRequestServed = async (db: Reader, requestId: string, conversationId: string): Promise<boolean> =>
  (await db
    .selectFrom('quote_receivers')
    .innerJoin('conversations', 'conversations.id', 'quote_receivers.conversation_id')
    .leftJoin('answer_reminders', 'answer_reminders.conversation_id', 'conversations.id')
    .select('conversations.id')
    .where('request_id', '=', requestId)
    .where('conversations.id', '<>', conversationId)
    .where((eb) => eb.or([eb('answered_at', 'is not', null), eb('household_told_at', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Whether the seller was told of unanswered messages in a row since their last answer. */
export const isStreakTold = async (db: Reader, sellerId: string): Promise<boolean> =>
  (await db
    .selectFrom('answer_reminders')
    .innerJoin('conversations', 'conversations.id', 'conversation_id')
    .select('conversation_id')
    .where('seller_id', '=', sellerId)
    .where('streak_told_at', 'is not', null)
    .where(
      'conversations.created_at',
      '>',
      sql<Date>`coalesce((select max(c.created_at) from conversations as c where c.seller_id = ${sellerId} and c.answered_at is not null), '-infinity')`,
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** The businesses that got the message, in the order of asking. */
export const listPassedOn = (db: Reader, conversationId: string) =>
  db
    .selectFrom('passed_on_messages')
    .innerJoin('conversations', 'conversations.id', 'to_conversation_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['to_conversation_id', 'listing_id', 'business_title', 'passed_on_messages.created_at'])
    .where('conversation_id', '=', conversationId)
    .orderBy('place')
    .execute();

export const insertPassedOn = (tx: Tx, values: { conversation_id: string; place: number; to_conversation_id: string; created_at: Date }) =>
  tx.insertInto('passed_on_messages').values(values).execute();

/** Conversations that were answered after others were asked, whose business has not been told. */
export const listLateAnswers = async (db: Reader, since: Date, most: number) =>
  (
    await db
      .selectFrom('passed_on_messages')
      .innerJoin('answer_reminders', 'answer_reminders.conversation_id', 'passed_on_messages.conversation_id')
      .innerJoin('conversations', 'conversations.id', 'passed_on_messages.conversation_id')
      .select('conversations.id')
      .where('place', '=', 1)
      .where('passed_on_messages.created_at', '>', since)
      .where('late_answer_told_at', 'is', null)
      .whereRef('answered_at', '>', 'passed_on_messages.created_at')
      .limit(most)
      .execute()
  ).map((row) => row.id);

/** Those of these sellers whom the user has a conversation with, or who have blocked or are blocked by the user. */
export const listUnaskable = async (db: Reader, userId: string, sellerIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const talking = db.selectFrom('conversations').select('seller_id as id').where('buyer_id', '=', userId);
  const blocked = db.selectFrom('blocks').select('blocked_id as id').where('blocker_id', '=', userId);
  const blocking = db.selectFrom('blocks').select('blocker_id as id').where('blocked_id', '=', userId);
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyId(sellerIds))
    .where((eb) => eb.or([eb('id', 'in', talking), eb('id', 'in', blocked), eb('id', 'in', blocking), eb('suspended_at', 'is not', null)]))
    .execute();
  return new Set(rows.map(({ id }) => id));
};

/** Reminders to businesses, and messages that were passed on, in a period. */
export async function countReminders(db: Reader, { from, until }: { from: Date; until: Date }) {
  const within = (time: string) => sql`count(*) filter (where ${sql.ref(time)} >= ${from} and ${sql.ref(time)} < ${until})`;
  const { rows } = await sql<{ reminders: number; passed_on: number }>`
    select (${within('first_sent_at')} + ${within('second_sent_at')})::int as reminders,
      (select count(*)::int from passed_on_messages where created_at >= ${from} and created_at < ${until}) as passed_on
    from answer_reminders`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count has a row');
  return row;
}
