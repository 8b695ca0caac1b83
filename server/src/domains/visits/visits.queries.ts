import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { ProposedTime } from './visits.rules.ts';
import { whereAgreed, whereChangeable, whereOpen } from './visits.states.ts';

const columns = [
  'visits.id',
  'visits.conversation_id',
  'message_number',
  'visits.client_id',
  'visits.status',
  'revision',
  'sequence',
  'starts_at',
  'visits.minutes',
  'agreed_at',
  'proposed_by',
  'proposed_at',
  'cancelled_by',
  'cancel_reason',
] as const;

const selectVisits = (db: Reader) =>
  db
    .selectFrom('visits')
    .innerJoin('conversations', 'conversations.id', 'visits.conversation_id')
    .innerJoin('listings', 'listings.id', 'conversations.listing_id')
    .innerJoin('users as buyer', 'buyer.id', 'conversations.buyer_id')
    .select([...columns, 'buyer_id', 'conversations.seller_id', 'service_title', 'business_title', 'region_code', 'country', 'full_name'])
    .select(
      sql<{ starts_at: string; minutes: number }[]>`coalesce((
        select json_agg(json_build_object('starts_at', visit_times.starts_at, 'minutes', visit_times.minutes) order by visit_times.starts_at)
        from visit_times where visit_id = visits.id), '[]')`.as('times'),
    );

type Raw = Awaited<ReturnType<ReturnType<typeof selectVisits>['execute']>>[number];
export type VisitRow = Omit<Raw, 'times'> & { times: ProposedTime[] };

const toRow = ({ times, ...row }: Raw): VisitRow => ({
  ...row,
  times: times.map((time) => ({ starts_at: new Date(time.starts_at), minutes: time.minutes })),
});
const toRowIfAny = (row: Raw | undefined) => row && toRow(row);

/** Undefined if the user takes no part in its conversation. */
export const findVisitOfUser = async (db: Reader, userId: string, id: string) =>
  toRowIfAny(
    await selectVisits(db)
      .where('visits.id', '=', id)
      .where((eb) => eb.or([eb('buyer_id', '=', userId), eb('conversations.seller_id', '=', userId)]))
      .executeTakeFirst(),
  );

export const findVisit = async (db: Reader, id: string) =>
  toRowIfAny(await selectVisits(db).where('visits.id', '=', id).executeTakeFirst());

export const getVisit = async (db: Reader, id: string) =>
  toRow(await selectVisits(db).where('visits.id', '=', id).executeTakeFirstOrThrow());

export const findVisitByClientId = async (db: Reader, conversationId: string, clientId: string) =>
  toRowIfAny(
    await selectVisits(db).where('visits.conversation_id', '=', conversationId).where('visits.client_id', '=', clientId).executeTakeFirst(),
  );

export const findOpenVisit = async (db: Reader, conversationId: string) =>
  toRowIfAny(await selectVisits(db).where('visits.conversation_id', '=', conversationId).where(whereOpen).executeTakeFirst());

/** Newest first. */
export const listVisitsOfConversation = async (db: Reader, conversationId: string, take: number) =>
  (await selectVisits(db).where('visits.conversation_id', '=', conversationId).orderBy('visits.id', 'desc').limit(take).execute()).map(
    toRow,
  );

export const listVisitsOfUser = async (db: Reader, userId: string) =>
  (await selectOfUser(db, userId).orderBy('visits.id').execute()).map(toRow);

const selectOfUser = (db: Reader, userId: string) =>
  selectVisits(db).where('visits.conversation_id', 'in', (eb) =>
    eb.selectFrom('participants').select('participants.conversation_id').where('participants.user_id', '=', userId),
  );

/** The agreed visits of a user from a time on, the latest first, so that a limit drops the oldest. */
export const listAgreedVisits = async (db: Reader, userId: string, from: Date, take: number) =>
  (await selectOfUser(db, userId).where(whereAgreed).where('starts_at', '>=', from).orderBy('starts_at', 'desc').limit(take).execute()).map(
    toRow,
  );

/** Where the listing of a conversation is, which decides the time zone. */
export const getListingPlace = (db: Reader, conversationId: string) =>
  db
    .selectFrom('conversations')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['region_code', 'country'])
    .where('conversations.id', '=', conversationId)
    .executeTakeFirstOrThrow();

type NewVisit = { conversation_id: string; message_number: number; client_id: string; created_at: Date };

