import { disputeStatus } from '@handwise/contract/admin/payments';
import { site } from '@handwise/contract/site/site';
import type { Tx } from '../../kit/database/database.ts';
import { callProvider, getExpandableId } from '../../kit/integrations/stripe.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { Payments } from './payments.context.ts';
import { disputePausedEmail } from './payments.emails.ts';
import { getIntent } from './payments.intents.ts';
import { type PaymentLedger, addRefund, failRefund, withLedger } from './payments.ledger.ts';
import { disputeClosedEmail, disputeOpenedEmail, fraudWarningEmail } from './payments.operator-emails.ts';
import { findDispute, hasOpenDispute, insertDispute, upsertWarning } from './payments.queries.ts';
import { settleIntent } from './payments.settle.ts';
import {
  isDisputeClosed,
  isDisputeLost,
  isDisputeOpen,
  isDisputeWon,
  isRefundDone,
  isRefundUnsent,
  moveDispute,
} from './payments.states.ts';

type PaymentReference = { payment_intent?: string | { id: string } | null; charge: string | { id: string } };

/** The booked payment that a dispute or warning is about; undefined when it is not ours. */
async function settleReferencedPayment(deps: Payments, { payment_intent: named, charge }: PaymentReference) {
  const chargeId = typeof charge === 'string' ? charge : charge.id;
  const intentId = getExpandableId(named ?? (await callProvider(deps.stripe.charges.retrieve(chargeId))).payment_intent);
  return intentId ? settleIntent(deps, await getIntent(deps, intentId)) : undefined;
}

/** Books the provider's current state of a dispute, so that events may arrive in any order. */
export async function syncDispute(deps: Payments, disputeId: string): Promise<void> {
  const dispute = await callProvider(deps.stripe.disputes.retrieve(disputeId));
  const payment = await settleReferencedPayment(deps, dispute);
  if (!payment) return;
  const due = dispute.evidence_details.due_by;
  const current = {
    provider_id: dispute.id,
    amount_minor: dispute.amount,
    reason: dispute.reason,
    status: disputeStatus.parse(dispute.status),
    due_by: due ? new Date(due * 1000) : null,
    opened_at: new Date(dispute.created * 1000),
  };
  await withLedger(deps, payment.id, (tx, ledger) => bookDispute(deps, tx, ledger, current));
}

type ProviderDispute = Omit<Parameters<typeof insertDispute>[1], 'payment_id'> & { opened_at: Date; due_by: Date | null };

async function bookDispute(deps: Payments, tx: Tx, ledger: PaymentLedger, current: ProviderDispute): Promise<void> {
  const { jobs, appUrl, clock } = deps.context;
  const { payment, payer } = ledger;
  const now = clock.now();
  const known = await findDispute(tx, current.provider_id);
  if (known && !(await moveDispute(tx, known, current.status, { due_by: current.due_by, changed_at: now }))) return;
  const id = known?.id ?? (await insertDispute(tx, { ...current, payment_id: payment.id })).id;
  const { status } = current;

  if (isDisputeLost(status)) await bookLoss(deps, tx, ledger, { id, amount: current.amount_minor });
  const lost = ledger.rows.find((row) => row.dispute_id === id && isRefundDone(row.status));
  if (isDisputeWon(status) && lost) await failRefund(tx, ledger, lost, 'canceled', 'dispute_won', false);
  await deps.refundHooks.disputed(tx, payment, await hasOpenDispute(tx, payment.id));

  const notice = { ...current, currency: payment.currency, paymentId: payment.id, payer: payer.full_name, appUrl };
  if (!known || (isDisputeOpen(status) && !isDisputeOpen(known.status))) {
    await jobs.send(tx, sendMail, disputeOpenedEmail(site.supportEmail, notice));
    const reader = { to: payer.email, name: payer.full_name, appUrl };
    if (isDisputeOpen(status) && !payer.deleted_at) await jobs.send(tx, sendMail, disputePausedEmail(reader, notice));
  }
  if (isDisputeClosed(status)) await jobs.send(tx, sendMail, disputeClosedEmail(site.supportEmail, { ...notice, owed: ledger.owed }));
}

const disputeLostReason = 'Your bank has decided your dispute in your favour.';

/** Books a lost dispute as a refund of whatever was not refunded before. */
async function bookLoss(deps: Payments, tx: Tx, ledger: PaymentLedger, dispute: { id: string; amount: number }): Promise<void> {
  const now = deps.context.clock.now();
  const waiting = ledger.rows.reduce((sum, row) => sum + (isRefundUnsent(row) ? row.amount_minor : 0), 0);
  const amount = Math.min(dispute.amount, ledger.bought + ledger.owed + waiting);
  if (amount > 0) {
    ledger.endReason = disputeLostReason;
    const terms = { amount_minor: amount, source: 'dispute', dispute_id: dispute.id, reason: disputeLostReason } as const;
    const refund = await addRefund(tx, ledger, { ...terms, status: 'succeeded', refunded_at: now });
    if (refund) ledger.updates.push({ refund, outcome: 'refunded' });
  }
  ledger.isFraud = true;
}

/** Stores a fraud warning and emails the operator once. */
export async function syncWarning(deps: Payments, warningId: string): Promise<void> {
  const warning = await callProvider(deps.stripe.radar.earlyFraudWarnings.retrieve(warningId));
  const payment = await settleReferencedPayment(deps, warning);
  if (!payment) return;
  const { jobs, appUrl } = deps.context;
  await withLedger(deps, payment.id, async (tx, { payer }) => {
    const isNew = await upsertWarning(tx, {
      provider_id: warning.id,
      payment_id: payment.id,
      fraud_type: warning.fraud_type,
      actionable: warning.actionable,
      warned_at: new Date(warning.created * 1000),
    });
    if (!isNew) return;
    const { amount_minor, currency } = payment;
    const notice = { amount_minor, currency, paymentId: payment.id, payer: payer.full_name, appUrl };
    await jobs.send(
      tx,
      sendMail,
      fraudWarningEmail(site.supportEmail, { ...notice, fraudType: warning.fraud_type, actionable: warning.actionable }),
    );
  });
}
