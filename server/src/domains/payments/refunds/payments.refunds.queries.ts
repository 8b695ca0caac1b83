import type { Insertable } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../../kit/database/database.ts';

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
  'asked_by',
  'failure_reason',
  'created_at',
  'refunded_at',
] as const;

const selectRefunds = (db: Reader) => db.selectFrom('refunds').select(refundColumns);
export type RefundRow = Awaited<ReturnType<ReturnType<typeof selectRefunds>['execute']>>[number];

/** All refunds of a payment, the oldest first. */
export const listRefunds = (db: Reader, paymentId: string) =>
  selectRefunds(db).where('payment_id', '=', paymentId).orderBy('created_at').orderBy('id').execute();

export const findRefund = (db: Reader, id: string) => selectRefunds(db).where('id', '=', id).executeTakeFirst();

/** The refund that an administrator's request made. */
export const findByRequest = (db: Reader, requestId: string) => selectRefunds(db).where('request_id', '=', requestId).executeTakeFirst();

export const insertRefund = (tx: Tx, refund: Insertable<DB['refunds']>) =>
  tx.insertInto('refunds').values(refund).returning(refundColumns).executeTakeFirstOrThrow();

/** Writes down which refund at the provider this is, and when to ask about it. */
export const setProviderRefund = (tx: Tx, id: string, providerId: string, checkAt: Date) =>
  tx.updateTable('refunds').set({ provider_id: providerId, check_at: checkAt }).where('id', '=', id).execute();

export const setAmount = (tx: Tx, id: string, amount: number) =>
  tx.updateTable('refunds').set({ amount_minor: amount }).where('id', '=', id).execute();

export const setBooks = (tx: Tx, paymentId: string, { bought, owed }: { bought: number; owed: number }) =>
  tx.updateTable('payments').set({ bought_minor: bought, owed_minor: owed }).where('id', '=', paymentId).execute();

/** Refunds that the provider is to be asked about by `now`, the longest waiting first; null for all of them. */
export const listDue = (db: Reader, now: Date | null, most: number) =>
  selectRefunds(db)
    .where('check_at', 'is not', null)
    .$if(now !== null, (query) => query.where('check_at', '<=', now))
    .orderBy('check_at')
    .limit(most)
    .execute();

export const setNextCheck = (db: Reader, id: string, checkAt: Date | null) =>
  db.updateTable('refunds').set({ check_at: checkAt }).where('id', '=', id).execute();

/** Whether all of a payment went back, or goes: it pays for nothing any more. */
export const isReturned = async (db: Reader, paymentId: string) =>
  (await db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', paymentId)
    .where('status', '=', 'succeeded')
    .where('bought_minor', '=', 0)
    .executeTakeFirst()) !== undefined;
