import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database.ts';
import type { StoredPicture } from '../../kit/stored-files.ts';

export type Role = 'buyer' | 'seller';
export const otherOf = (role: Role): Role => (role === 'buyer' ? 'seller' : 'buyer');

const blocks = (db: Reader, blocker: 'other.id' | 'participants.user_id', blocked: 'other.id' | 'participants.user_id') => {
  const found = db
    .selectFrom('blocks')
    .select('blocker_id')
    .whereRef('blocker_id', '=', sql.ref(blocker))
    .whereRef('blocked_id', '=', sql.ref(blocked));
  return sql<boolean>`exists (${found})`;
};

/** Conversations as one of their sides has them, with whom they are and what was said last. */
const sides = (db: Reader) =>
  db
    .selectFrom('participants')
    .innerJoin('conversations', 'conversations.id', 'participants.conversation_id')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .innerJoin('users as other', (join) =>
      join.on((eb) =>
        eb('other.id', '=', sql<string>`case participants.role when 'buyer' then conversations.seller_id else conversations.buyer_id end`),
      ),
    )
    .innerJoin('messages as last', (join) =>
      join.onRef('last.conversation_id', '=', 'conversations.id').onRef('last.number', '=', 'conversations.last_number'),
    )
    .select(['conversations.id', 'conversations.listing_id', 'participants.role', 'participants.unread', 'conversations.last_number'])
    .select(['listings.service_title', 'listings.status', 'listings.business_title', 'listings.logo'])
    .select(['other.id as other_id', 'other.full_name', 'other.username', 'other.avatar', 'other.deleted_at'])
    .select(['last.body', 'last.from_seller', 'last.pictures', 'last.created_at', 'last.seen_at'])
    .select([
      blocks(db, 'participants.user_id', 'other.id').as('blocked_by_me'),
      blocks(db, 'other.id', 'participants.user_id').as('blocked_by_them'),
    ]);

export type SideRow = Awaited<ReturnType<ReturnType<typeof sides>['execute']>>[number];

/** A conversation as this user has it; undefined where it is none of theirs. */
export const findSide = (db: Reader, userId: string, conversationId: string) =>
  sides(db).where('participants.user_id', '=', userId).where('conversations.id', '=', conversationId).executeTakeFirst();

type Wanted = { listingId: string | undefined; skip: number; take: number };

