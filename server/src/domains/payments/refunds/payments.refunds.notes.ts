import { gstWithin } from '@handwise/contract/money';
import type { AdjustmentNote } from '@handwise/contract/payments/refunds';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import { AppError } from '../../../kit/errors.ts';
import { type ReceiptDetails, receiptNumber } from '../receipts/payments.receipts.ts';
import type { Books } from './payments.refunds.books.ts';
import * as notes from './payments.refunds.note-queries.ts';
import type { RefundRow } from './payments.refunds.queries.ts';
import { isDone } from './payments.refunds.states.ts';

type NoteDetails = Omit<AdjustmentNote, '_id' | 'number' | 'issuedAt'>;

export const noteNumber = (number: number) => `HW-A-${number}`;

const asNote = (row: { id: string; number: number; issued_at: Date; details: unknown }): AdjustmentNote => ({
  ...(row.details as NoteDetails),
  _id: row.id,
  number: noteNumber(row.number),
  issuedAt: row.issued_at.toISOString(),
});

/**
 * Corrects the tax invoice of a payment by what a refund took back. Undefined where there is no invoice, or where notes have taken as much
 * off it already: a refund that is sent once more in the place of one that came back corrects nothing. Its GST is what is missing to that
 * of all notes together, so that their cents add up.
 */
export async function issueNote(tx: Tx, { payment, rows }: Books, refund: RefundRow, now: Date): Promise<AdjustmentNote | undefined> {
  const receipt = await notes.findReceiptOf(tx, payment.id);
  if (!receipt) return undefined;
  const noted = receipt.noted ?? 0;
  const gone = rows.reduce((sum, row) => sum + (isDone(row.status) ? row.amount_minor : 0), 0);
  const total = Math.min(refund.amount_minor, gone - noted);
  if (total <= 0) return undefined;
  const { description, country, timeZone, currency, totalMinor, gstPercent, supplier, customer } =
    receipt.details as unknown as ReceiptDetails;
  const details: NoteDetails = {
    receiptNumber: receiptNumber(receipt.number),
    receiptIssuedAt: receipt.issued_at.toISOString(),
    receiptTotalMinor: totalMinor,
    description,
    reason: refund.reason,
    country,
    timeZone,
    currency,
    totalMinor: total,
    correctedMinor: totalMinor - noted - total,
    gstMinor: gstWithin(noted + total, country) - gstWithin(noted, country),
    gstPercent,
    supplier,
    customer,
  };
  const row = { user_id: payment.user_id, receipt_id: receipt.id, refund_id: refund.id, issued_at: now, details: JSON.stringify(details) };
  return asNote({ ...(await notes.insertNote(tx, row)), details });
}

/** One's own note. Throws `receipt_not_found`, also for somebody else's. */
export async function getNote(db: Reader, userId: string, id: string): Promise<AdjustmentNote> {
  const row = await notes.findNote(db, userId, id);
  if (!row) throw new AppError('receipt_not_found');
  return asNote(row);
}
