import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

/** Payments that have not ended, and for how long the provider should have been asked about one and was not. */
export async function openPaymentFigures(db: Reader, now: Date): Promise<{ open: number; overdueSeconds: number }> {
  const { open, next } = await db
    .selectFrom('payments')
    .where('status', '=', sql.lit('open' as const))
    .select(({ cast, fn }) => [cast<number>(fn.countAll(), 'integer').as('open'), fn.min('check_at').as('next')])
    .executeTakeFirstOrThrow();
  return { open, overdueSeconds: next ? Math.max(0, (now.getTime() - new Date(next).getTime()) / 1_000) : 0 };
}
