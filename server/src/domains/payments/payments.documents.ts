import { sql } from 'kysely';
import { formatDate } from '@handwise/contract/dates';
import { markets } from '@handwise/contract/markets';
import { gstWithin, money } from '@handwise/contract/money';
import type { Receipt } from '@handwise/contract/payments/calls';
import { brandName } from '@handwise/contract/payments/card-brands';
import { type AdjustmentNote, adjustmentTitles } from '@handwise/contract/payments/refunds';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { site } from '@handwise/contract/site/site';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { PdfContent } from '../../kit/pdf/pdf.ts';
import type { Contact } from '../accounts/accounts.service.ts';
import type { Intent, Payments, PurchasedPlan } from './payments.context.ts';
import { receiptEmail } from './payments.emails.ts';
import type { PaymentRow, RefundRow } from './payments.queries.ts';
import { isRefundDone } from './payments.states.ts';

const insertReceipt = (tx: Tx, receipt: { user_id: string; payment_id: string; details: string }) =>
  tx.insertInto('receipts').values(receipt).returning(['id', 'number', 'issued_at']).executeTakeFirstOrThrow();

const selectReceipts = (db: Reader, userId: string) =>
  db
    .selectFrom('receipts')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('refunds')
          .select([sql<number>`coalesce(sum(amount_minor), 0)::int`.as('refunded_minor'), sql<Date>`max(refunded_at)`.as('refunded_at')])
          .whereRef('refunds.payment_id', '=', 'receipts.payment_id')
          .where('refunds.status', '=', 'succeeded')
          .as('back'),
      (join) => join.onTrue(),
    )
    .select(['receipts.id', 'receipts.number', 'receipts.issued_at', 'receipts.details', 'back.refunded_at'])
    .select(({ fn }) => fn.coalesce('refunded_minor', sql<number>`0`).as('refunded_minor'))
    .where('receipts.user_id', '=', userId)
    .orderBy('receipts.number', 'desc');
export type ReceiptRow = Awaited<ReturnType<typeof listReceiptRows>>[number];

const listReceiptRows = (db: Reader, userId: string) => selectReceipts(db, userId).limit(200).execute();

const findReceiptRow = (db: Reader, userId: string, id: string) =>
  selectReceipts(db, userId).where('receipts.id', '=', id).executeTakeFirst();

export const listOwnInvoices = (db: Reader, userId: string) =>
  db
    .selectFrom('receipts')
    .select(['number', 'payment_id as paymentId', 'issued_at as issuedAt', 'details'])
    .where('user_id', '=', userId)
    .orderBy('number')
    .execute();

export const listOwnNotes = (db: Reader, userId: string) =>
  db
    .selectFrom('adjustment_notes')
    .select(['number', 'issued_at as issuedAt', 'details'])
    .where('user_id', '=', userId)
    .orderBy('number')
    .execute();

type ReceiptDetails = Omit<Receipt, '_id' | 'number' | 'issuedAt' | 'refundedAt' | 'refundedMinor'>;

export const formatReceiptNumber = (number: number) => `INV-${number}`;

/** Issues and emails the receipt, in the transaction that books the payment. */
export async function issueReceipt(deps: Payments, tx: Tx, payment: PaymentRow, user: Contact, intent: Intent, bought: PurchasedPlan) {
  const { context } = deps;
  const card = typeof intent.payment_method === 'object' ? intent.payment_method?.card : undefined;
  const purpose = { listing: 'plan', plan_change: 'plan, change of plan', reactivation: 'plan, reactivation', renewal: 'plan, renewal' }[
    payment.purpose
  ];
  const details: ReceiptDetails = {
    description: `${bought.planName} ${purpose}, ${subscriptionDays} days`,
    country: payment.country,
    timeZone: bought.timeZone,
    currency: markets[payment.country].currency,
    totalMinor: payment.amount_minor,
    gstMinor: gstWithin(payment.amount_minor, payment.country),
    gstPercent: markets[payment.country].gstPercent,
    supplier: { name: site.legalName, address: site.legalAddress, taxNumber: payment.country === 'NZ' ? site.nzGstNumber : site.abn },
    customer: { name: user.full_name, email: user.email },
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    periodStartsAt: bought.startsAt.toISOString(),
    periodEndsAt: bought.endsAt.toISOString(),
  };
  const row = await insertReceipt(tx, { user_id: payment.user_id, payment_id: payment.id, details: JSON.stringify(details) });
  await context.jobs.send(
    tx,
    sendMail,
    receiptEmail(toReceipt({ ...row, details, refunded_at: null, refunded_minor: 0 }), context.appUrl, bought.nextChargeAt),
  );
}

