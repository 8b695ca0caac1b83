import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from './database.ts';

// A database that takes longer than this is none to send people to.
const longestMs = 2_000;

/** Whether the database answers now. */
export const isReached = (db: Db): Promise<boolean> =>
  Promise.race([
    sql`select 1`.execute(db).then(
      () => true,
      () => false,
    ),
    pause(longestMs, false, { ref: false }),
  ]);
