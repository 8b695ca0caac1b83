import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

/** Refunds that the provider has not made yet. */
export const countPendingRefunds = async (db: Reader) =>
  (
    await db
      .selectFrom('refunds')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('refunds'))
      .where('status', '=', sql.lit('pending' as const))
      .executeTakeFirstOrThrow()
  ).refunds;
