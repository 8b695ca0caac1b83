import { mostNotifications } from '@handwise/contract/referrals/notifications';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';

export const insertNotification = (tx: Tx, notification: Insertable<DB['referral_notifications']>) =>
  tx.insertInto('referral_notifications').values(notification).returning('id').executeTakeFirstOrThrow();

export const listUnseen = (db: Reader, userId: string) =>
  db
    .selectFrom('referral_notifications')
    .select(['id', 'type', 'tickets', 'created_at'])
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostNotifications)
    .execute();

/** Those of somebody's that were not seen before: their ids. */
export const setSeen = async (tx: Tx, userId: string, ids: readonly string[], now: Date) =>
  (
    await tx
      .updateTable('referral_notifications')
      .set({ seen_at: now })
      .where('user_id', '=', userId)
      .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .where('seen_at', 'is', null)
      .returning('id')
      .execute()
  ).map(({ id }) => id);

/** What was seen long ago. */
export const deleteSeen = (db: Reader, before: Date) => db.deleteFrom('referral_notifications').where('seen_at', '<', before).execute();
