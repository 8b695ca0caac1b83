import { site } from '@handwise/contract/site/site';
import type { Tx } from '../../kit/database/database.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { type Contact, lockAccount } from '../accounts/accounts.service.ts';
import type { Payments } from './payments.context.ts';
import { issueNote } from './payments.documents.ts';
import { refundEmail, refundFailedEmail } from './payments.emails.ts';
import { refundFailedOperatorEmail } from './payments.operator-emails.ts';
import {
  type PaymentRow,
  type RefundRow,
  findPayment,
  insertRefund,
  listRefunds,
  lockPayment,
  setLedger,
  setProviderRefund,
  setRefundAmount,
} from './payments.queries.ts';
import { type RefundBalance, deductRefund, nextCheckAt, providerRetry } from './payments.rules.ts';
import { hasRefundFailed, isPaid, isRefundDone, isRefundUnsent, moveRefund, toRefundStatus } from './payments.states.ts';

/** A change that the payer, and after a failure the operator, is notified of once the ledger is written. */
type RefundUpdate = { refund: RefundRow; outcome: 'refunded' | 'failed' };

/** The ledger of one payment, held under its lock; `bought` and `owed` are written when it closes. */
export type PaymentLedger = {
  readonly payment: PaymentRow;
  readonly payer: Contact;
  rows: RefundRow[];
  bought: number;
  owed: number;
  updates: RefundUpdate[];
  /** Why the purchase ends if this takes the last of its money; null keeps it as a gift. */
  endReason: string | null;
  /** Voids what others earned by the payment. */
  isFraud: boolean;
};

/**
 * The only way to change what was refunded of a payment: locks the payer and the payment, and ends the purchase when no money pays for it
 * any more. Undefined when the payment does not exist or was not paid.
 */
export const withLedger = <Result>(
  deps: Payments,
  paymentId: string,
  work: (tx: Tx, ledger: PaymentLedger) => Promise<Result>,
): Promise<Result | undefined> =>
  deps.context.db.transaction().execute(async (tx) => {
    const known = await findPayment(tx, paymentId);
    if (!known) return undefined;
    const payer = await lockAccount(tx, known.user_id);
    const payment = await lockPayment(tx, paymentId);
    if (!payment || !isPaid(payment)) return undefined;
    const { bought_minor: bought, owed_minor: owed } = payment;
    const rows = await listRefunds(tx, paymentId);
    const ledger: PaymentLedger = { payment, payer, rows, bought, owed, updates: [], endReason: '', isFraud: false };
    const result = await work(tx, ledger);
    await closeLedger(deps, tx, ledger);
    return result;
  });

async function closeLedger(deps: Payments, tx: Tx, ledger: PaymentLedger): Promise<void> {
  const { payment, bought, owed, endReason } = ledger;
  if (bought !== payment.bought_minor || owed !== payment.owed_minor) await setLedger(tx, payment.id, { bought, owed });
  if (payment.bought_minor > 0 && bought === 0) {
    await (endReason === null ? deps.refundHooks.gifted(tx, payment) : deps.refundHooks.ended(tx, payment, endReason));
  }
  // Listings are locked before note numbers everywhere.
  if (ledger.isFraud) await deps.refundHooks.fraud(tx, payment);
  await sendRefundEmails(deps, tx, ledger);
}

const toBalance = ({ bought, owed, rows }: PaymentLedger): RefundBalance => ({
  bought,
  owed,
  unsent: rows.filter(isRefundUnsent).map(({ id, amount_minor: amount }) => ({ id, amount })),
});

/** Deducts an amount that was refunded by another way. False when less is left; then nothing was changed. */
async function deductFromLedger(tx: Tx, ledger: PaymentLedger, amount: number): Promise<boolean> {
  const left = deductRefund(toBalance(ledger), amount);
  if (!left) return false;
  for (const { id, amount: waiting } of left.unsent) {
    const row = ledger.rows.find((one) => one.id === id);
    if (!row || row.amount_minor === waiting) continue;
    if (waiting > 0) await setRefundAmount(tx, id, waiting);
    else await moveRefund(tx, row, 'canceled', { failure_reason: 'went_back_otherwise' });
  }
  ledger.rows = await listRefunds(tx, ledger.payment.id);
  ledger.bought = left.bought;
  ledger.owed = left.owed;
  return true;
}

type NewRefund = Parameters<typeof insertRefund>[1] & { amount_minor: number };

/** Inserts a refund and deducts its amount. Undefined when less is left. */
export async function addRefund(tx: Tx, ledger: PaymentLedger, refund: Omit<NewRefund, 'payment_id'>): Promise<RefundRow | undefined> {
  if (!(await deductFromLedger(tx, ledger, refund.amount_minor))) return undefined;
  const row = await insertRefund(tx, { ...refund, payment_id: ledger.payment.id });
  ledger.rows.push(row);
  return row;
}

export type ProviderRefund = {
  id: string;
  amount: number;
  status: string | null;
  created: number;
  failure_reason?: string;
  metadata: Record<string, string> | null;
};

