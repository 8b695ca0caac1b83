import { type Insertable, sql } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import { openStatuses } from './payments.disputes.states.ts';

const selectDisputes = (db: Reader) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['disputes.id', 'payment_id', 'provider_id', 'disputes.amount_minor', 'currency', 'reason', 'disputes.status'])
    .select(['due_by', 'opened_at', 'user_id']);
export type DisputeRow = Awaited<ReturnType<ReturnType<typeof selectDisputes>['execute']>>[number];

const selectWarnings = (db: Reader) =>
  db
    .selectFrom('fraud_warnings')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['fraud_warnings.id', 'payment_id', 'provider_id', 'fraud_type', 'actionable', 'amount_minor', 'currency', 'warned_at'])
    .select('user_id');
export type WarningRow = Awaited<ReturnType<ReturnType<typeof selectWarnings>['execute']>>[number];

export const findDispute = (db: Reader, providerId: string) => selectDisputes(db).where('provider_id', '=', providerId).executeTakeFirst();

export const insertDispute = (tx: Tx, dispute: Insertable<DB['disputes']>) =>
  tx.insertInto('disputes').values(dispute).returning('id').executeTakeFirstOrThrow();

export const hasOpenDispute = async (db: Reader, paymentId: string) =>
  (await db
    .selectFrom('disputes')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('status', 'in', openStatuses)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Keeps a warning once; of one that is known only whether something can still be done. True where it is new. */
export async function upsertWarning(tx: Tx, warning: Insertable<DB['fraud_warnings']>): Promise<boolean> {
  const { isNew } = await tx
    .insertInto('fraud_warnings')
    .values(warning)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ actionable: warning.actionable }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return isNew;
}

/** Disputes, the newest first; of one payment, or only those that are open. */
export async function listDisputes(db: Reader, wanted: { paymentId?: string; open?: boolean; skip: number; take: number }) {
  const { paymentId, open = false, skip, take } = wanted;
  const rows = await selectDisputes(db)
    .$if(paymentId !== undefined, (query) => query.where('payment_id', '=', paymentId ?? ''))
    .$if(open, (query) => query.where('disputes.status', 'in', openStatuses))
    .orderBy('opened_at', 'desc')
    .orderBy('disputes.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();
  return rows;
}

export const countDisputes = async (db: Reader, open: boolean) =>
  (
    await db
      .selectFrom('disputes')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('disputes'))
      .$if(open, (query) => query.where('status', 'in', openStatuses))
      .executeTakeFirstOrThrow()
  ).disputes;

export const listWarnings = (db: Reader, wanted: { paymentId?: string; take: number }) =>
  selectWarnings(db)
    .$if(wanted.paymentId !== undefined, (query) => query.where('payment_id', '=', wanted.paymentId ?? ''))
    .orderBy('warned_at', 'desc')
    .orderBy('fraud_warnings.id', 'desc')
    .limit(wanted.take)
    .execute();

export const listOwnDisputes = (db: Reader, userId: string) =>
  db
    .selectFrom('disputes')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['payment_id as paymentId', 'disputes.amount_minor as amountMinor', 'reason', 'disputes.status', 'opened_at as openedAt'])
    .where('user_id', '=', userId)
    .orderBy('opened_at')
    .execute();
