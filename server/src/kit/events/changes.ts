import { sql } from 'kysely';
import type { Db, Reader } from '../database/database.ts';
import type { Channel, Told } from './events.ts';

/** Tells every server on a channel as part of the transaction: heard within about 100 ms of its commit, never where it is rolled back. */
export async function tell<C extends Channel>(tx: Reader, channel: C, told: Told<C>): Promise<void> {
  await sql`select tell(${channel}, ${JSON.stringify(told)}::jsonb)`.execute(tx);
}

/**
 * Deletes what every server has read long since: all that was written by transactions which had ended 10 minutes ago. Not what
 * was written before then, because a transaction may take longer than that. A server that has not read for so long knows it
 * by the mark, of which the last that was used stays.
 */
export async function deleteOldChanges(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const old = tx
      .selectFrom('change_marks')
      .select(({ fn }) => fn.max('ended_below').as('ended_below'))
      .where('taken_at', '<', sql<Date>`now() - interval '10 minutes'`);
    await tx.deleteFrom('changes').where('xid', '<', old).execute();
    await tx.deleteFrom('change_marks').where('ended_below', '<', old).execute();
    await tx.insertInto('change_marks').defaultValues().execute();
  });
}