export const insertVisit = async (tx: Tx, values: NewVisit): Promise<string> =>
  (
    await tx
      .insertInto('visits')
      .values({ ...values, proposed_by: 'seller', proposed_at: values.created_at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

export const setMessageNumber = (tx: Tx, id: string, number: number) =>
  tx.updateTable('visits').set({ message_number: number }).where('id', '=', id).execute();

/** Replaces the times that can be taken. */
export async function replaceTimes(tx: Tx, visitId: string, times: readonly ProposedTime[]): Promise<void> {
  await tx.deleteFrom('visit_times').where('visit_id', '=', visitId).execute();
  if (times.length === 0) return;
  await tx
    .insertInto('visit_times')
    .values(times.map((time, index) => ({ visit_id: visitId, place: index + 1, ...time })))
    .execute();
}

/** Serializes what is agreed with one business, so that two customers cannot take the same time at once. */
export const lockDiary = (tx: Tx, sellerId: string) => sql`select pg_advisory_xact_lock(hashtextextended(${sellerId}, 64))`.execute(tx);

/** Whether the business has agreed to another visit during a time since that time was proposed. */
export async function hasAgreedSince(
  tx: Tx,
  visit: Pick<VisitRow, 'id' | 'seller_id' | 'proposed_at'>,
  time: ProposedTime,
): Promise<boolean> {
  const found = await selectBusy(tx, visit.seller_id, visit.id, time).where('agreed_at', '>=', visit.proposed_at).limit(1).execute();
  return found.length > 0;
}

const selectBusy = (db: Reader, sellerId: string, exceptId: string | null, { starts_at, minutes }: ProposedTime) =>
  db
    .selectFrom('visits')
    .innerJoin('conversations', 'conversations.id', 'visits.conversation_id')
    .select(['starts_at', 'visits.minutes'])
    .where('conversations.seller_id', '=', sellerId)
    .where(whereAgreed)
    .where(sql<boolean>`starts_at < ${starts_at}::timestamptz + make_interval(mins => ${minutes})`)
    .where(sql<boolean>`starts_at + make_interval(mins => visits.minutes) > ${starts_at}`)
    .$if(exceptId !== null, (query) => query.where('visits.id', '<>', exceptId ?? ''));

export const listVisitsToRemind = async (db: Reader, now: Date, take: number) =>
  (
    await db
      .selectFrom('visits')
      .select('id')
      .where('remind_at', '<=', now)
      .where('starts_at', '>', now)
      .orderBy('remind_at')
      .limit(take)
      .execute()
  ).map(({ id }) => id);

/** Claims the reminder of a visit that is still ahead; undefined if it was claimed, moved or cancelled. */
export async function claimReminder(tx: Tx, id: string, now: Date): Promise<VisitRow | undefined> {
  const claimed = await tx
    .updateTable('visits')
    .set({ remind_at: null })
    .where('id', '=', id)
    .where('remind_at', '<=', now)
    .where('starts_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return claimed && getVisit(tx, id);
}

/** What a user's conversations still have ahead, locked in one order. */
export const lockChangeableVisits = async (tx: Tx, userId: string) =>
  (
    await tx
      .selectFrom('visits')
      .innerJoin('participants', 'participants.conversation_id', 'visits.conversation_id')
      .select('visits.id')
      .where('user_id', '=', userId)
      .where(whereChangeable)
      .orderBy('visits.id')
      .forUpdate('visits')
      .execute()
  ).map(({ id }) => id);

/** Deletes the reasons that a user gave. */
export async function deleteReasons(tx: Tx, userId: string): Promise<void> {
  for (const role of ['buyer', 'seller'] as const) {
    const ofRole = tx.selectFrom('participants').select('conversation_id').where('user_id', '=', userId).where('role', '=', role);
    await tx
      .updateTable('visits')
      .set({ cancel_reason: '' })
      .where('cancelled_by', '=', role)
      .where('conversation_id', 'in', ofRole)
      .execute();
  }
}

export const findFeed = (db: Reader, userId: string) =>
  db.selectFrom('visit_feeds').select(['id', 'created_at']).where('user_id', '=', userId).executeTakeFirst();

/** The owner of an address, while their account is in use. */
export const findFeedOwner = (db: Reader, id: string) =>
  db
    .selectFrom('visit_feeds')
    .innerJoin('users', 'users.id', 'user_id')
    .select('user_id')
    .where('visit_feeds.id', '=', id)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();

/** Keeps an address that exists. */
export const ensureFeed = (db: Reader, feed: { user_id: string; id: string; created_at: Date }) =>
  db
    .insertInto('visit_feeds')
    .values(feed)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const replaceFeed = (db: Reader, feed: { user_id: string; id: string; created_at: Date }) =>
  db
    .insertInto('visit_feeds')
    .values(feed)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ id: feed.id, created_at: feed.created_at }))
    .execute();

export const deleteFeed = (db: Reader, userId: string) => db.deleteFrom('visit_feeds').where('user_id', '=', userId).execute();

export const listFeeds = (db: Reader, userId: string) =>
  db.selectFrom('visit_feeds').select('created_at as createdAt').where('user_id', '=', userId).execute();
