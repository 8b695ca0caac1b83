import { sql } from 'kysely';
import type { Db, Reader } from '../database/database.ts';
import type { Channel, Message } from './events.ts';

/** Publishes a message to every server as part of the transaction. It arrives within about 100 ms of the commit. */
export async function publishChange<C extends Channel>(tx: Reader, channel: C, message: Message<C>): Promise<void> {
  await sql`select publish_change(${channel}, ${JSON.stringify(message)}::jsonb)`.execute(tx);
}

/**
 * Deletes the rows of transactions that ended more than 10 minutes ago. Age alone is not enough, because a transaction may run for longer. A server that
 * has not read for so long knows it by the mark, so the last mark that was used stays.
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
