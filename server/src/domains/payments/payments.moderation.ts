import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { countDisputes } from './disputes/payments.disputes.queries.ts';
import { listNewestFound } from './found/payments.found.queries.ts';

/** What waits for the provider, for a bank or for the operator: refunds that are under way, payments with money owed, disputes; and what was lost and found lately. */
export async function countMoneyWork(db: Reader) {
  const [{ refunds }, { owed }, openDisputes, found] = await Promise.all([
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
    listNewestFound(db),
  ]);
  const foundPayments = found.map((row) => ({
    intentId: row.intent_id,
    paymentId: row.payment_id,
    outcome: row.outcome,
    reason: row.reason,
    amountMinor: row.amount_minor,
    currency: row.currency,
    refundStatus: row.refund_status,
    foundAt: row.found_at.toISOString(),
  }));
  return { pendingRefunds: refunds, owedPayments: owed, openDisputes, foundPayments };
}