export const listSides = (db: Reader, userId: string, { listingId, skip, take }: Wanted) =>
  sides(db)
    .where('participants.user_id', '=', userId)
    .$if(listingId !== undefined, (query) => query.where('conversations.listing_id', '=', listingId ?? ''))
    .orderBy('participants.last_message_at', 'desc')
    .orderBy('participants.conversation_id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();

const counted = (query: { total: number } | undefined) => query?.total ?? 0;

export const countSides = async (db: Reader, userId: string, listingId: string | undefined) =>
  counted(
    await db
      .selectFrom('participants')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('user_id', '=', userId)
      .$if(listingId !== undefined, (query) =>
        query.innerJoin('conversations', 'conversations.id', 'conversation_id').where('listing_id', '=', listingId ?? ''),
      )
      .executeTakeFirst(),
  );

/** In how many of a user's conversations there is something unseen. */
export const countUnread = async (db: Reader, userId: string) =>
  counted(
    await db
      .selectFrom('participants')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('user_id', '=', userId)
      .where('unread', '>', 0)
      .executeTakeFirst(),
  );

const messageColumns = ['id', 'number', 'from_seller', 'body', 'pictures', 'created_at', 'seen_at', 'client_id'] as const;
const messages = (db: Reader, conversationId: string) =>
  db.selectFrom('messages').select(messageColumns).where('conversation_id', '=', conversationId);

export type MessageRow = Awaited<ReturnType<ReturnType<typeof messages>['execute']>>[number];

/** The last messages, those before a number, or the first ones after one; the newest first. */
export async function listMessages(
  db: Reader,
  conversationId: string,
  { before, after }: { before?: number | undefined; after?: number | undefined },
  take: number,
) {
  if (after !== undefined) {
    return (await messages(db, conversationId).where('number', '>', after).orderBy('number').limit(take).execute()).toReversed();
  }
  return messages(db, conversationId)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(take)
    .execute();
}

export const findByClientId = (db: Reader, conversationId: string, role: Role, clientId: string) =>
  messages(db, conversationId)
    .where('from_seller', '=', role === 'seller')
    .where('client_id', '=', clientId)
    .executeTakeFirst();

const lockedColumns = ['id', 'listing_id', 'buyer_id', 'seller_id', 'last_number', 'answered_at'] as const;

/** Whoever sends, sees or blocks waits here for the others of this conversation. */
export const lockConversation = (tx: Tx, id: string) =>
  tx.selectFrom('conversations').select(lockedColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export type LockedConversation = NonNullable<Awaited<ReturnType<typeof lockConversation>>>;

export const lockConversationsBetween = (tx: Tx, one: string, other: string) =>
  tx
    .selectFrom('conversations')
    .select(lockedColumns)
    .where((eb) =>
      eb.or([
        eb.and([eb('buyer_id', '=', one), eb('seller_id', '=', other)]),
        eb.and([eb('buyer_id', '=', other), eb('seller_id', '=', one)]),
      ]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

export const findConversation = (db: Reader, listingId: string, buyerId: string) =>
  db.selectFrom('conversations').select('id').where('listing_id', '=', listingId).where('buyer_id', '=', buyerId).executeTakeFirst();

export async function insertConversation(
  tx: Tx,
  values: { listing_id: string; buyer_id: string; seller_id: string; opening_hash: Buffer; created_at: Date },
): Promise<{ id: string }> {
  const { id } = await tx.insertInto('conversations').values(values).returning('id').executeTakeFirstOrThrow();
  await tx
    .insertInto('participants')
    .values([
      { conversation_id: id, role: 'buyer', user_id: values.buyer_id },
      { conversation_id: id, role: 'seller', user_id: values.seller_id },
    ])
    .execute();
  return { id };
}

export const countBegun = async (db: Reader, buyerId: string) =>
  counted(
    await db
      .selectFrom('conversations')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('buyer_id', '=', buyerId)
      .executeTakeFirst(),
  );

/** How many conversations this buyer has begun since then with the same words. */
export const countSameOpenings = async (db: Reader, buyerId: string, hash: Buffer, since: Date) =>
  counted(
    await db
      .selectFrom('conversations')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('buyer_id', '=', buyerId)
      .where('opening_hash', '=', hash)
      .where('created_at', '>', since)
      .executeTakeFirst(),
  );

/** Flags the conversations that this buyer has begun since then with the same words. */
export const flagSameOpenings = (tx: Tx, buyerId: string, hash: Buffer, since: Date) =>
  tx
    .updateTable('conversations')
    .set({ flagged_because: 'same_text' })
    .where('buyer_id', '=', buyerId)
    .where('opening_hash', '=', hash)
    .where('created_at', '>', since)
    .where('flagged_because', 'is', null)
    .execute();

type NewMessage = { role: Role; text: string; pictures: readonly StoredPicture[]; clientId: string | null; at: Date };

export const insertMessage = (tx: Tx, conversationId: string, number: number, { role, text, pictures, clientId, at }: NewMessage) =>
  tx
    .insertInto('messages')
    .values({
      conversation_id: conversationId,
      number,
      from_seller: role === 'seller',
      body: text,
      pictures: JSON.stringify(pictures),
      client_id: clientId,
      created_at: at,
    })
    .returning(messageColumns)
    .executeTakeFirstOrThrow();

export const setLastNumber = (tx: Tx, id: string, values: { last_number: number; answered_at?: Date }) =>
  tx.updateTable('conversations').set(values).where('id', '=', id).execute();

/** A message has come: both sides have it at the top of their inbox, the other one unread. How many that one has not seen now. */
export async function noteMessage(tx: Tx, conversationId: string, from: Role, at: Date): Promise<number> {
  const rows = await tx
    .updateTable('participants')
    .set({ last_message_at: at, unread: sql<number>`unread + case when role = ${from} then 0 else 1 end` })
    .where('conversation_id', '=', conversationId)
    .returning(['role', 'unread'])
    .execute();
  return rows.find(({ role }) => role !== from)?.unread ?? 0;
}

/** Marks the other side's messages up to a number as seen: the numbers that were not. */
export const setSeen = async (tx: Tx, conversationId: string, reader: Role, upTo: number, at: Date) =>
  (
    await tx
      .updateTable('messages')
      .set({ seen_at: at })
      .where('conversation_id', '=', conversationId)
      .where('from_seller', '=', reader === 'buyer')
      .where('number', '<=', upTo)
      .where('seen_at', 'is', null)
      .returning('number')
      .execute()
  ).map(({ number }) => number);

export async function lowerUnread(tx: Tx, conversationId: string, reader: Role, by: number): Promise<number> {
  const { unread } = await tx
    .updateTable('participants')
    .set({ unread: sql<number>`unread - ${by}` })
    .where('conversation_id', '=', conversationId)
    .where('role', '=', reader)
    .returning('unread')
    .executeTakeFirstOrThrow();
  return unread;
}

export const findUnread = async (db: Reader, conversationId: string, role: Role) =>
  (
    await db
      .selectFrom('participants')
      .select('unread')
      .where('conversation_id', '=', conversationId)
      .where('role', '=', role)
      .executeTakeFirstOrThrow()
  ).unread;

/** Who of these two blocks the other. */
export const listBlocksBetween = (db: Reader, one: string, other: string) =>
  db
    .selectFrom('blocks')
    .select('blocker_id')
    .where((eb) =>
      eb.or([
        eb.and([eb('blocker_id', '=', one), eb('blocked_id', '=', other)]),
        eb.and([eb('blocker_id', '=', other), eb('blocked_id', '=', one)]),
      ]),
    )
    .execute();

export const insertBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx.deleteFrom('blocks').where('blocker_id', '=', blockerId).where('blocked_id', '=', blockedId).execute();

/** How fast the sellers of these listings answered since then, in the order of the ids. */
export async function listReplyTimes(db: Reader, listingIds: readonly string[], since: Date) {
  const { rows } = await sql<{ listing_id: string; answers: number; minutes: number | null }>`
    select asked.id as listing_id, answers, minutes
    from unnest(${[...listingIds]}::uuid[]) with ordinality as asked (id, place)
    left join listings on listings.id = asked.id
    cross join lateral (
      select count(*)::int as answers,
        percentile_cont(0.5) within group (order by extract(epoch from answered_at - conversations.created_at)::float8 / 60) as minutes
      from conversations where conversations.seller_id = listings.seller_id and answered_at > ${since}
    ) as answered
    order by place`.execute(db);
  return rows;
}

/** Messages to sellers in the last full calendar month of Auckland's clock. */
export async function countLeadsOfLastMonth(db: Reader, country: CountryCode | undefined, now: Date): Promise<number> {
  const begins = sql`date_trunc('month', ${now}::timestamptz at time zone 'Pacific/Auckland')`;
  return counted(
    await db
      .selectFrom('messages')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('from_seller', '=', sql.lit(false))
      .where('messages.created_at', '>=', sql<Date>`(${begins} - interval '1 month') at time zone 'Pacific/Auckland'`)
      .where('messages.created_at', '<', sql<Date>`${begins} at time zone 'Pacific/Auckland'`)
      .$if(country !== undefined, (query) =>
        query
          .innerJoin('conversations', 'conversations.id', 'conversation_id')
          .innerJoin('listings', 'listings.id', 'conversations.listing_id')
          .where('listings.country', '=', country ?? 'NZ'),
      )
      .executeTakeFirst(),
  );
}
