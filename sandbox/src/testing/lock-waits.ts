import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '@handwise/server/kit/database';

/** Waits until this many sessions of the database wait for a lock. */
export async function untilLockWaits(db: Db, sessions = 1): Promise<void> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(sessions);
}
