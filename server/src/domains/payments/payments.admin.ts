import { type ExpressionBuilder, sql } from 'kysely';
import type { AdminRefund, PaymentLedger } from '@handwise/contract/admin/payments';
import { isId } from '@handwise/contract/ids';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { findReceiptOfPayment, formatNoteNumber, formatReceiptNumber, listNotesOfPayment } from './payments.documents.ts';
import { listRecentFoundPayments } from './payments.found.queries.ts';
import {
  type DisputeRow,
  type WarningRow,
  countDisputes,
  findPayment,
  listDisputes,
  listRefunds,
  listPaymentWarnings,
} from './payments.queries.ts';
import { toAdminRefund } from './payments.refunds.ts';
import { answerableDisputeStatuses, openDisputeStatuses } from './payments.states.ts';
import { listEventsOfIntent } from './payments.webhooks.ts';

const toDispute = (row: DisputeRow): PaymentLedger['disputes'][number] => ({
  _id: row.id,
  paymentId: row.payment_id,
  providerId: row.provider_id,
  amountMinor: row.amount_minor,
  currency: row.currency,
  reason: row.reason,
  status: row.status,
  dueBy: row.due_by?.toISOString() ?? null,
  openedAt: row.opened_at.toISOString(),
});

const toWarning = (row: WarningRow): PaymentLedger['warnings'][number] => ({
  _id: row.id,
  paymentId: row.payment_id,
  providerId: row.provider_id,
  fraudType: row.fraud_type,
  actionable: row.actionable,
  amountMinor: row.amount_minor,
  currency: row.currency,
  warnedAt: row.warned_at.toISOString(),
});

const maxShown = 100;

const toDocument = (number: string, { issued_at, details }: { issued_at: Date; details: unknown }) => {
  const { totalMinor, gstMinor } = details as { totalMinor: number; gstMinor: number };
  return { number, issuedAt: issued_at.toISOString(), totalMinor, gstMinor };
};

type PaymentRecord = Omit<PaymentLedger, 'payer' | 'planName' | 'bought' | 'refunds'> & {
  payerId: string;
  planId: string;
  refunds: AdminRefund[];
};

/** One payment as administrators see it, with its payer and plan. Throws `payment_not_found`. */
export async function getPaymentRecord(db: Reader, id: string): Promise<PaymentRecord> {
  const payment = await findPayment(db, id);
  if (!payment) throw new AppError('payment_not_found');
  const [receipt, notes, refunds, theirDisputes, warnings, events] = await Promise.all([
    findReceiptOfPayment(db, id),
    listNotesOfPayment(db, id),
    listRefunds(db, id),
    listDisputes(db, { paymentId: id, skip: 0, take: maxShown }),
    listPaymentWarnings(db, { paymentId: id, take: maxShown }),
    payment.intent_id === null ? [] : listEventsOfIntent(db, payment.intent_id, maxShown),
  ]);
  const { captured_minor: capturedMinor, bought_minor: boughtMinor, owed_minor: owedMinor } = payment;
  return {
    _id: payment.id,
    intentId: payment.intent_id,
    purpose: payment.purpose,
    country: payment.country,
    status: payment.status,
    currency: payment.currency,
    amountMinor: payment.amount_minor,
    livemode: payment.livemode,
    createdAt: payment.created_at.toISOString(),
    succeededAt: payment.succeeded_at?.toISOString() ?? null,
    capturedMinor,
    boughtMinor,
    refundedMinor: capturedMinor - boughtMinor - owedMinor,
    owedMinor,
    payerId: payment.user_id,
    planId: payment.plan_id,
    invoice: receipt ? toDocument(formatReceiptNumber(receipt.number), receipt) : null,
    notes: notes.map((note) => ({ ...toDocument(formatNoteNumber(note.number), note), refundId: note.refund_id })),
    refunds: refunds.map(toAdminRefund),
    disputes: theirDisputes.map(toDispute),
    warnings: warnings.map(toWarning),
    events: events.map((event) => ({
      id: event.id,
      type: event.type,
      createdAt: event.created_at.toISOString(),
      receivedAt: event.received_at.toISOString(),
    })),
  };
}

