import { sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';

const columns = ['id', 'type', 'object_id', 'intent_id', 'created_at', 'received_at'] as const;

/** What is known of an event of the provider. */
export type EventRow = NonNullable<Awaited<ReturnType<typeof findEvent>>>;

type NewEvent = Omit<EventRow, 'received_at'> & { account: string | null; livemode: boolean; received_at: Date };

/** Whether it is new. */
export const insertEvent = async (tx: Tx, event: NewEvent) =>
  (await tx
    .insertInto('provider_events')
    .values(event)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const findEvent = (db: Reader, id: string) =>
  db.selectFrom('provider_events').select(columns).where('id', '=', id).executeTakeFirst();

/** The newest messages about an intent. */
export const listEventsOf = (db: Reader, intentId: string, most: number) =>
  db
    .selectFrom('provider_events')
    .select(['id', 'type', 'created_at', 'received_at'])
    .where('intent_id', '=', intentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

/** When a message was last taken. */
export const findLastReceived = async (db: Reader) =>
  (await db.selectFrom('provider_events').select('received_at').orderBy('received_at', 'desc').limit(1).executeTakeFirst())?.received_at;

/** Counts a refused message. Resolves to how many there are in this minute. */
export const insertRefusal = async (db: Reader, now: Date) =>
  (
    await db
      .insertInto('provider_refusals')
      .values({ minute: sql<Date>`date_trunc('minute', ${now}::timestamptz)`, refused: 1 })
      .onConflict((conflict) => conflict.column('minute').doUpdateSet({ refused: sql`provider_refusals.refused + 1` }))
      .returning('refused')
      .executeTakeFirstOrThrow()
  ).refused;

export const countRefusals = async (db: Reader, since: Date) =>
  (
    await db
      .selectFrom('provider_refusals')
      .select(({ cast, fn }) => cast<number>(fn.coalesce(fn.sum('refused'), sql`0`), 'integer').as('refused'))
      .where('minute', '>=', since)
      .executeTakeFirstOrThrow()
  ).refused;

export async function deleteBefore(db: Reader, received: Date): Promise<void> {
  await db.deleteFrom('provider_events').where('received_at', '<', received).execute();
  await db.deleteFrom('provider_refusals').where('minute', '<', received).execute();
}
