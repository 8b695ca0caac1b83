import type { Db, Tx } from '@handwise/server/kit/database';
import { type RawBuilder, sql } from 'kysely';

class Back extends Error {}

/** Runs statements without triggers and foreign keys, returns what `look` reads, and rolls back. */
export async function readWithoutConstraints<Seen>(db: Db, look: (tx: Tx) => Promise<Seen>, statements: readonly RawBuilder<unknown>[]) {
  const seen: Seen[] = [];
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      for (const statement of statements) await statement.execute(tx);
      seen.push(await look(tx));
      throw new Back();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Back)) throw error;
    });
  const [first] = seen;
  if (first === undefined) throw new Error('nothing was looked at');
  return first;
}
