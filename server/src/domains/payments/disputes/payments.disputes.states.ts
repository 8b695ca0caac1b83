import type { DisputeStatus } from '@handwise/contract/admin/payments';
import type { Tx } from '../../../kit/database/database.ts';
import { type LifeCycle, mayBecome } from '../../../kit/life-cycle.ts';

/**
 * The life of a dispute at the provider: an inquiry may become a dispute, and one that was decided may be decided again on appeal. What
 * would go back to an earlier state is old news. The database holds the same table (007-payments.sql).
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

/** While the bank decides, the money is with it. An inquiry has taken none yet. */
export const openStatuses = ['needs_response', 'under_review'] as const satisfies DisputeStatus[];
export const isOpen = (status: DisputeStatus) => (openStatuses as readonly DisputeStatus[]).includes(status);

export const isLost = (status: DisputeStatus) => status === 'lost';
export const isWon = (status: DisputeStatus) => status === 'won';
/** Whether there is nothing left to answer, unless it is taken up again. */
export const isOver = (status: DisputeStatus) => isLost(status) || isWon(status) || status === 'prevented' || status === 'warning_closed';

/** The one way along the table. False where it has no such step: then nothing was changed. The payment must be locked. */
export async function moveTo(
  tx: Tx,
  dispute: { id: string; status: DisputeStatus },
  status: DisputeStatus,
  also: { due_by: Date | null; changed_at: Date },
): Promise<boolean> {
  if (!mayBecome<DisputeStatus>(disputeTransitions, dispute.status, status)) return false;
  const { numUpdatedRows } = await tx
    .updateTable('disputes')
    .set({ ...also, status })
    .where('id', '=', dispute.id)
    .where('status', '=', dispute.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
