import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';
import type { ProviderAccount } from './payments.provider-account.ts';
import { openDisputeStatuses } from './payments.states.ts';

export const paymentColumns = [
  'id',
  'user_id',
  'purpose',
  'plan_id',
  'country',
  'listing_id',
  'replaces_id',
  'renews_id',
  'off_session',
  'card_id',
  'amount_minor',
  'captured_minor',
  'bought_minor',
  'owed_minor',
  'currency',
  'status',
  'intent_id',
  'created_at',
  'account',
  'livemode',
  'succeeded_at',
] as const;

const selectPayments = (db: Reader) => db.selectFrom('payments').select(paymentColumns);

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number];

// A literal rather than a parameter, so that the partial indexes of open payments apply.
const openStatus = sql.lit('open' as const);
const listingPurpose = sql.lit('listing' as const);

type Terms = Pick<
  PaymentRow,
  'user_id' | 'purpose' | 'plan_id' | 'country' | 'listing_id' | 'replaces_id' | 'card_id' | 'amount_minor' | 'currency'
>;
/** Without the last two it is no renewal, and its payer is there. */
export type NewPayment = Terms & Partial<Pick<PaymentRow, 'renews_id' | 'off_session'>>;

export const insertPayment = (tx: Tx, payment: NewPayment) =>
  tx.insertInto('payments').values(payment).returning(paymentColumns).executeTakeFirstOrThrow();

export const findPayment = (db: Reader, id: string) => selectPayments(db).where('id', '=', id).executeTakeFirst();

export const findPaymentByIntent = (db: Reader, intentId: string) =>
  selectPayments(db).where('intent_id', '=', intentId).executeTakeFirst();

export const lockPayment = (tx: Tx, id: string) => selectPayments(tx).where('id', '=', id).forUpdate().executeTakeFirst();

export const findOpenPurchase = (db: Reader, userId: string) =>
  selectPayments(db)
    .where('user_id', '=', userId)
    .where('status', '=', openStatus)
    .where('purpose', '=', listingPurpose)
    .executeTakeFirst();

export const findOpenRenewal = (db: Reader, subscriptionId: string) =>
  selectPayments(db).where('renews_id', '=', subscriptionId).where('status', '=', openStatus).executeTakeFirst();

/** The open payment for a listing's plan change or reactivation, or for a change of the same plan through another listing. */
export const findOpenChange = (db: Reader, listingId: string, replacesId: string | null) =>
  selectPayments(db)
    .where('status', '=', openStatus)
    .where('purpose', '<>', listingPurpose)
    .where((eb) => eb.or([eb('listing_id', '=', listingId), eb('replaces_id', '=', replacesId)]))
    .limit(1)
    .executeTakeFirst();

export const setPaymentIntent = (db: Reader, id: string, intentId: string, here: ProviderAccount) =>
  db.updateTable('payments').set({ intent_id: intentId, account: here.id, livemode: here.livemode }).where('id', '=', id).execute();

/** Counts a failed attempt to create the intent and returns the total. */
export const incrementProviderFaults = async (db: Reader, id: string) =>
  (
    await db
      .updateTable('payments')
      .set((eb) => ({ provider_faults: eb('provider_faults', '+', 1) }))
      .where('id', '=', id)
      .returning('provider_faults')
      .executeTakeFirstOrThrow()
  ).provider_faults;

/** Open payments due for a check at `now`, longest waiting first; null for all. */
export const listDuePayments = (db: Reader, now: Date | null, most: number) =>
  selectPayments(db)
    .where('status', '=', openStatus)
    .$if(now !== null, (query) => query.where('check_at', '<=', now))
    .orderBy('check_at')
    .limit(most)
    .execute();

export const listOpenPaymentsOfUser = (db: Reader, userId: string) =>
  selectPayments(db).where('user_id', '=', userId).where('status', '=', openStatus).execute();

export const setPaymentCheck = (db: Reader, id: string, checkAt: Date) =>
  db.updateTable('payments').set({ check_at: checkAt }).where('id', '=', id).execute();

/** `failing`: since when it is, unless it has been before; null after a check that succeeded. */
export const setPaymentFailing = (db: Reader, id: string, failing: Date | null) =>
  db
    .updateTable('payments')
    .set(({ fn, val }) => ({ failing_since: failing && fn.coalesce('failing_since', val(failing)) }))
    .where('id', '=', id)
    .where('failing_since', failing ? 'is' : 'is not', null)
    .execute();

export const setBoughtAmount = (tx: Tx, id: string, amount: number) =>
  tx.updateTable('payments').set({ bought_minor: amount }).where('id', '=', id).execute();

