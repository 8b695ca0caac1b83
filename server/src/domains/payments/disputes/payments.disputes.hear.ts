import { disputeStatus } from '@handwise/contract/admin/payments';
import type { Tx } from '../../../kit/database/database.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import { atProvider } from '../../../kit/outside/stripe.ts';
import { retrieveIntent } from '../intents/payments.known-intents.ts';
import { settle } from '../intents/payments.settle.ts';
import type { Parts } from '../payments.parts.ts';
import { addRefund, fail, inBooks } from '../refunds/payments.refunds.booking.ts';
import type { Books } from '../refunds/payments.refunds.books.ts';
import { isDone, isUnsent } from '../refunds/payments.refunds.states.ts';
import { closedMail, openedMail, pausedMail, warningMail } from './payments.disputes.mails.ts';
import * as queries from './payments.disputes.queries.ts';
import { isLost, isOpen, isOver, isWon, moveTo } from './payments.disputes.states.ts';

type Named = { payment_intent?: string | { id: string } | null; charge: string | { id: string } };

/** The payment that something at the provider is about, booked; undefined where it is not ours. */
async function paymentOf(parts: Parts, { payment_intent: named, charge }: Named) {
  const intent = named ?? (await atProvider(parts.stripe.charges.retrieve(typeof charge === 'string' ? charge : charge.id))).payment_intent;
  if (!intent) return undefined;
  return settle(parts, await retrieveIntent(parts, typeof intent === 'string' ? intent : intent.id));
}

/** Books what the provider says of a dispute now, whatever was heard before. */
export async function hearOfDispute(parts: Parts, disputeId: string): Promise<void> {
  const dispute = await atProvider(parts.stripe.disputes.retrieve(disputeId));
  const payment = await paymentOf(parts, dispute);
  if (!payment) return;
  const due = dispute.evidence_details.due_by;
  const heard = {
    provider_id: dispute.id,
    amount_minor: dispute.amount,
    reason: dispute.reason,
    status: disputeStatus.parse(dispute.status),
    due_by: due ? new Date(due * 1000) : null,
    opened_at: new Date(dispute.created * 1000),
  };
  await inBooks(parts, payment.id, (tx, books) => book(parts, tx, books, heard));
}

type Heard = Omit<Parameters<typeof queries.insertDispute>[1], 'payment_id'> & { opened_at: Date; due_by: Date | null };

async function book(parts: Parts, tx: Tx, books: Books, heard: Heard): Promise<void> {
  const { jobs, appUrl, clock } = parts.context;
  const { payment, payer } = books;
  const now = clock.now();
  const known = await queries.findDispute(tx, heard.provider_id);
  if (known && !(await moveTo(tx, known, heard.status, { due_by: heard.due_by, changed_at: now }))) return;
  const id = known?.id ?? (await queries.insertDispute(tx, { ...heard, payment_id: payment.id })).id;
  const { status } = heard;

  if (isLost(status)) await bookLoss(parts, tx, books, { id, amount: heard.amount_minor });
  const lost = books.rows.find((row) => row.dispute_id === id && isDone(row.status));
  if (isWon(status) && lost) await fail(tx, books, lost, 'canceled', 'dispute_won', false);
  await parts.onMoneyBack.disputed(tx, payment, await queries.hasOpenDispute(tx, payment.id));

  const told = { ...heard, currency: payment.currency, paymentId: payment.id, payer: payer.full_name, appUrl };
  if (!known || (isOpen(status) && !isOpen(known.status))) {
    await jobs.send(tx, sendMail, openedMail(parts.operatorEmail, told));
    const reader = { to: payer.email, name: payer.full_name, appUrl };
    if (isOpen(status) && !payer.deleted_at) await jobs.send(tx, sendMail, pausedMail(reader, told));
  }
  if (isOver(status)) await jobs.send(tx, sendMail, closedMail(parts.operatorEmail, { ...told, owed: books.owed }));
}

const lostBecause = 'Your bank has decided your dispute in your favour.';

/** The bank has taken the money: it went back, as far as it had not already. */
async function bookLoss(parts: Parts, tx: Tx, books: Books, dispute: { id: string; amount: number }): Promise<void> {
  const now = parts.context.clock.now();
  const waiting = books.rows.reduce((sum, row) => sum + (isUnsent(row) ? row.amount_minor : 0), 0);
  const amount = Math.min(dispute.amount, books.bought + books.owed + waiting);
  if (amount > 0) {
    books.because = lostBecause;
    const terms = { amount_minor: amount, source: 'dispute', dispute_id: dispute.id, reason: lostBecause } as const;
    const refund = await addRefund(tx, books, { ...terms, status: 'succeeded', refunded_at: now });
    if (refund) books.news.push({ refund, became: 'refunded' });
  }
  books.isFraud = true;
}

/** Keeps a warning of the card's network and tells the operator, once. */
export async function hearOfWarning(parts: Parts, warningId: string): Promise<void> {
  const warning = await atProvider(parts.stripe.radar.earlyFraudWarnings.retrieve(warningId));
  const payment = await paymentOf(parts, warning);
  if (!payment) return;
  const { jobs, appUrl } = parts.context;
  await inBooks(parts, payment.id, async (tx, { payer }) => {
    const isNew = await queries.upsertWarning(tx, {
      provider_id: warning.id,
      payment_id: payment.id,
      fraud_type: warning.fraud_type,
      actionable: warning.actionable,
      warned_at: new Date(warning.created * 1000),
    });
    if (!isNew) return;
    const { amount_minor, currency } = payment;
    const told = { amount_minor, currency, paymentId: payment.id, payer: payer.full_name, appUrl };
    await jobs.send(
      tx,
      sendMail,
      warningMail(parts.operatorEmail, { ...told, fraudType: warning.fraud_type, actionable: warning.actionable }),
    );
  });
}
