import type { Selectable, Updateable } from 'kysely';
import type { DisputeStatus } from '@handwise/contract/admin/payments';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition } from '../../kit/life-cycle.ts';

export type PaymentStatus = Selectable<DB['payments']>['status'];

/** Late money still counts, so a cancelled payment can succeed. The database holds the same table (007-payments.sql). */
export const paymentTransitions = {
  open: ['succeeded', 'failed', 'canceled'],
  failed: ['succeeded'],
  canceled: ['succeeded'],
  succeeded: [],
} as const satisfies LifeCycle<PaymentStatus>;

export const isPaymentOpen = ({ status }: { status: PaymentStatus }) => status === 'open';

export const isPaid = ({ status }: { status: PaymentStatus }) => status === 'succeeded';

export const isBookable = ({ status }: { status: PaymentStatus }) => canTransition<PaymentStatus>(paymentTransitions, status, 'succeeded');

/** The only way to change a status. False when the table has no such step or a concurrent change won; then nothing was changed. */
export async function movePayment(
  db: Reader,
  payment: { id: string; status: PaymentStatus },
  status: PaymentStatus,
  also: Pick<Updateable<DB['payments']>, 'succeeded_at' | 'captured_minor' | 'card_fingerprint'> = {},
): Promise<boolean> {
  if (!canTransition<PaymentStatus>(paymentTransitions, payment.status, status)) return false;
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ ...also, status })
    .where('id', '=', payment.id)
    .where('status', '=', payment.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type RefundStatus = Selectable<DB['refunds']>['status'];

/** Banks can return a refund after it arrived, and a lost dispute can be won. The database holds the same table (007-payments.sql). */
export const refundTransitions = {
  pending: ['succeeded', 'failed', 'canceled'],
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
} as const satisfies LifeCycle<RefundStatus>;

/** Whether the provider or the payer's bank still has to decide. */
export const isRefundPending = (status: RefundStatus) => status === 'pending';
export const isRefundDone = (status: RefundStatus) => status === 'succeeded';
export const hasRefundFailed = (status: RefundStatus): status is 'failed' | 'canceled' => status === 'failed' || status === 'canceled';
/** Whether the provider may not know it yet, so that its amount can still be reduced. */
export const isRefundUnsent = (refund: { status: RefundStatus; provider_id: string | null }) =>
  isRefundPending(refund.status) && refund.provider_id === null;
/** Maps the provider's status; one that waits for the bank or for action is pending. */
export const toRefundStatus = (status: string | null): RefundStatus =>
  status === 'succeeded' || status === 'failed' || status === 'canceled' ? status : 'pending';

/** The only way to change a status; the payment must be locked. False when the table has no such step; then nothing was changed. */
export async function moveRefund(
  tx: Tx,
  refund: { id: string; status: RefundStatus },
  status: RefundStatus,
  also: Pick<Updateable<DB['refunds']>, 'refunded_at' | 'failure_reason'> = {},
): Promise<boolean> {
  if (!canTransition<RefundStatus>(refundTransitions, refund.status, status)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set({ ...also, status, check_at: null })
    .where('id', '=', refund.id)
    .where('status', '=', refund.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * An inquiry may become a dispute, and a decided one may be appealed; a step back is an outdated event. The database holds the same table
 * (007-payments.sql).
 */
export const disputeTransitions = {
  warning_needs_response: ['warning_under_review', 'warning_closed', 'needs_response', 'under_review', 'won', 'lost', 'prevented'],
  warning_under_review: ['warning_closed', 'needs_response', 'under_review', 'won', 'lost', 'prevented'],
  warning_closed: ['needs_response', 'under_review', 'won', 'lost'],
  needs_response: ['under_review', 'won', 'lost', 'prevented'],
  under_review: ['won', 'lost', 'prevented'],
  won: ['lost'],
  lost: ['appeal_needs_response', 'appeal_under_review', 'won'],
  prevented: [],
  appeal_needs_response: ['appeal_under_review', 'won', 'lost'],
  appeal_under_review: ['won', 'lost'],
} as const satisfies LifeCycle<DisputeStatus>;

/** The bank holds the money while it decides; an inquiry has taken none yet. */
export const openDisputeStatuses = ['needs_response', 'under_review'] as const satisfies DisputeStatus[];
export const isDisputeOpen = (status: DisputeStatus) => (openDisputeStatuses as readonly DisputeStatus[]).includes(status);

/** The bank waits for our answer. */
export const answerableDisputeStatuses = [
  'warning_needs_response',
  'needs_response',
  'appeal_needs_response',
] as const satisfies DisputeStatus[];

export const isDisputeLost = (status: DisputeStatus) => status === 'lost';
export const isDisputeWon = (status: DisputeStatus) => status === 'won';
/** Whether there is nothing left to answer, unless it is reopened. */
export const isDisputeClosed = (status: DisputeStatus) =>
  isDisputeLost(status) || isDisputeWon(status) || status === 'prevented' || status === 'warning_closed';

/** The only way to change a status; the payment must be locked. False when the table has no such step; then nothing was changed. */
export async function moveDispute(
  tx: Tx,
  dispute: { id: string; status: DisputeStatus },
  status: DisputeStatus,
  also: { due_by: Date | null; changed_at: Date },
): Promise<boolean> {
  if (!canTransition<DisputeStatus>(disputeTransitions, dispute.status, status)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('disputes')
    .set({ ...also, status })
    .where('id', '=', dispute.id)
    .where('status', '=', dispute.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
