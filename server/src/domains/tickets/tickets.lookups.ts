import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { listPeriods, type Period } from './tickets.periods.ts';

/** Whose these entries are, and with how many tickets; void ones too. */
export async function findEntries(db: Reader, ids: readonly string[]): Promise<Map<string, { userId: string; tickets: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('draw_entries')
    .select(['id', 'user_id', 'tickets'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, user_id: userId, tickets }) => [id, { userId, tickets }]));
}

/** The period of a draw, which has its id. */
export async function getPeriod(db: Reader, id: string): Promise<Period> {
  const period = (await listPeriods(db)).find((one) => one.id === id);
  if (!period) throw new Error(`there is no period ${id}`);
  return period;
}
