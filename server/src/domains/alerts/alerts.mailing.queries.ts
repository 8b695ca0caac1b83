import { sql } from 'kysely';
import type { Tx } from '../../kit/database/database.ts';
import { listTable } from '../../kit/database/list-table.ts';
import type { Turn } from './alerts.rules.ts';

/** Alerts with something to tell whose turn it is and that had no mail today. */
const due = (tx: Tx, turns: readonly Turn[]) =>
  tx
    .selectFrom('alerts')
    .where((eb) =>
      eb.or(
        turns.map(({ country, frequencies, dayBegan }) =>
          eb.and([
            eb('country', '=', country),
            eb('frequency', 'in', frequencies),
            eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '<', dayBegan)]),
          ]),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('alert_finds').select('listing_id').whereRef('alert_id', '=', 'alerts.id').where('told_at', 'is', null)),
    );

/** Whose alerts these are, in the order of their ids, from behind this one on. */
export const listReaders = async (tx: Tx, turns: readonly Turn[], { after, most }: { after: string | null; most: number }) =>
  (
    await due(tx, turns)
      .select('user_id')
      .distinct()
      .$if(after !== null, (query) => query.where('user_id', '>', after ?? ''))
      .orderBy('user_id')
      .limit(most)
      .execute()
  ).map((one) => one.user_id);

/** Those of these people, who are locked, the oldest first. */
export const listDue = (tx: Tx, turns: readonly Turn[], userIds: readonly string[]) =>
  due(tx, turns)
    .select(['id', 'user_id', 'name', 'query', 'frequency', 'paused_at', 'deleted_at', 'country', 'filter'])
    .where('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();

/** What waits in these alerts and is on the site now, the newest first. */
export async function listWaiting(tx: Tx, alertIds: readonly string[]): Promise<{ alert_id: string; listing_id: string }[]> {
  return tx
    .selectFrom('alert_finds')
    .innerJoin('listings', 'listings.id', 'listing_id')
    .select(['alert_id', 'listing_id'])
    .where('alert_id', '=', sql<string>`any(${[...alertIds]}::uuid[])`)
    .where('told_at', 'is', null)
    .where('status', '=', 'active')
    .orderBy('listing_number', 'desc')
    .execute();
}

/** Notes what was told, and forgets what else waited in these alerts: its time is over. */
export async function close(
  tx: Tx,
  alertIds: readonly string[],
  told: readonly { alert_id: string; listing_id: string }[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('alert_finds')
    .from(listTable('told', { alert: ['uuid', told.map((one) => one.alert_id)], listing: ['uuid', told.map((one) => one.listing_id)] }))
    .set({ told_at: now })
    .whereRef('alert_id', '=', 'told.alert')
    .whereRef('listing_id', '=', 'told.listing')
    .execute();
  const anyOf = (ids: Iterable<string>) => sql<string>`any(${[...ids]}::uuid[])`;
  const mailed = new Set(told.map((one) => one.alert_id));
  await tx.updateTable('alerts').set({ mailed_at: now }).where('id', '=', anyOf(mailed)).execute();
  await tx.deleteFrom('alert_finds').where('alert_id', '=', anyOf(alertIds)).where('told_at', 'is', null).execute();
}