/**
 * Syncs the ledger with the provider's refunds of a payment, in any order and idempotently: our own first, then those made in the
 * provider's dashboard.
 */
export async function bookProviderRefunds(deps: Payments, tx: Tx, ledger: PaymentLedger, made: readonly ProviderRefund[]): Promise<void> {
  const unknown: ProviderRefund[] = [];
  for (const one of made.toSorted((a, b) => a.created - b.created)) {
    const row =
      ledger.rows.find(({ provider_id }) => provider_id === one.id) ??
      ledger.rows.find((ours) => ours.id === one.metadata?.['refundId'] && isRefundUnsent(ours));
    if (row) await followRefund(deps, tx, ledger, row, one);
    else unknown.push(one);
  }
  for (const one of unknown) await adoptRefund(deps, tx, ledger, one);
}

/** Moves one of our refunds to the provider's state. */
async function followRefund(deps: Payments, tx: Tx, ledger: PaymentLedger, row: RefundRow, made: ProviderRefund): Promise<void> {
  const now = deps.context.clock.now();
  const status = toRefundStatus(made.status);
  if (row.provider_id === null) {
    await setProviderRefund(tx, row.id, made.id, nextCheckAt(now, now));
    row.provider_id = made.id;
  }
  if (isRefundDone(status) && (await moveRefund(tx, row, status, { refunded_at: now }))) {
    Object.assign(row, { status, refunded_at: now });
    ledger.updates.push({ refund: row, outcome: 'refunded' });
  }
  if (hasRefundFailed(status)) await failRefund(tx, ledger, row, status, made.failure_reason ?? 'unknown');
}

/** A refund that did not arrive is owed. */
export async function failRefund(
  tx: Tx,
  ledger: PaymentLedger,
  row: RefundRow,
  status: 'failed' | 'canceled',
  reason: string,
  isNotified = true,
): Promise<void> {
  if (!(await moveRefund(tx, row, status, { refunded_at: null, failure_reason: reason }))) return;
  Object.assign(row, { status, refunded_at: null, failure_reason: reason });
  ledger.owed += row.amount_minor;
  if (isNotified) ledger.updates.push({ refund: row, outcome: 'failed' });
}

const manualRefundReason = 'We have sent your money back.';

/** Books a refund made in the dashboard. One that failed moved no money, so the ledger does not need it. */
async function adoptRefund(deps: Payments, tx: Tx, ledger: PaymentLedger, made: ProviderRefund): Promise<void> {
  const status = toRefundStatus(made.status);
  if (hasRefundFailed(status)) return;
  const waiting = ledger.rows.find((row) => isRefundUnsent(row) && row.amount_minor === made.amount);
  // The dashboard refund replaces our own waiting one.
  if (waiting && made.amount > ledger.bought + ledger.owed) return followRefund(deps, tx, ledger, waiting, made);
  const now = deps.context.clock.now();
  ledger.endReason = manualRefundReason;
  const row = await addRefund(tx, ledger, { amount_minor: made.amount, source: 'provider', reason: manualRefundReason });
  if (!row) {
    throw new Error(`refund ${made.id} is for ${made.amount}, more than is left of payment ${ledger.payment.id}`);
  }
  await setProviderRefund(tx, row.id, made.id, nextCheckAt(now, now));
  row.provider_id = made.id;
  await followRefund(deps, tx, ledger, row, made);
}

export const refundPaymentJob = defineJob<{ refundId: string }>('payments.refund-payment', providerRetry);

/** Refunds money that bought nothing, in the transaction that books it. */
export async function refundCaptured({ context }: Payments, tx: Tx, paymentId: string, amount: number, reason: string): Promise<void> {
  const { id } = await insertRefund(tx, { payment_id: paymentId, amount_minor: amount, source: 'nothing_to_buy', reason });
  await context.jobs.send(tx, refundPaymentJob, { refundId: id });
}

/** Emails the payer about refunds that arrived (with the adjustment note) or failed (the operator as well). */
async function sendRefundEmails(deps: Payments, tx: Tx, ledger: PaymentLedger): Promise<void> {
  const { jobs, appUrl, clock } = deps.context;
  const { payment, payer } = ledger;
  for (const { refund, outcome } of ledger.updates) {
    const notice = {
      to: payer.email,
      name: payer.full_name,
      amountMinor: refund.amount_minor,
      paidMinor: payment.captured_minor,
      currency: payment.currency,
      reason: refund.reason,
      source: refund.source,
      appUrl,
    };
    if (outcome === 'refunded') {
      const note = await issueNote(tx, ledger, refund, clock.now());
      if (!payer.deleted_at) await jobs.send(tx, sendMail, refundEmail(notice, note));
      continue;
    }
    if (!payer.deleted_at) await jobs.send(tx, sendMail, refundFailedEmail(notice));
    const { provider_id: providerId, failure_reason: failure } = refund;
    await jobs.send(
      tx,
      sendMail,
      refundFailedOperatorEmail(site.supportEmail, { ...notice, paymentId: payment.id, providerId, failure: failure ?? '' }),
    );
  }
}
