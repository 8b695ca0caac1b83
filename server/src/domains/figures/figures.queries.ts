import { sql } from 'kysely';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { listTable } from '../../kit/database/list-table.ts';

/** Who looked at which listing, on which day of its own clocks. */
export type Visit = { listingId: string; day: string; visitor: Buffer; at: Date };

/** A visitor's next view counts so long after the last one that did. */
const viewMinutes = 30;

/**
 * Counts these visits, none of them the same visitor's of the same listing and day: as a view where the visitor's last one is long
 * enough ago, as a visitor where it is the first. In one statement, so that written twice it counts once. Always in the same
 * order: servers that write at once do not wait for each other in a circle.
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
      returning new.listing_id, new.day, old.visitor is null as is_first
    )
    insert into listing_views (listing_id, day, views, visitors)
    select listing_id, day, count(*), count(*) filter (where is_first) from counted group by listing_id, day order by listing_id, day
    on conflict (listing_id, day) do update
      set views = listing_views.views + excluded.views, visitors = listing_views.visitors + excluded.visitors`.execute(db);
}

/** The salt of a day: the same for every server, made by the first that asks. */
export async function findSalt(db: Db, day: string): Promise<Buffer> {
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

/** Forgets who looked before a day; before another one, how often what was looked at, and who was told so. */
export async function deleteBefore(db: Db, day: string, firstKept: string): Promise<void> {
  const [today, first] = [sql<Date>`${day}::date`, sql<Date>`${firstKept}::date`];
  await db.deleteFrom('view_salts').where('day', '<', today).execute();
  await db.deleteFrom('listing_visitors').where('day', '<', today).execute();
  await db.deleteFrom('listing_views').where('day', '<', first).execute();
  await db.deleteFrom('weekly_figures').where('week', '<', first).execute();
}

/** Views and visitors of each of these listings and days from a day on, where there were any. */
export async function listViews(db: Reader, asked: readonly { id: string; from: string }[]) {
  return db
    .selectFrom(listTable('asked', { id: ['uuid', asked.map((one) => one.id)], from_day: ['date', asked.map((one) => one.from)] }))
    .innerJoin('listing_views', (join) => join.onRef('listing_id', '=', 'asked.id').on('day', '>=', sql<Date>`from_day`))
    .select(['listing_id', sql<string>`day::text`.as('day'), 'views', 'visitors'])
    .execute();
}

/** The listings that were looked at on a day or later. */
export async function listViewedSince(db: Reader, day: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listing_views')
    .distinct()
    .select('listing_id')
    .where('day', '>=', sql<Date>`${day}::date`)
    .execute();
  return rows.map((row) => row.listing_id);
}

/** Who of these was mailed the figures of a week. */
export async function listTold(db: Reader, week: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('weekly_figures')
    .select('user_id')
    .where('week', '=', sql<Date>`${week}::date`)
    .where('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Notes that these people are mailed the figures of a week. Resolves to those of whom that was not noted before. */
export async function insertTold(tx: Tx, userIds: readonly string[], week: string): Promise<ReadonlySet<string>> {
  const rows = await tx
    .insertInto('weekly_figures')
    .columns(['user_id', 'week'])
    .expression((from) =>
      from.selectFrom(listTable('told', { id: ['uuid', userIds] })).select(['told.id', sql<Date>`${week}::date`.as('week')]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return new Set(rows.map((row) => row.user_id));
}
