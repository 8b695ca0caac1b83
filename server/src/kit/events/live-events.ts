import { dayMs } from '@handwise/contract/dates';
import type { LiveEventKind, LiveEvents } from '@handwise/contract/live-events';
import { sql } from 'kysely';
import { prepared, type Reader, type Tx } from '../database/database.ts';
import { listTable } from '../database/list-table.ts';

declare module './events.ts' {
  interface Channels {
    /** The ids of users for whom there is something new to be told live. */
    'live-events': readonly string[];
    /** The ids of users of whom a session has ended: told by the triggers on sessions and users. */
    sessions: readonly string[];
  }
}

// What happens to somebody is written by the transaction that makes it happen, in that person's own sequence. Whoever appends holds
// the person's counter until the commit, so numbers have no gaps and the order of the commits, and a reader who knows the last
// number that it read has missed nothing.

/**
 * Holds the counters of several receivers before their events are appended, so that what is read meanwhile is true when the events
 * are. A transaction that appends several times holds all of its receivers first: everybody takes them in one order.
 */
export async function lockReceivers(tx: Tx, userIds: readonly string[]): Promise<void> {
  const ids = [...new Set(userIds)].toSorted();
  await tx
    .insertInto('user_event_counters')
    .columns(['user_id', 'last_seq'])
    .expression((from) =>
      from
        .selectFrom(listTable('receivers', { id: ['uuid', ids] }))
        .select(['receivers.id', sql<number>`0`.as('last_seq')])
        .orderBy('receivers.id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ last_seq: (is) => is.ref('user_event_counters.last_seq') }))
    .modifyEnd(prepared)
    .execute();
}

type NewEvent = { [Kind in LiveEventKind]: { userId: string; kind: Kind; data: LiveEvents[Kind] } }[LiveEventKind];

/** Tells people something, on whichever server their streams are: once the transaction is committed, never where it is rolled back. */
export async function appendEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  const ids = events.map(({ userId }) => userId);
  const kinds = events.map(({ kind }) => kind);
  const data = events.map((event) => JSON.stringify(event.data));
  await sql`${prepared}
    with told as (
      select *, row_number() over (partition by user_id order by place) as nth, count(*) over (partition by user_id) as own
      from unnest(${ids}::uuid[], ${kinds}::text[], ${data}::jsonb[]) with ordinality as told (user_id, kind, data, place)
    ), counted as (
      insert into user_event_counters (user_id, last_seq) select user_id, count(*) from told group by user_id order by user_id
      on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq returning user_id, last_seq
    ), appended as (
      insert into user_events (user_id, seq, kind, data)
      select user_id, last_seq - own + nth, kind, data from told join counted using (user_id)
    )
    select tell('live-events', ${JSON.stringify(ids)}::jsonb)`.execute(tx);
}

export type LiveEvent = { userId: string; seq: number; kind: string; data: unknown };

/** The events of some users behind the last that each has read, at most so many, each user's in their order. */
export async function readEvents(db: Reader, behind: ReadonlyMap<string, number>, most: number): Promise<LiveEvent[]> {
  return db
    .selectFrom(listTable('wanted', { user_id: ['uuid', [...behind.keys()]], last: ['bigint', [...behind.values()]] }))
    .crossJoinLateral((from) =>
      from
        .selectFrom('user_events')
        .selectAll()
        .whereRef('user_events.user_id', '=', 'wanted.user_id')
        .where('seq', '>', sql<string>`wanted.last`)
        .orderBy('seq')
        .limit(most)
        .as('behind'),
    )
    .select(({ cast }) => ['behind.user_id as userId', cast<number>('seq', 'double precision').as('seq'), 'kind', 'data'])
    .orderBy('behind.user_id')
    .orderBy('behind.seq')
    .limit(most)
    .modifyFront(prepared)
    .execute();
}

/** The number of somebody's last event, 0 where there was none, and of the oldest that is still kept. */
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

/** So long an event is kept for a connection that comes back. */
const keptDays = 7;

export const deleteOldEvents = (db: Reader, now: Date) =>
  db
    .deleteFrom('user_events')
    .where('created_at', '<', new Date(now.getTime() - keptDays * dayMs))
    .execute();

/** What waited for somebody who leaves. */
export const deleteEventsOf = (db: Reader, userId: string) => db.deleteFrom('user_events').where('user_id', '=', userId).execute();

/** Without a sign of life for so long nobody counts as online. */
const onlineSeconds = 60;

/** Remembers that these users have a stream open now. */
export async function rememberPresence(db: Reader, userIds: readonly string[], now: Date): Promise<void> {
  await db
    .insertInto('presence')
    .columns(['user_id', 'seen_at'])
    .expression((from) =>
      from
        .selectFrom(listTable('present', { id: ['uuid', [...new Set(userIds)]] }))
        .select(['present.id', sql<Date>`${now}::timestamptz`.as('seen_at')])
        .orderBy('present.id'),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ seen_at: (is) => is.ref('excluded.seen_at') }))
    .execute();
}

/** Whether somebody had a stream open within the last minute, on any server. */
export async function isOnline(db: Reader, userId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('presence')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('seen_at', '>', new Date(now.getTime() - onlineSeconds * 1_000))
    .executeTakeFirst();
  return row !== undefined;
}
