import type { Selectable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

export type AvailabilityColumns = Pick<Selectable<DB['listings']>, 'available_from' | 'available_until' | 'booked_until'>;

export const updateAvailability = (tx: Tx, id: string, columns: AvailabilityColumns) =>
  tx.updateTable('listings').set(columns).where('id', '=', id).execute();

export const saveReminder = (tx: Tx, listingId: string, remindAt: Date) =>
  tx
    .insertInto('availability_reminders')
    .values({ listing_id: listingId, remind_at: remindAt })
    .onConflict((conflict) => conflict.column('listing_id').doUpdateSet({ remind_at: remindAt }))
    .execute();

export const deleteReminder = (tx: Tx, listingId: string) =>
  tx.deleteFrom('availability_reminders').where('listing_id', '=', listingId).execute();

/** Deletes the reminders that are due, each for one server, and returns their listings. */
export async function takeDueReminders(tx: Tx, now: Date, most: number): Promise<string[]> {
  const rows = await tx
    .deleteFrom('availability_reminders')
    .where('listing_id', 'in', (eb) =>
      eb
        .selectFrom('availability_reminders')
        .select('listing_id')
        .where('remind_at', '<=', now)
        .orderBy('remind_at')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning('listing_id')
    .execute();
  return rows.map((row) => row.listing_id);
}

/** Those that people can find, oldest first. A plan may have ended before its listings were marked. */
export const listReminded = (tx: Tx, ids: readonly string[], now: Date) =>
  tx
    .selectFrom('listings')
    .select(['id', 'seller_id', 'service_title', 'business_email', 'country', 'region_code'])
    .select(['available_from', 'available_until', 'booked_until'])
    .where('id', '=', anyId(ids))
    .where('status', '=', 'active')
    .where('subscription_ends_at', '>', now)
    .orderBy('listing_number')
    .execute();
