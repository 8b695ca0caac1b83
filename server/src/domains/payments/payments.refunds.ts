import type { AdminRefund, RefundForm } from '@handwise/contract/admin/payments';
import { markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import type { OwnRefund } from '@handwise/contract/payments/refunds';
import { type Reader, getViolatedConstraint } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { isInvalidProviderRequest } from '../../kit/integrations/provider-error.ts';
import { callProvider, getExpandableId } from '../../kit/integrations/stripe.ts';
import type { PaymentHooks, Payments } from './payments.context.ts';
import { formatNoteNumber, formatReceiptNumber } from './payments.documents.ts';
import { getIntent } from './payments.intents.ts';
import { addRefund, bookProviderRefunds, refundPaymentJob, withLedger } from './payments.ledger.ts';
import {
  type PaymentRow,
  type RefundRow,
  findPayment,
  findRefund,
  findRefundByRequest,
  hasOpenDispute,
  listDueRefunds,
  setRefundCheck,
} from './payments.queries.ts';
import { defaultRefundAmount, nextCheckAt } from './payments.rules.ts';
import { settleIntent } from './payments.settle.ts';
import { hasRefundFailed, isRefundPending, isRefundUnsent } from './payments.states.ts';

export const toAdminRefund = (row: RefundRow): AdminRefund => ({
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

/** The choices of refunds from before they were stored are unknown and pass for the same. */
const isSameRequest = (
  earlier: RefundRow,
  paymentId: string,
  { amountMinor, reason, keep = false, fraud = false, transferred = false }: RefundForm,
) =>
  earlier.payment_id === paymentId &&
  (amountMinor ?? earlier.amount_minor) === earlier.amount_minor &&
  reason === earlier.reason &&
  keep === (earlier.keeps_plan ?? keep) &&
  fraud === (earlier.fraud ?? fraud) &&
  transferred === (earlier.source === 'transfer');

/** Says what was recorded under the id of a request that now asks for something else. */
function toOtherRequest(earlier: RefundRow | undefined, payment: PaymentRow): AppError {
  if (!earlier) return new AppError('already_decided');
  if (earlier.payment_id !== payment.id)
    return new AppError('already_decided', { message: 'A refund of another payment was recorded for this request. Nothing was changed.' });
  const sum = money(earlier.amount_minor, payment.currency);
  const facts = [
    `${sum} ${earlier.source === 'transfer' ? 'by transfer' : 'to the card'}`,
    ...(earlier.keeps_plan === null
      ? []
      : [earlier.keeps_plan ? 'what was bought is kept as a gift' : 'what was bought is not kept as a gift']),
    ...(earlier.fraud === null ? [] : [earlier.fraud ? 'marked as fraudulent' : 'not marked as fraudulent']),
    `for the reason “${earlier.reason}”`,
  ];
  return new AppError('already_decided', {
    message: `This request was recorded before, with other terms: ${facts.join(', ')}. Nothing was changed.`,
  });
}

/**
 * An administrator refunds a payment, whole or in part; idempotent per `requestId`. Throws `payment_not_found`, `own_matter`,
 * `already_decided` when the id was used for another request, `nothing_to_refund`, `refund_too_large`, `payment_disputed`.
 */
export async function requestRefund(deps: Payments, administratorId: string, paymentId: string, form: RefundForm): Promise<AdminRefund> {
  const { db, jobs, clock } = deps.context;
  const payment = await findPayment(db, paymentId);
  if (!payment) throw new AppError('payment_not_found');
  if (payment.user_id === administratorId) throw new AppError('own_matter');
  const { reason, requestId, keep = false, fraud = false, transferred = false } = form;
  const made = withLedger(deps, paymentId, async (tx, ledger) => {
    const earlier = await findRefundByRequest(tx, requestId);
    if (earlier) {
      if (!isSameRequest(earlier, paymentId, form)) throw toOtherRequest(earlier, payment);
      return earlier;
    }
    const left = ledger.bought + ledger.owed;
    if (left === 0) throw new AppError('nothing_to_refund');
    if (!transferred && (await hasOpenDispute(tx, paymentId))) {
      throw new AppError('payment_disputed', {
        message: 'The bank is deciding about this payment: until it has, nothing can be refunded to the card. A transfer can be booked.',
      });
    }
    const amount = form.amountMinor ?? defaultRefundAmount(ledger);
    if (amount > left) {
      throw new AppError('refund_too_large', {
        message: `This is more than is left of the payment: ${money(left, ledger.payment.currency)}.`,
      });
    }
    await setAuditActor(tx, administratorId);
    ledger.endReason = keep ? null : reason;
    const choices = { keeps_plan: keep, fraud };
    const terms = { amount_minor: amount, reason, asked_by: administratorId, request_id: requestId, ...choices } as const;
    const refund = transferred
      ? await addRefund(tx, ledger, { ...terms, source: 'transfer', status: 'succeeded', refunded_at: clock.now() })
      : await addRefund(tx, ledger, { ...terms, source: 'administrator' });
    if (!refund) throw new AppError('refund_too_large');
    if (transferred) ledger.updates.push({ refund, outcome: 'refunded' });
    else await jobs.send(tx, refundPaymentJob, { refundId: refund.id });
    ledger.isFraud = fraud;
    return refund;
  });
  const refund = await made.catch(async (error: unknown) => {
    // A concurrent request for another payment, which has its own lock, used the id first.
    throw getViolatedConstraint(error) === 'refunds_request_id_key'
      ? toOtherRequest(await findRefundByRequest(db, requestId), payment)
      : error;
  });
  if (!refund) throw new AppError('nothing_to_refund');
  return toAdminRefund(refund);
}

/** Requests a refund from the provider once: its id and amount are the idempotency key, and its id is in the metadata. */
export async function sendRefund(deps: Payments, refundId: string): Promise<void> {
  const { db } = deps.context;
  const refund = await findRefund(db, refundId);
  if (!refund || !isRefundUnsent(refund)) return;
  const payment = await findPayment(db, refund.payment_id);
  const intentId = payment?.intent_id;
  if (!intentId) throw new Error(`the payment of refund ${refundId} has no intent`);
  try {
    const made = await callProvider(
      deps.stripe.refunds.create(
        { payment_intent: intentId, amount: refund.amount_minor, metadata: { refundId, paymentId: payment.id } },
        { idempotencyKey: `refund-${refundId}-${refund.amount_minor}` },
      ),
    );
    await withLedger(deps, payment.id, (tx, ledger) => bookProviderRefunds(deps, tx, ledger, [made]));
  } catch (error) {
    if (!isInvalidProviderRequest(error)) throw error;
    // Rejected, perhaps because of a refund in the dashboard: after a sync there may be nothing left to send.
    await syncRefundsOfIntent(deps, intentId);
    const after = await findRefund(db, refundId);
    if (after && isRefundUnsent(after)) throw error;
  }
}

/** Syncs all refunds of an intent's payment; settles it first, and ignores intents that are not ours. */
async function syncRefundsOfIntent(deps: Payments, intentId: string): Promise<void> {
  const payment = await settleIntent(deps, await getIntent(deps, intentId));
  if (!payment) return;
  const made = await callProvider(deps.stripe.refunds.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: 10_000 }));
  await withLedger(deps, payment.id, (tx, ledger) => bookProviderRefunds(deps, tx, ledger, made));
}

export async function syncRefund(deps: Payments, refundId: string): Promise<void> {
  const intentId = getExpandableId((await callProvider(deps.stripe.refunds.retrieve(refundId))).payment_intent);
  if (intentId) await syncRefundsOfIntent(deps, intentId);
}

export async function syncCharge(deps: Payments, chargeId: string): Promise<void> {
  const intentId = getExpandableId((await callProvider(deps.stripe.charges.retrieve(chargeId))).payment_intent);
  if (intentId) await syncRefundsOfIntent(deps, intentId);
}

/** Syncs pending refunds, because banks take days and webhooks get lost. */
export async function reconcileRefunds(deps: Payments, atOnce = false): Promise<void> {
  const { db, clock } = deps.context;
  const failures: unknown[] = [];
  for (const refund of await listDueRefunds(db, atOnce ? null : clock.now(), 200)) {
    await setRefundCheck(db, refund.id, nextCheckAt(refund.created_at, clock.now()));
    try {
      if (refund.provider_id !== null) await syncRefund(deps, refund.provider_id);
      // A finished refund is checked once more only.
      if (!isRefundPending(refund.status)) await setRefundCheck(db, refund.id, null);
    } catch (error) {
      // A refund that cannot be booked must not block the others.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} refunds could not be reconciled`);
}

const selectOwnRefunds = (db: Reader, userId: string) =>
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
      'payments.created_at as started_at',
    ])
    .select(['receipts.id as receipt_id', 'receipts.number as receipt_number'])
    .select(['adjustment_notes.id as note_id', 'adjustment_notes.number as note_number'])
    .where('payments.user_id', '=', userId)
    // Another refund covers this amount.
    .where((is) => is.or([is('refunds.failure_reason', 'is', null), is('refunds.failure_reason', '<>', 'went_back_otherwise')]))
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc');

type OwnRefundRow = Awaited<ReturnType<ReturnType<typeof selectOwnRefunds>['execute']>>[number];

/** The user's own refunds, newest first. */
export async function listOwnRefunds(db: Reader, userId: string, findEnded: PaymentHooks['findEnded']): Promise<OwnRefund[]> {
  const rows = await selectOwnRefunds(db, userId).limit(200).execute();
  if (rows.length === 0) return [];
  const ended = await findEnded(
    db,
    rows.map((row) => row.payment_id),
  );
  return rows.map((row) => toOwnRefund(row, ended.has(row.payment_id)));
}

const toOwnRefund = (row: OwnRefundRow, endedPlan: boolean): OwnRefund => ({
  _id: row.id,
  amountMinor: row.amount_minor,
  currency: row.currency === 'AUD' ? 'AUD' : 'NZD',
  timeZone: markets[row.country].timeZone,
  status: row.status,
  isOwed: hasRefundFailed(row.status) && row.owed_minor > 0,
  by: row.source === 'transfer' ? 'transfer' : row.source === 'dispute' ? 'bank' : 'card',
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  refundedAt: row.refunded_at?.toISOString() ?? null,
  endedPlan,
  payment: {
    amountMinor: row.captured_minor,
    paidAt: (row.succeeded_at ?? row.started_at).toISOString(),
    receipt: row.receipt_id === null ? null : { _id: row.receipt_id, number: formatReceiptNumber(row.receipt_number ?? 0) },
  },
  adjustment: row.note_id === null ? null : { _id: row.note_id, number: formatNoteNumber(row.note_number ?? 0) },
});

/** All of a user's refunds, under the API's field names. */
export const listOwnRefundData = (db: Reader, userId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['payment_id as paymentId', 'refunds.amount_minor as amountMinor', 'refunds.status', 'reason'])
    .select(['refunds.created_at as createdAt', 'refunded_at as refundedAt'])
    .where('user_id', '=', userId)
    .orderBy('refunds.created_at')
    .execute();
