import { dayMs } from '@handwise/contract/dates';
import type { LiveEventKind, LiveEvents } from '@handwise/contract/live-events';
import { sql } from 'kysely';
import { prepared, type Reader, type Tx } from '../database/database.ts';

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
  await sql`${prepared}
    insert into user_event_counters select id, 0 from unnest(${ids}::uuid[]) as receivers (id) order by id
    on conflict (user_id) do update set last_seq = user_event_counters.last_seq`.execute(tx);
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
  const { rows } = await sql<LiveEvent>`${prepared}
    select user_events.user_id as "userId", seq::float8 as seq, kind, data
    from unnest(${[...behind.keys()]}::uuid[], ${[...behind.values()]}::bigint[]) as wanted (user_id, last)
    cross join lateral (
      select * from user_events where user_events.user_id = wanted.user_id and seq > wanted.last order by seq limit ${most}
    ) as user_events
    order by user_events.user_id, seq limit ${most}`.execute(db);
  return rows;
}

/** The number of somebody's last event, 0 where there was none, and of the oldest that is still kept. */
export async function readPosition(db: Reader, userId: string): Promise<{ last: number; oldest: number | null }> {
  const { rows } = await sql<{ last: number; oldest: number | null }>`
    select coalesce((select last_seq from user_event_counters where user_id = ${userId}), 0)::float8 as last,
      (select min(seq) from user_events where user_id = ${userId})::float8 as oldest`.execute(db);
  return rows[0] ?? { last: 0, oldest: null };
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
  await sql`
    insert into presence select distinct id, ${now}::timestamptz from unnest(${[...userIds]}::uuid[]) as present (id) order by id
    on conflict (user_id) do update set seen_at = excluded.seen_at`.execute(db);
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
