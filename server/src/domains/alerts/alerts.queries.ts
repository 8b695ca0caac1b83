import { type Insertable, type Updateable, sql } from 'kysely';
import { listingsInMail } from '@handwise/contract/alerts/calls';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import type { SearchFilter } from '../search/search.service.ts';

const columns = ['id', 'name', 'query', 'frequency', 'paused_at', 'created_at', 'mailed_at'] as const;

const selectLastEmail = (db: Reader) =>
  db
    .selectFrom('alert_finds')
    .innerJoin('listings', 'listings.id', 'alert_finds.listing_id')
    .where(sql<boolean>`alert_id = alerts.id and told_at = alerts.mailed_at`);

const selectAlerts = (db: Reader) =>
  db
    .selectFrom('alerts')
    .select(columns)
    .select([
      selectLastEmail(db).select(rowCount.as('total')).as('total'),
      sql<{ _id: string; title: string }[]>`coalesce((select json_agg(shown) from ${selectLastEmail(db)
        .select(['listings.id as _id', 'service_title as title'])
        .where('status', '=', 'active')
        .orderBy('listing_number', 'desc')
        .limit(listingsInMail)
        .as('shown')}), '[]')`.as('listings'),
    ]);

export type AlertRow = NonNullable<Awaited<ReturnType<typeof findAlertRow>>>;

/** Without deleted ones, newest first. */
export const listAlertRows = (db: Reader, userId: string) =>
  selectAlerts(db).where('user_id', '=', userId).where('deleted_at', 'is', null).orderBy('id', 'desc').execute();

export const findAlertRow = (db: Reader, userId: string, id: string) =>
  selectAlerts(db).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();

export const isAlertOfUser = async (db: Reader, userId: string, id: string) =>
  (await db
    .selectFrom('alerts')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined;

/** Includes recently deleted alerts. */
export const findAlertBySearch = (tx: Tx, userId: string, filter: SearchFilter, words: string) =>
  tx
    .selectFrom('alerts')
    .select(['id', 'paused_at', 'deleted_at'])
    .where('user_id', '=', userId)
    .where(sql<boolean>`filter = ${JSON.stringify(filter)}::jsonb`)
    // The order of words does not matter.
    .where(
      sql<boolean>`array(select unnest(string_to_array(words, ' ')) order by 1) = ${words.split(' ').filter(Boolean).toSorted()}::text[]`,
    )
    .executeTakeFirst();

export async function countAlerts(tx: Tx, userId: string): Promise<number> {
  const { total } = await tx
    .selectFrom('alerts')
    .select(rowCount.as('total'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return total;
}

export const insertAlert = (tx: Tx, alert: Insertable<DB['alerts']>) =>
  tx.insertInto('alerts').values(alert).returning('id').executeTakeFirstOrThrow();

/** Updates a deleted (`gone`) or an existing alert; returns false if there is none. */
export async function updateAlertRow(
  db: Reader,
  userId: string,
  id: string,
  change: Updateable<DB['alerts']>,
  { isDeleted }: { isDeleted: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('alerts')
    .set(change)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Pauses or resumes alerts; idempotent. */
export const setAlertsPaused = (db: Reader, ids: readonly string[], paused: boolean, now: Date) =>
  db
    .updateTable('alerts')
    .set(paused ? { paused_at: now } : { paused_at: null, since: now })
    // Ordered, to lock in the same order as other statements.
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('alerts')
        .select('id')
        .where('id', '=', anyId(ids))
        .where('paused_at', paused ? 'is' : 'is not', null)
        .orderBy('id')
        .forUpdate(),
    )
    .execute();

/** Without deleted ones, oldest first. */
export const listAlertNames = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('alerts')
    .select(['name', 'paused_at'])
    .where('id', '=', anyId(ids))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();

/** Deletes rows marked as deleted before this time, optionally of one user only. */
export const deleteExpiredAlerts = (db: Reader, before: Date, userId?: string) =>
  db
    .deleteFrom('alerts')
    .where('deleted_at', '<', before)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .execute();

/** Part of account deletion. */
export const deleteAlertsOfUser = (tx: Tx, userId: string) => tx.deleteFrom('alerts').where('user_id', '=', userId).execute();

/** For the export of the user's own data. */
export const listAlertsForExport = (db: Reader, userId: string) =>
  db
    .selectFrom('alerts')
    .select([
      'name',
      'query as search',
      'words',
      'frequency',
      'country',
      'created_at as createdAt',
      'paused_at as pausedAt',
      'deleted_at as deletedAt',
      'mailed_at as lastMailAt',
    ])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

export const listAlertFindsForExport = (db: Reader, userId: string) =>
  db
    .selectFrom('alert_finds')
    .innerJoin('alerts', 'alerts.id', 'alert_id')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['alerts.name as alert', 'listing_id as listingId', 'service_title as serviceTitle', 'told_at as toldAt'])
    .where('alerts.user_id', '=', userId)
    .orderBy('alert_id')
    .orderBy('listing_id')
    .execute();