/** All of a user's payments, under the API's field names. */
export const listOwnPayments = (db: Reader, userId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'purpose', 'country', 'listing_id as listingId', 'amount_minor as amountMinor', 'currency', 'status'])
    .select(['created_at as createdAt', 'succeeded_at as succeededAt', 'captured_minor as takenMinor', 'owed_minor as owedMinor'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

const refundColumns = [
  'id',
  'payment_id',
  'amount_minor',
  'status',
  'source',
  'reason',
  'provider_id',
  'dispute_id',
  'request_id',
  'keeps_plan',
  'fraud',
  'asked_by',
  'failure_reason',
  'created_at',
  'refunded_at',
] as const;

const selectRefunds = (db: Reader) => db.selectFrom('refunds').select(refundColumns);
export type RefundRow = Awaited<ReturnType<ReturnType<typeof selectRefunds>['execute']>>[number];

/** Oldest first. */
export const listRefunds = (db: Reader, paymentId: string) =>
  selectRefunds(db).where('payment_id', '=', paymentId).orderBy('created_at').orderBy('id').execute();

export const findRefund = (db: Reader, id: string) => selectRefunds(db).where('id', '=', id).executeTakeFirst();

/** The refund created by an administrator's request. */
export const findRefundByRequest = (db: Reader, requestId: string) =>
  selectRefunds(db).where('request_id', '=', requestId).executeTakeFirst();

export const insertRefund = (tx: Tx, refund: Insertable<DB['refunds']>) =>
  tx.insertInto('refunds').values(refund).returning(refundColumns).executeTakeFirstOrThrow();

export const setProviderRefund = (tx: Tx, id: string, providerId: string, checkAt: Date) =>
  tx.updateTable('refunds').set({ provider_id: providerId, check_at: checkAt }).where('id', '=', id).execute();

export const setRefundAmount = (tx: Tx, id: string, amount: number) =>
  tx.updateTable('refunds').set({ amount_minor: amount }).where('id', '=', id).execute();

export const setLedger = (tx: Tx, paymentId: string, { bought, owed }: { bought: number; owed: number }) =>
  tx.updateTable('payments').set({ bought_minor: bought, owed_minor: owed }).where('id', '=', paymentId).execute();

/** Refunds due for a check at `now`, longest waiting first; null for all. */
export const listDueRefunds = (db: Reader, now: Date | null, most: number) =>
  selectRefunds(db)
    .where('check_at', 'is not', null)
    .$if(now !== null, (query) => query.where('check_at', '<=', now))
    .orderBy('check_at')
    .limit(most)
    .execute();

export const setRefundCheck = (db: Reader, id: string, checkAt: Date | null) =>
  db.updateTable('refunds').set({ check_at: checkAt }).where('id', '=', id).execute();

/** Whether the whole payment was or is being refunded, so that it pays for nothing any more. */
export const isFullyRefunded = async (db: Reader, paymentId: string) =>
  (await db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('status', '=', 'succeeded')
    .where('bought_minor', '=', 0)
    .executeTakeFirst()) !== undefined;

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
    .where('status', 'in', openDisputeStatuses)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Inserts a warning once and updates whether it is still actionable. True when it is new. */
export async function upsertWarning(tx: Tx, warning: Insertable<DB['fraud_warnings']>): Promise<boolean> {
  const { isNew } = await tx
    .insertInto('fraud_warnings')
    .values(warning)
    .onConflict((conflict) => conflict.column('provider_id').doUpdateSet({ actionable: warning.actionable }))
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return isNew;
}

/** Newest first; of one payment, or only the open ones. */
export async function listDisputes(db: Reader, wanted: { paymentId?: string; open?: boolean; skip: number; take: number }) {
  const { paymentId, open = false, skip, take } = wanted;
  const rows = await selectDisputes(db)
    .$if(paymentId !== undefined, (query) => query.where('payment_id', '=', paymentId ?? ''))
    .$if(open, (query) => query.where('disputes.status', 'in', openDisputeStatuses))
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
      .select(rowCount.as('disputes'))
      .$if(open, (query) => query.where('status', 'in', openDisputeStatuses))
      .executeTakeFirstOrThrow()
  ).disputes;

export const listPaymentWarnings = (db: Reader, wanted: { paymentId?: string; take: number }) =>
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

/** Open payments, and by how many seconds the most overdue check is late. */
export async function getOpenPaymentMetrics(db: Reader, now: Date): Promise<{ open: number; overdueSeconds: number }> {
  const { open, next } = await db
    .selectFrom('payments')
    .where('status', '=', sql.lit('open' as const))
    .select(({ cast, fn }) => [cast<number>(fn.countAll(), 'integer').as('open'), fn.min('check_at').as('next')])
    .executeTakeFirstOrThrow();
  return { open, overdueSeconds: next ? Math.max(0, (now.getTime() - new Date(next).getTime()) / 1_000) : 0 };
}