function toReceipt(row: Pick<ReceiptRow, 'id' | 'number' | 'issued_at' | 'details' | 'refunded_at' | 'refunded_minor'>): Receipt {
  const details = row.details as unknown as Omit<ReceiptDetails, 'timeZone'> & { timeZone?: string };
  return {
    ...details,
    // The first receipts have no time zone.
    timeZone: details.timeZone ?? markets[details.country].timeZone,
    _id: row.id,
    number: formatReceiptNumber(row.number),
    issuedAt: row.issued_at.toISOString(),
    refundedMinor: row.refunded_minor,
    refundedAt: row.refunded_minor >= details.totalMinor ? (row.refunded_at?.toISOString() ?? null) : null,
  };
}

export const listReceipts = async (db: Reader, userId: string): Promise<Receipt[]> => (await listReceiptRows(db, userId)).map(toReceipt);

/** Throws `receipt_not_found`, also for another user's receipt. */
export async function getReceipt(db: Reader, userId: string, id: string): Promise<Receipt> {
  const row = await findReceiptRow(db, userId, id);
  if (!row) throw new AppError('receipt_not_found');
  return toReceipt(row);
}

export function receiptPdf(receipt: Receipt): PdfContent {
  const day = (iso: string) => formatDate(iso, receipt.timeZone);
  const price = (minor: number) => money(minor, receipt.currency);
  const { card, periodStartsAt, periodEndsAt, refundedAt, refundedMinor, totalMinor, gstMinor } = receipt;
  const paid = card ? `Paid by ${brandName(card.brand)} card ending in ${card.last4}` : 'Paid by card';
  const back = refundedAt ? 'Refunded in full.' : `${price(refundedMinor)} refunded.`;
  return {
    ...receipt,
    title: 'Tax invoice',
    facts: [
      ['Invoice number', receipt.number],
      ['Date of issue', day(receipt.issuedAt)],
    ],
    remark: refundedAt ? `Refunded on ${day(refundedAt)}` : null,
    lines: [
      {
        text: receipt.description,
        detail: periodStartsAt && periodEndsAt ? `${day(periodStartsAt)} to ${day(periodEndsAt)}` : null,
        amount: price(totalMinor),
      },
    ],
    sums: [
      ['Subtotal without GST', price(totalMinor - gstMinor)],
      [`GST (${receipt.gstPercent} %)`, price(gstMinor)],
      ['Total, GST included', price(totalMinor)],
    ],
    notes: refundedMinor > 0 ? [paid, back] : [paid],
  };
}

type NoteDetails = Omit<AdjustmentNote, '_id' | 'number' | 'issuedAt'>;

export const formatNoteNumber = (number: number) => `ADJ-${number}`;

const toNote = (row: { id: string; number: number; issued_at: Date; details: unknown }): AdjustmentNote => ({
  ...(row.details as NoteDetails),
  _id: row.id,
  number: formatNoteNumber(row.number),
  issuedAt: row.issued_at.toISOString(),
});

/**
 * Corrects the tax invoice of a payment by a refund. Undefined without an invoice, or when earlier notes already cover the amount, as for a
 * resent refund. Its GST is the difference between the GST of all notes with and without it, so that their cents add up.
 */
