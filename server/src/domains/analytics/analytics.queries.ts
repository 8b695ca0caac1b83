import { sql } from 'kysely';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable, anyId } from '../../kit/database/sql-helpers.ts';

/** `day` is in the listing's time zone. */
export type Visit = { listingId: string; day: string; visitor: Buffer; at: Date };

/** Minimum time between two counted views of one visitor. */
const viewMinutes = 30;

/**
 * Counts a view if the visitor's last one is long enough ago, and a visitor if it is the first one of the day. `visits` must not repeat a
 * visitor of a listing and day. One statement makes retries idempotent; the fixed order prevents deadlocks between servers.
 */
export async function countVisits(db: Db, visits: readonly Visit[]): Promise<void> {
  await sql`
    with counted as (
      insert into listing_visitors (listing_id, day, visitor, counted_at)
      select listings.id, day, visitor, at
      from unnest(
          ${visits.map((one) => one.listingId)}::uuid[], ${visits.map((one) => one.day)}::date[],
          ${visits.map((one) => one.visitor)}::bytea[], ${visits.map((one) => one.at)}::timestamptz[]
        ) as visits (listing_id, day, visitor, at)
        join listings on listings.id = listing_id
      order by day, listings.id, visitor
      on conflict (day, listing_id, visitor) do update set counted_at = excluded.counted_at
        where listing_visitors.counted_at <= excluded.counted_at - make_interval(mins => ${viewMinutes})
      -- A row that was updated has been locked by this transaction before: xmax. PostgreSQL 18 could return old.visitor.
      returning listing_id, day, xmax = 0 as is_first
    )
    insert into listing_views (listing_id, day, views, visitors)
    select listing_id, day, count(*), count(*) filter (where is_first) from counted group by listing_id, day order by listing_id, day
    on conflict (listing_id, day) do update
      set views = listing_views.views + excluded.views, visitors = listing_views.visitors + excluded.visitors`.execute(db);
}

/** Counts a shown phone number, once per visitor, listing and day. */
export async function countNumberShown(db: Db, { listingId, day, visitor, at }: Visit): Promise<void> {
  await sql`
    with counted as (
      insert into listing_visitors (listing_id, day, visitor, counted_at)
      values (${listingId}, ${day}::date, ${visitor}, ${at})
      on conflict (day, listing_id, visitor) do nothing
      returning listing_id, day
    )
    insert into listing_views (listing_id, day, views, visitors, numbers_shown)
    select listing_id, day, 0, 0, 1 from counted
    on conflict (listing_id, day) do update set numbers_shown = listing_views.numbers_shown + 1`.execute(db);
}

/** The salt of a day, shared by all servers and created by the first one. */
export async function ensureSalt(db: Db, day: string): Promise<Buffer> {
  const read = db
    .selectFrom('view_salts')
    .select('salt')
    .where('day', '=', sql<Date>`${day}::date`);
  let found = await read.executeTakeFirst();
  if (!found) {
    const salt = sql<Buffer>`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`;
    await db
      .insertInto('view_salts')
      .values({ day, salt })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    found = await read.executeTakeFirst();
  }
  if (!found) throw new Error(`there is no salt of ${day}`);
  return found.salt;
}

/** Deletes visitors before `day`, and views and sent weekly emails before `firstKept`. */
export async function deleteAnalyticsBefore(db: Db, day: string, firstDay: string): Promise<void> {
  const [today, first] = [sql<Date>`${day}::date`, sql<Date>`${firstDay}::date`];
  await db.deleteFrom('view_salts').where('day', '<', today).execute();
  await db.deleteFrom('listing_visitors').where('day', '<', today).execute();
  await db.deleteFrom('listing_views').where('day', '<', first).execute();
  await db.deleteFrom('weekly_figures').where('week', '<', first).execute();
}

/** Views and visitors per listing and day, from a given day on; only days with any. */
export async function listViews(db: Reader, requested: readonly { id: string; from: string }[]) {
  return db
    .selectFrom(
      unnestTable('requested', { id: ['uuid', requested.map((one) => one.id)], from_day: ['date', requested.map((one) => one.from)] }),
    )
    .innerJoin('listing_views', (join) => join.onRef('listing_id', '=', 'requested.id').on('day', '>=', sql<Date>`from_day`))
    .select(['listing_id', sql<string>`day::text`.as('day'), 'views', 'visitors', 'numbers_shown'])
    .execute();
}

/** Listings with views on a day or later. */
export async function listViewedSince(db: Reader, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listing_views')
    .distinct()
    .select('listing_id')
    .where('day', '>=', sql<Date>`${day}::date`)
    .execute();
  return rows.map((row) => row.listing_id);
}

/** The users who were already sent the email of a week. */
export async function listNotifiedSellers(db: Reader, week: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('weekly_figures')
    .select('user_id')
    .where('week', '=', sql<Date>`${week}::date`)
    .where('user_id', '=', anyId(userIds))
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Records the email of a week for these users and returns those who were not recorded before. */
export async function insertNotifiedSellers(tx: Tx, userIds: readonly string[], week: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .insertInto('weekly_figures')
    .columns(['user_id', 'week'])
    .expression((from) =>
      from.selectFrom(unnestTable('notified', { id: ['uuid', userIds] })).select(['notified.id', sql<Date>`${week}::date`.as('week')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** For the export of the user's own data. */
export const listViewsForExport = (db: Reader, sellerId: string) =>
  db
    .selectFrom('listing_views')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['listing_id as listingId', 'service_title as serviceTitle', sql<string>`day::text`.as('day'), 'views', 'visitors'])
    .select('numbers_shown as numbersShown')
    .where('seller_id', '=', sellerId)
    .orderBy('listing_number')
    .orderBy('day')
    .execute();
