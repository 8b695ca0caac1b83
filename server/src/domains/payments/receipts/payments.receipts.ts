import { gstWithin } from '@handwise/contract/money';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { markets } from '@handwise/contract/markets';
import type { Receipt } from '@handwise/contract/payments/calls';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import { AppError } from '../../../kit/errors.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import type { Contact } from '../../accounts/accounts.service.ts';
import { receiptMail } from '../payments.mails.ts';
import type { Bought, Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';

export type ReceiptDetails = Omit<Receipt, '_id' | 'number' | 'issuedAt' | 'refundedAt' | 'refundedMinor'>;

export const receiptNumber = (number: number) => `HW-${number}`;

/** Writes the receipt of what was bought and mails it, in the transaction that books the payment. */
export async function issueReceipt(parts: Parts, tx: Tx, payment: PaymentRow, user: Contact, intent: Intent, bought: Bought) {
  const { context, invoice } = parts;
  const card = typeof intent.payment_method === 'object' ? intent.payment_method?.card : undefined;
  const purpose = { listing: 'plan', plan_change: 'plan, change of plan', reactivation: 'plan, reactivation' }[payment.purpose];
  const details: ReceiptDetails = {
    description: `${bought.planName} ${purpose}, ${subscriptionDays} days`,
    country: payment.country,
    timeZone: bought.timeZone,
    currency: markets[payment.country].currency,
    totalMinor: payment.amount_minor,
    gstMinor: gstWithin(payment.amount_minor, payment.country),
    gstPercent: markets[payment.country].gstPercent,
    supplier: { name: invoice.name, address: invoice.address, taxNumber: invoice.taxNumbers[payment.country] },
    customer: { name: user.full_name, email: user.email },
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    periodStartsAt: bought.startsAt.toISOString(),
    periodEndsAt: bought.endsAt.toISOString(),
  };
  const row = await queries.insertReceipt(tx, { user_id: payment.user_id, payment_id: payment.id, details: JSON.stringify(details) });
  await context.jobs.send(tx, sendMail, receiptMail(asReceipt({ ...row, details, refunded_at: null, refunded_minor: 0 }), context.appUrl));
}

function asReceipt(row: Pick<queries.ReceiptRow, 'id' | 'number' | 'issued_at' | 'details' | 'refunded_at' | 'refunded_minor'>): Receipt {
  const details = row.details as unknown as Omit<ReceiptDetails, 'timeZone'> & { timeZone?: string };
  return {
    ...details,
    // The first receipts did not say theirs.
    timeZone: details.timeZone ?? markets[details.country].timeZone,
    _id: row.id,
    number: receiptNumber(row.number),
    issuedAt: row.issued_at.toISOString(),
    refundedMinor: row.refunded_minor,
    refundedAt: row.refunded_minor >= details.totalMinor ? (row.refunded_at?.toISOString() ?? null) : null,
  };
}

/** One's own receipts, the newest first. */
export const listReceipts = async (db: Reader, userId: string): Promise<Receipt[]> =>
  (await queries.listReceipts(db, userId)).map(asReceipt);

/** Throws `receipt_not_found`, also for somebody else's. */
export async function getReceipt(db: Reader, userId: string, id: string): Promise<Receipt> {
  const row = await queries.findReceipt(db, userId, id);
  if (!row) throw new AppError('receipt_not_found');
  return asReceipt(row);
}
