import { sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import type { LiveEventKind, LiveEvents } from '@handwise/contract/live-events';
import { prepared, type Reader, type Tx } from '../database/database.ts';
import { unnestTable } from '../database/sql-helpers.ts';

declare module './events.ts' {
  interface Channels {
    /** The ids of users with new live events. */
    'live-events': readonly string[];
    /** The ids of users one of whose sessions has ended. Published by the triggers on sessions and users. */
    sessions: readonly string[];
  }
}

// A transaction appends its events to each receiver's own sequence and holds the receiver's counter until the commit. So numbers have no gaps and are in
// commit order, and a reader that continues after the last number it has read misses nothing.

/**
 * Locks the counters of several receivers, in one order, so that what the transaction reads is still true when it appends their events. A transaction
 * that appends several times locks all of its receivers first.
 */
export async function lockReceivers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const ids = [...new Set(userIds)].toSorted();
  await tx
    .insertInto('user_event_counters')
    .columns(['user_id', 'last_seq'])
    .expression((from) =>
      from
        .selectFrom(unnestTable('receivers', { id: ['uuid', ids] }))
        .select(['receivers.id', sql<number>`0`.as('last_seq')])
        .orderBy('receivers.id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ last_seq: (is) => is.ref('user_event_counters.last_seq') }))
    .modifyEnd(prepared)
    .execute();
}

type NewEvent = { [Kind in LiveEventKind]: { userId: string; kind: Kind; data: LiveEvents[Kind] } }[LiveEventKind];

/** Appends events that reach the users' streams on every server once the transaction is committed. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const ids = events.map(({ userId }) => userId);
  const kinds = events.map(({ kind }) => kind);
  const data = events.map((event) => JSON.stringify(event.data));
  await sql`${prepared}
    with new as (
      select *, row_number() over (partition by user_id order by place) as nth, count(*) over (partition by user_id) as own
      from unnest(${ids}::uuid[], ${kinds}::text[], ${data}::jsonb[]) with ordinality as new (user_id, kind, data, place)
    ), counted as (
      insert into user_event_counters (user_id, last_seq) select user_id, count(*) from new group by user_id order by user_id
      on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq returning user_id, last_seq
    ), appended as (
      insert into user_events (user_id, seq, kind, data)
      select user_id, last_seq - own + nth, kind, data from new join counted using (user_id)
    )
    select publish_change('live-events', ${JSON.stringify(ids)}::jsonb)`.execute(tx);
}

export type LiveEvent = { userId: string; seq: number; kind: string; data: unknown };

/** The events of some users after the last that each has read: at most `most`, in order per user. */
export async function readEvents(db: Reader, behind: ReadonlyMap<string, number>, limit: number): Promise<LiveEvent[]> {
  return db
    .selectFrom(unnestTable('wanted', { user_id: ['uuid', [...behind.keys()]], last: ['bigint', [...behind.values()]] }))
    .crossJoinLateral((from) =>
      from
        .selectFrom('user_events')
        .selectAll()
        .whereRef('user_events.user_id', '=', 'wanted.user_id')
        .where('seq', '>', sql<string>`wanted.last`)
        .orderBy('seq')
        .limit(limit)
        .as('behind'),
    )
    .select(({ cast }) => ['behind.user_id as userId', cast<number>('seq', 'double precision').as('seq'), 'kind', 'data'])
    .orderBy('behind.user_id')
    .orderBy('behind.seq')
    .limit(limit)
    .modifyFront(prepared)
    .execute();
}

/** The numbers of a user's last event, 0 if there was none, and of the oldest that is still stored. */
export async function readPosition(db: Reader, userId: string): Promise<{ last: number; oldest: number | null }> {
  return db
    .selectNoFrom(({ fn, cast, selectFrom }) => {
      const last = selectFrom('user_event_counters').select('last_seq').where('user_id', '=', userId);
      const oldest = selectFrom('user_events')
        .select((is) => is.fn.min('seq').as('seq'))
        .where('user_id', '=', userId);
      return [
        cast<number>(fn.coalesce(last, sql<number>`0`), 'double precision').as('last'),
        cast<number | null>(oldest, 'double precision').as('oldest'),
      ];
    })
    .executeTakeFirstOrThrow();
}

/** How long events stay for a connection that comes back. */
const storedDays = 7;

export const deleteOldLiveEvents = (db: Reader, now: Date) =>
  db
    .deleteFrom('user_events')
    .where('created_at', '<', new Date(now.getTime() - storedDays * dayMs))
    .execute();

export const deleteEvents = (db: Reader, userId: string) => db.deleteFrom('user_events').where('user_id', '=', userId).execute();

/** A user counts as online for so long after the last heartbeat. */
const onlineSeconds = 60;

/** Records that these users have an open stream now. */
export async function recordPresence(db: Reader, userIds: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto('presence')
    .columns(['user_id', 'seen_at'])
    .expression((from) =>
      from
        .selectFrom(unnestTable('present', { id: ['uuid', [...new Set(userIds)]] }))
        .select(['present.id', sql<Date>`${now}::timestamptz`.as('seen_at')])
        .orderBy('present.id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ seen_at: (is) => is.ref('excluded.seen_at') }))
    .execute();
}

/** Whether a user had an open stream within the last minute, on any server. */
export async function isOnline(db: Reader, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('presence')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('seen_at', '>', new Date(now.getTime() - onlineSeconds * 1_000))
    .executeTakeFirst();
  return row !== undefined;
}