export async function issueNote(
  tx: Tx,
  { payment, rows }: { payment: PaymentRow; rows: readonly RefundRow[] },
  refund: RefundRow,
  now: Date,
): Promise<AdjustmentNote | undefined> {
  const receipt = await findReceiptOfPayment(tx, payment.id);
  if (!receipt) return undefined;
  const noted = receipt.noted ?? 0;
  const refunded = rows.reduce((sum, row) => sum + (isRefundDone(row.status) ? row.amount_minor : 0), 0);
  const total = Math.min(refund.amount_minor, refunded - noted);
  if (total <= 0) return undefined;
  const { description, country, timeZone, currency, totalMinor, gstPercent, supplier, customer } =
    receipt.details as unknown as ReceiptDetails;
  const details: NoteDetails = {
    receiptNumber: formatReceiptNumber(receipt.number),
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
  return toNote({ ...(await insertNote(tx, row)), details });
}

/** Throws `receipt_not_found`, also for another user's note. */
export async function getNote(db: Reader, userId: string, id: string): Promise<AdjustmentNote> {
  const row = await findNoteRow(db, userId, id);
  if (!row) throw new AppError('receipt_not_found');
  return toNote(row);
}

/** The tax invoice of a payment, with the total of its adjustment notes. */
export const findReceiptOfPayment = (db: Reader, paymentId: string) =>
  db
    .selectFrom('receipts')
    .select(['id', 'number', 'issued_at', 'details'])
    .select(({ selectFrom }) =>
      selectFrom('adjustment_notes')
        .select(sql<number>`coalesce(sum((adjustment_notes.details ->> 'totalMinor')::int), 0)::int`.as('noted'))
        .whereRef('receipt_id', '=', 'receipts.id')
        .$asScalar()
        .as('noted'),
    )
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();

/** Inserts a note with the next number; concurrent notes wait, which keeps the numbers without gaps. */
async function insertNote(tx: Tx, note: { user_id: string; receipt_id: string; refund_id: string; issued_at: Date; details: string }) {
  const { last } = await tx
    .updateTable('adjustment_numbers')
    .set(({ eb }) => ({ last: eb('last', '+', 1) }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return tx
    .insertInto('adjustment_notes')
    .values({ ...note, number: last })
    .returning(['id', 'number', 'issued_at'])
    .executeTakeFirstOrThrow();
}

export const listNotesOfPayment = (db: Reader, paymentId: string) =>
  db
    .selectFrom('adjustment_notes')
    .innerJoin('refunds', 'refunds.id', 'refund_id')
    .select(['number', 'refund_id', 'issued_at', 'details'])
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute();

const findNoteRow = (db: Reader, userId: string, id: string) =>
  db
    .selectFrom('adjustment_notes')
    .select(['id', 'number', 'issued_at', 'details'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

export function adjustmentNotePdf(note: AdjustmentNote): PdfContent {
  const day = (iso: string) => formatDate(iso, note.timeZone);
  const price = (minor: number) => money(minor, note.currency);
  return {
    ...note,
    title: adjustmentTitles[note.country],
    facts: [
      ['Number', note.number],
      ['Date of issue', day(note.issuedAt)],
      ['Tax invoice', note.receiptNumber],
      ['Invoiced on', day(note.receiptIssuedAt)],
    ],
    remark: null,
    lines: [{ text: note.description, detail: note.reason, amount: `-${price(note.totalMinor)}` }],
    sums: [
      ['Invoiced, GST included', price(note.receiptTotalMinor)],
      ...(note.correctedMinor === undefined ? [] : [['Price now, GST included', price(note.correctedMinor)] as const]),
      ['Less, without GST', price(note.totalMinor - note.gstMinor)],
      [`GST (${note.gstPercent} %)`, price(note.gstMinor)],
      ['Less, GST included', price(note.totalMinor)],
    ],
    notes: [`This corrects tax invoice ${note.receiptNumber}: its price is reduced by ${price(note.totalMinor)}.`],
  };
}
