import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Search, SearchFilter } from '../search/search.service.ts';

export const noteNew = (tx: Tx, listingId: string, now: Date) =>
  tx.insertInto('new_listings').values({ listing_id: listingId, live_at: now }).execute();

/** A listing that is new, as alerts look at it. */
export type Fresh = { id: string; number: number; seller: string; liveAt: Date };

/**
 * Takes new listings, the oldest first, for this transaction: no other gets them, and they are new no more once it ends. One that is
 * not on the site waits until it is.
 */
export const takeNew = (tx: Tx, most: number): Promise<Fresh[]> =>
  tx
    .with('taken', (from) =>
      from
        .deleteFrom('new_listings')
        .where('listing_id', 'in', (waiting) =>
          waiting
            .selectFrom('new_listings')
            .innerJoin('listings', (join) => join.onRef('listings.id', '=', 'listing_id').on('status', '=', 'active'))
            .select('listing_id')
            .orderBy('listing_id')
            .limit(most)
            .forUpdate('new_listings')
            .skipLocked(),
        )
        .returning(['listing_id', 'new_listings.live_at']),
    )
    .selectFrom('taken')
    .innerJoin('listings', 'id', 'listing_id')
    .select(['id', 'listing_number as number', 'seller_id as seller', 'taken.live_at as liveAt'])
    .execute();

// Alerts that may find something: neither deleted nor paused.
const watching = sql<boolean>`alerts.paused_at is null and alerts.deleted_at is null`;

/** What the alerts search for, each search once. */
export const listSearches = (db: Reader): Promise<Search[]> =>
  db
    .selectFrom('alerts')
    .distinct()
    .select((is) => ['words', is.ref('filter').$castTo<SearchFilter>().as('filter')])
    .where(watching)
    .execute();

/** Notes these listings for every alert with this search, but one's own and what was there before the alert. Returns how many were noted. */
export async function noteFinds(tx: Tx, { filter, words }: Search, fresh: readonly Fresh[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into alert_finds (alert_id, listing_id)
    select alerts.id, fresh.id
    from alerts, unnest(
      ${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ seller }) => seller)}::uuid[], ${fresh.map(({ liveAt }) => liveAt)}::timestamptz[]
    ) as fresh (id, seller, live_at)
    where alerts.filter = ${JSON.stringify(filter)}::jsonb and alerts.words = ${words} and ${watching}
      and fresh.live_at > alerts.since and fresh.seller <> alerts.user_id
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Forgets what waited for so long to be on the site, and what was mailed so long ago, but the last mail of each alert. */
export async function forgetBefore(db: Reader, time: { live: Date; mailed: Date }): Promise<void> {
  await db.deleteFrom('new_listings').where('live_at', '<', time.live).execute();
  await db
    .deleteFrom('alert_finds')
    .using('alerts')
    .whereRef('alerts.id', '=', 'alert_id')
    .where('told_at', '<', time.mailed)
    .whereRef('told_at', '<', 'mailed_at')
    .execute();
}
