import { sql } from 'kysely';
import type { Tx } from './database/database.ts';

/** Says on whose behalf the rest of the transaction writes: the audit log names them. */
export async function asActor(tx: Tx, userId: string): Promise<void> {
  await sql`select set_config('handwise.actor', ${userId}, true)`.execute(tx);
}
