import type { Selectable, Updateable } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { type LifeCycle, mayBecome } from '../../../kit/life-cycle.ts';

export type RefundStatus = Selectable<DB['refunds']>['status'];

/**
 * The life of a refund. Banks send money back that had arrived already, and a dispute that was lost can be won in the end. The database
 * holds the same table (migration 044).
 */
export const refundTransitions = {
  pending: ['succeeded', 'failed', 'canceled'],
  succeeded: ['failed', 'canceled'],
  failed: [],
  canceled: [],
} as const satisfies LifeCycle<RefundStatus>;

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
