import { markets } from '@handwise/contract/markets';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import type { Reader } from '../../../kit/database/database.ts';
import { receiptNumber } from '../receipts/payments.receipts.ts';
import { noteNumber } from './payments.refunds.notes.ts';
import { hasFailed } from './payments.refunds.states.ts';

/** Those of these payments whose plan ended because their money went back. Plans stand above payments. */
export type FindEnded = (db: Reader, paymentIds: readonly string[]) => Promise<ReadonlySet<string>>;

const rowsOf = (db: Reader, userId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .leftJoin('receipts', 'receipts.payment_id', 'payments.id')
    .leftJoin('adjustment_notes', 'adjustment_notes.refund_id', 'refunds.id')
    .select([
      'refunds.id',
      'refunds.amount_minor',
      'refunds.status',
      'refunds.source',
      'refunds.reason',
      'refunds.created_at',
      'refunds.refunded_at',
    ])
    .select([
      'payments.id as payment_id',
      'captured_minor',
      'owed_minor',
      'currency',
      'payments.country',
      'succeeded_at',
      'payments.created_at as begun_at',
    ])
    .select(['receipts.id as receipt_id', 'receipts.number as receipt_number'])
    .select(['adjustment_notes.id as note_id', 'adjustment_notes.number as note_number'])
    .where('payments.user_id', '=', userId)
    // Of what went back in another way there is a refund that says so.
    .where((is) => is.or([is('refunds.failure_reason', 'is', null), is('refunds.failure_reason', '<>', 'went_back_otherwise')]))
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc');

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** One's own refunds, the newest first. */
export async function listOwnRefunds(db: Reader, userId: string, findEnded: FindEnded): Promise<OwnRefund[]> {
  const rows = await rowsOf(db, userId).limit(200).execute();
  if (rows.length === 0) return [];
  const ended = await findEnded(
    db,
    rows.map((row) => row.payment_id),
  );
  return rows.map((row) => asOwnRefund(row, ended.has(row.payment_id)));
}

const asOwnRefund = (row: Row, endedPlan: boolean): OwnRefund => ({
  _id: row.id,
  amountMinor: row.amount_minor,
  currency: row.currency === 'AUD' ? 'AUD' : 'NZD',
  timeZone: markets[row.country].timeZone,
  status: row.status,
  isOwed: hasFailed(row.status) && row.owed_minor > 0,
  by: row.source === 'transfer' ? 'transfer' : row.source === 'dispute' ? 'bank' : 'card',
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  refundedAt: row.refunded_at?.toISOString() ?? null,
  endedPlan,
  payment: {
    amountMinor: row.captured_minor,
    paidAt: (row.succeeded_at ?? row.begun_at).toISOString(),
    receipt: row.receipt_id === null ? null : { _id: row.receipt_id, number: receiptNumber(row.receipt_number ?? 0) },
  },
  adjustment: row.note_id === null ? null : { _id: row.note_id, number: noteNumber(row.note_number ?? 0) },
});

/** All of a user's refunds, by the names that the API has for what they hold. */
export const listRefundsForOwner = (db: Reader, userId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['payment_id as paymentId', 'refunds.amount_minor as amountMinor', 'refunds.status', 'reason'])
    .select(['refunds.created_at as createdAt', 'refunded_at as refundedAt'])
    .where('user_id', '=', userId)
    .orderBy('refunds.created_at')
    .execute();

export const listNotesForOwner = (db: Reader, userId: string) =>
  db
    .selectFrom('adjustment_notes')
    .select(['number', 'issued_at as issuedAt', 'details'])
    .where('user_id', '=', userId)
    .orderBy('number')
    .execute();
