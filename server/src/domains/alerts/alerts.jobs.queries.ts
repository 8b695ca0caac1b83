import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable, anyId } from '../../kit/database/sql-helpers.ts';
import type { Search, SearchFilter } from '../search/search.service.ts';
import type { EmailWindow } from './alerts.rules.ts';

export const recordNewListing = (tx: Tx, listingId: string, now: Date) =>
  tx.insertInto('new_listings').values({ listing_id: listingId, live_at: now }).execute();

export type NewListing = { id: string; number: number; seller: string; liveAt: Date };

/** Dequeues new listings, oldest first; concurrent transactions get different ones. An inactive listing stays queued until it is active. */
export const takeNewListings = (tx: Tx, limit: number): Promise<NewListing[]> =>
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
            .limit(limit)
            .forUpdate('new_listings')
            .skipLocked(),
        )
        .returning(['listing_id', 'new_listings.live_at']),
    )
    .selectFrom('taken')
    .innerJoin('listings', 'id', 'listing_id')
    .select(['id', 'listing_number as number', 'seller_id as seller', 'taken.live_at as liveAt'])
    .execute();

// Neither deleted nor paused.
const watching = sql<boolean>`alerts.paused_at is null and alerts.deleted_at is null`;

/** Distinct searches of all active alerts. */
export const listAlertSearches = (db: Reader): Promise<Search[]> =>
  db
    .selectFrom('alerts')
    .distinct()
    .select((is) => ['words', is.ref('filter').$castTo<SearchFilter>().as('filter')])
    .where(watching)
    .execute();

/** Records matches for every alert with this search, except the user's own listings and older ones; returns how many. */
export async function recordMatches(tx: Tx, { filter, words }: Search, newListings: readonly NewListing[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into alert_finds (alert_id, listing_id)
    select alerts.id, fresh.id
    from alerts, unnest(
      ${newListings.map(({ id }) => id)}::uuid[], ${newListings.map(({ seller }) => seller)}::uuid[], ${newListings.map(({ liveAt }) => liveAt)}::timestamptz[]
    ) as fresh (id, seller, live_at)
    where alerts.filter = ${JSON.stringify(filter)}::jsonb and alerts.words = ${words} and ${watching}
      and fresh.live_at > alerts.since and fresh.seller <> alerts.user_id
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** Deletes listings that stayed inactive for too long and old emailed matches, but not those of each alert's last email. */
export async function deleteOldMatches(db: Reader, time: { live: Date; mailed: Date }): Promise<void> {
  await db.deleteFrom('new_listings').where('live_at', '<', time.live).execute();
  await db
    .deleteFrom('alert_finds')
    .using('alerts')
    .whereRef('alerts.id', '=', 'alert_id')
    .where('told_at', '<', time.mailed)
    .whereRef('told_at', '<', 'mailed_at')
    .execute();
}

/** Alerts with pending matches that are in an email window and had no email today. */
const selectDueAlerts = (tx: Tx, windows: readonly EmailWindow[]) =>
  tx
    .selectFrom('alerts')
    .where((eb) =>
      eb.or(
        windows.map(({ country, frequencies, dayStartedAt }) =>
          eb.and([
            eb('country', '=', country),
            eb('frequency', 'in', frequencies),
            eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '<', dayStartedAt)]),
          ]),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('alert_finds').select('listing_id').whereRef('alert_id', '=', 'alerts.id').where('told_at', 'is', null)),
    );

/** Users with due alerts, in the order of their ids, after the given one. */
export const listDueUserIds = async (tx: Tx, windows: readonly EmailWindow[], { after, limit }: { after: string | null; limit: number }) =>
  (
    await selectDueAlerts(tx, windows)
      .select('user_id')
      .distinct()
      .$if(after !== null, (query) => query.where('user_id', '>', after ?? ''))
      .orderBy('user_id')
      .limit(limit)
      .execute()
  ).map((one) => one.user_id);

/** Due alerts of these users, who must be locked; oldest first. */
export const listDueAlerts = (tx: Tx, windows: readonly EmailWindow[], userIds: readonly string[]) =>
  selectDueAlerts(tx, windows)
    .select(['id', 'user_id', 'name', 'query', 'frequency', 'paused_at', 'deleted_at', 'country', 'filter'])
    .where('user_id', '=', anyId(userIds))
    .orderBy('id')
    .forUpdate()
    .execute();

/** Pending matches that are active now, newest first. */
export async function listPendingMatches(tx: Tx, alertIds: readonly string[]): Promise<{ alert_id: string; listing_id: string }[]> {
  return tx
    .selectFrom('alert_finds')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['alert_id', 'listing_id'])
    .where('alert_id', '=', anyId(alertIds))
    .where('told_at', 'is', null)
    .where('status', '=', 'active')
    .orderBy('listing_number', 'desc')
    .execute();
}

/** Marks these matches as emailed and deletes the alerts' other pending ones, which are no longer active. */
export async function recordEmailed(
  tx: Tx,
  alertIds: readonly string[],
  emailed: readonly { alert_id: string; listing_id: string }[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('alert_finds')
    .from(
      unnestTable('emailed', {
        alert: ['uuid', emailed.map((one) => one.alert_id)],
        listing: ['uuid', emailed.map((one) => one.listing_id)],
      }),
    )
    .set({ told_at: now })
    .whereRef('alert_id', '=', 'emailed.alert')
    .whereRef('listing_id', '=', 'emailed.listing')
    .execute();
  const mailed = new Set(emailed.map((one) => one.alert_id));
  await tx.updateTable('alerts').set({ mailed_at: now }).where('id', '=', anyId(mailed)).execute();
  await tx.deleteFrom('alert_finds').where('alert_id', '=', anyId(alertIds)).where('told_at', 'is', null).execute();
}
