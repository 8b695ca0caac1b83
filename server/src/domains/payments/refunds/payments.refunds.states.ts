import type { Selectable, Updateable } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { type LifeCycle, mayBecome } from '../../../kit/life-cycle.ts';

export type RefundStatus = Selectable<DB['refunds']>['status'];

/**
 * The life of a refund. Banks send money back that had arrived already, and a dispute that was lost can be won in the end. The database
 * holds the same table (007-payments.sql).
 */
export const refundTransitions = {
  pending: ['succeeded', 'failed', 'canceled'],
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
} as const satisfies LifeCycle<RefundStatus>;

/** Whether the provider, or the payer's bank, has still to say what becomes of it. */
export const isUnderWay = (status: RefundStatus) => status === 'pending';
/** Whether the money is back. */
export const isDone = (status: RefundStatus) => status === 'succeeded';
/** Whether the money did not get there, or came back from there. */
export const hasFailed = (status: RefundStatus): status is 'failed' | 'canceled' => status === 'failed' || status === 'canceled';
/** Whether the provider was not asked for it yet, or nobody knows: it can still be less, or nothing. */
export const isUnsent = (refund: { status: RefundStatus; provider_id: string | null }) =>
  isUnderWay(refund.status) && refund.provider_id === null;
/** What the provider calls a refund's state, in our words. What waits for the payer's bank or for its operator is under way. */
export const statusOf = (status: string | null): RefundStatus =>
  status === 'succeeded' || status === 'failed' || status === 'canceled' ? status : 'pending';

/** The one way along the table. False where it has no such step: then nothing was changed. The payment must be locked. */
export async function moveTo(
  tx: Tx,
  refund: { id: string; status: RefundStatus },
  status: RefundStatus,
  also: Pick<Updateable<DB['refunds']>, 'refunded_at' | 'failure_reason'> = {},
): Promise<boolean> {
  if (!mayBecome<RefundStatus>(refundTransitions, refund.status, status)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set({ ...also, status, check_at: null })
    .where('id', '=', refund.id)
    .where('status', '=', refund.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
