import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { countDisputes } from './disputes/payments.disputes.queries.ts';

/** What waits for the provider, for a bank or for the operator: refunds that are under way, payments with money owed, disputes. */
export async function countMoneyWork(db: Reader) {
  const [{ refunds }, { owed }, openDisputes] = await Promise.all([
    db
      .selectFrom('refunds')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('refunds'))
      .where('status', '=', sql.lit('pending' as const))
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('payments')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('owed'))
      .where('owed_minor', '>', sql.lit(0))
      .executeTakeFirstOrThrow(),
    countDisputes(db, true),
  ]);
  return { pendingRefunds: refunds, owedPayments: owed, openDisputes };
}
