import type { AdminRefund, PaymentBooks } from '@handwise/contract/admin/payments';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import * as disputes from './disputes/payments.disputes.queries.ts';
import { listEventsOf } from './events/payments.event-queries.ts';
import { findPayment } from './payments.queries.ts';
import { receiptNumber } from './receipts/payments.receipts.ts';
import { findReceiptOf, listNotesOf } from './refunds/payments.refunds.note-queries.ts';
import { noteNumber } from './refunds/payments.refunds.notes.ts';
import { listRefunds, type RefundRow } from './refunds/payments.refunds.queries.ts';

export const asRefund = (row: RefundRow): AdminRefund => ({
  _id: row.id,
  amountMinor: row.amount_minor,
  status: row.status,
  source: row.source,
  reason: row.reason,
  failure: row.failure_reason,
  providerId: row.provider_id,
  askedBy: row.asked_by,
  createdAt: row.created_at.toISOString(),
  refundedAt: row.refunded_at?.toISOString() ?? null,
});

const asDispute = (row: disputes.DisputeRow): PaymentBooks['disputes'][number] => ({
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

const asWarning = (row: disputes.WarningRow): PaymentBooks['warnings'][number] => ({
  _id: row.id,
  paymentId: row.payment_id,
  providerId: row.provider_id,
  fraudType: row.fraud_type,
  actionable: row.actionable,
  amountMinor: row.amount_minor,
  currency: row.currency,
  warnedAt: row.warned_at.toISOString(),
});

const mostShown = 100;

const asPaper = (number: string, { issued_at, details }: { issued_at: Date; details: unknown }) => {
  const { totalMinor, gstMinor } = details as { totalMinor: number; gstMinor: number };
  return { number, issuedAt: issued_at.toISOString(), totalMinor, gstMinor };
};

type Books = Omit<PaymentBooks, 'payer' | 'planName' | 'bought' | 'refunds'> & {
  payerId: string;
  planId: string;
  refunds: AdminRefund[];
};

/** One payment as administrators see it, whose it is, and for which plan. Throws `payment_not_found`. */
export async function getBooks(db: Reader, id: string): Promise<Books> {
  const payment = await findPayment(db, id);
  if (!payment) throw new AppError('payment_not_found');
  const [receipt, notes, refunds, theirDisputes, warnings, events] = await Promise.all([
    findReceiptOf(db, id),
    listNotesOf(db, id),
    listRefunds(db, id),
    disputes.listDisputes(db, { paymentId: id, skip: 0, take: mostShown }),
    disputes.listWarnings(db, { paymentId: id, take: mostShown }),
    payment.intent_id === null ? [] : listEventsOf(db, payment.intent_id, mostShown),
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
    invoice: receipt ? asPaper(receiptNumber(receipt.number), receipt) : null,
    notes: notes.map((note) => ({ ...asPaper(noteNumber(note.number), note), refundId: note.refund_id })),
    refunds: refunds.map(asRefund),
    disputes: theirDisputes.map(asDispute),
    warnings: warnings.map(asWarning),
    events: events.map((event) => ({
      id: event.id,
      type: event.type,
      createdAt: event.created_at.toISOString(),
      receivedAt: event.received_at.toISOString(),
    })),
  };
}

/** A page of disputes and the newest warnings, each with whose payment it is about. */
export async function listDisputes(db: Reader, { open, skip, take }: { open: boolean; skip: number; take: number }) {
  const [rows, total, warnings] = await Promise.all([
    disputes.listDisputes(db, { open, skip, take }),
    disputes.countDisputes(db, open),
    disputes.listWarnings(db, { take }),
  ]);
  return {
    disputes: rows.map((row) => ({ ...asDispute(row), payerId: row.user_id })),
    warnings: warnings.map((row) => ({ ...asWarning(row), payerId: row.user_id })),
    total,
  };
}