/** A page of disputes and the newest warnings, each with its payer. */
export async function listDisputesForAdmin(db: Reader, { open, skip, take }: { open: boolean; skip: number; take: number }) {
  const [rows, total, warnings] = await Promise.all([
    listDisputes(db, { open, skip, take }),
    countDisputes(db, open),
    listPaymentWarnings(db, { take }),
  ]);
  return {
    disputes: rows.map((row) => ({ ...toDispute(row), payerId: row.user_id })),
    warnings: warnings.map((row) => ({ ...toWarning(row), payerId: row.user_id })),
    total,
  };
}

type PlainStatus = 'open' | 'succeeded' | 'failed' | 'canceled';
export type PaymentFilter = 'all' | PlainStatus | 'refunded' | 'owed' | 'disputed';
type PaymentSearch = {
  q: string | undefined;
  payerIds: readonly string[];
  status: PaymentFilter;
  skip: number;
  take: number;
  counted: number;
};

const selectForAdmin = (db: Reader) =>
  db
    .selectFrom('payments')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('refunds')
          .select(['refunds.id', 'refunds.status', 'refunds.reason', 'refunds.amount_minor'])
          .whereRef('refunds.payment_id', '=', 'payments.id')
          .orderBy('refunds.created_at', 'desc')
          .orderBy('refunds.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .leftJoin('receipts', 'receipts.payment_id', 'payments.id');

const isState = (status: PaymentFilter) => !['all', 'refunded', 'owed', 'disputed'].includes(status);

const adminColumns = [
  'payments.id',
  'payments.user_id',
  'intent_id',
  'purpose',
  'payments.amount_minor',
  'owed_minor',
  'currency',
  'payments.status',
  'payments.created_at',
  'receipts.number as receipt_number',
  'newest.status as refund_status',
  'newest.reason as refund_reason',
  'newest.amount_minor as refund_minor',
] as const;

const isDisputed = ({ exists, selectFrom }: ExpressionBuilder<DB, 'payments'>) =>
  exists(
    selectFrom('disputes')
      .select('disputes.id')
      .whereRef('disputes.payment_id', '=', 'payments.id')
      .where('disputes.status', 'in', openDisputeStatuses),
  )
    .$castTo<boolean>()
    .as('is_disputed');

/**
 * Payments by intent, id, tax invoice number, refund or dispute at the provider, or payer, newest first; the total is counted up to
 * `counted`.
 */
export async function searchPayments(db: Reader, { q, payerIds, status, skip, take, counted }: PaymentSearch) {
  const wanted = selectForAdmin(db)
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const receipt = /^(?:inv-)?(\d{1,9})$/i.exec(text)?.[1];
      return query.where((is) =>
        is.or([
          is('intent_id', '=', text),
          ...(isId(text) ? [is('payments.id', '=', text)] : []),
          ...(receipt ? [is('receipts.number', '=', Number(receipt))] : []),
          ...['refunds' as const, 'disputes' as const].map((table) =>
            is('payments.id', 'in', is.selectFrom(table).select(`${table}.payment_id`).where(`${table}.provider_id`, '=', text)),
          ),
          ...(payerIds.length > 0 ? [is('payments.user_id', '=', anyId(payerIds))] : []),
        ]),
      );
    })
    .$if(status === 'refunded', (query) => query.where('newest.id', 'is not', null))
    .$if(status === 'owed', (query) => query.where('owed_minor', '>', sql.lit(0)))
    .$if(status === 'disputed', (query) =>
      query.where('payments.id', 'in', (is) =>
        is.selectFrom('disputes').select('disputes.payment_id').where('disputes.status', 'in', openDisputeStatuses),
      ),
    )
    .$if(isState(status), (query) => query.where('payments.status', '=', status as PlainStatus));
  const [rows, { total }] = await Promise.all([
    wanted.select(adminColumns).select(isDisputed).orderBy('payments.id', 'desc').offset(skip).limit(take).execute(),
    db.selectFrom(wanted.select('payments.id').limit(counted).as('found')).select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type AdminPaymentRow = Awaited<ReturnType<typeof searchPayments>>['rows'][number];

export const listPaymentsForAdmin = (db: Reader, payerId: string, most: number) =>
  selectForAdmin(db)
    .select(adminColumns)
    .select(isDisputed)
    .where('payments.user_id', '=', payerId)
    .orderBy('payments.id', 'desc')
    .limit(most)
    .execute();

/**
 * Work that waits for the provider, a bank or the operator: pending refunds, payments with money owed, open disputes, recently found
 * payments.
 */
export async function countPaymentWork(db: Reader) {
  const [{ refunds }, { owed }, openDisputes, found] = await Promise.all([
    db
      .selectFrom('refunds')
      .select(rowCount.as('refunds'))
      .where('status', '=', sql.lit('pending' as const))
      .executeTakeFirstOrThrow(),
    db.selectFrom('payments').select(rowCount.as('owed')).where('owed_minor', '>', sql.lit(0)).executeTakeFirstOrThrow(),
    countDisputes(db, true),
    listRecentFoundPayments(db),
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

/** Of all rows that match, beside the first ones. */
const totalOfAll = sql<number>`(count(*) over ())::integer`.as('total');
const withTotal = <Row extends { total: number }>(rows: Row[]) => ({ rows, total: rows[0]?.total ?? 0 });

/** Disputes that wait for our answer, those that are due first; at most `take`. */
export const listDisputeWork = async (db: Reader, take: number) =>
  withTotal(
    await db
      .selectFrom('disputes')
      .innerJoin('payments', 'payments.id', 'payment_id')
      .select(['payment_id as paymentId', 'disputes.amount_minor as amountMinor', 'currency', 'opened_at as since', 'due_by as dueAt'])
      .select(totalOfAll)
      .where('disputes.status', 'in', answerableDisputeStatuses)
      .orderBy('due_by')
      .limit(take)
      .execute(),
  );

/** An open payment that could not be checked with the provider for so long needs a person. */
const doubtMs = 15 * 60_000;

/** Payments on which an administrator has to act, the longest waiting first, at most `take` of each kind. */
export async function listPaymentWork(db: Reader, take: number, now: Date) {
  const payments = db
    .selectFrom('payments')
    .select(['payments.id as paymentId', 'payments.amount_minor as amountMinor', 'payments.currency']);
  const [owed, unsent, warned, doubtful] = await Promise.all([
    db
      .selectFrom('payments')
      .select(({ fn, selectFrom }) => [
        'payments.id as paymentId',
        'owed_minor as amountMinor',
        'currency',
        fn
          .coalesce(
            selectFrom('refunds')
              .whereRef('payment_id', '=', 'payments.id')
              .select(({ fn: inner }) => inner.max('created_at').as('at')),
            'payments.created_at',
          )
          .$castTo<Date>()
          .as('since'),
      ])
      .select(totalOfAll)
      .where('owed_minor', '>', sql.lit(0))
      .orderBy('since')
      .limit(take)
      .execute(),
    db
      .selectFrom('found_payments')
      .select(['payment_id as paymentId', 'amount_minor as amountMinor', 'currency', 'found_at as since'])
      .select(totalOfAll)
      .where('refund_status', 'in', [sql.lit('failed' as const), sql.lit('canceled' as const)])
      .orderBy('found_at')
      .limit(take)
      .execute(),
    payments
      .innerJoin('fraud_warnings', 'payment_id', 'payments.id')
      .select('warned_at as since')
      .select(totalOfAll)
      .where('actionable', '=', true)
      .orderBy('warned_at')
      .limit(take)
      .execute(),
    payments
      .select(({ ref }) => ref('failing_since').$notNull().as('since'))
      .select(totalOfAll)
      .where('status', '=', sql.lit('open' as const))
      .where('failing_since', '<', new Date(now.getTime() - doubtMs))
      .orderBy('failing_since')
      .limit(take)
      .execute(),
  ]);
  return { owed: withTotal(owed), unsent: withTotal(unsent), warned: withTotal(warned), doubtful: withTotal(doubtful) };
}
