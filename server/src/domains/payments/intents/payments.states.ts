import type { Selectable, Updateable } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Reader } from '../../../kit/database/database.ts';
import { type LifeCycle, mayBecome } from '../../../kit/life-cycle.ts';

export type PaymentStatus = Selectable<DB['payments']>['status'];

/**
 * The life of a payment. Money that arrives late still counts, so a payment that was given up can succeed. The database
 * holds the same table (007-payments.sql).
 */
export const paymentTransitions = {
  open: ['succeeded', 'failed', 'canceled'],
  failed: ['succeeded'],
  canceled: ['succeeded'],
  succeeded: [],
} as const satisfies LifeCycle<PaymentStatus>;

/** Whether it can still be paid, or given up. */
export const isOpen = ({ status }: { status: PaymentStatus }) => status === 'open';

export const isPaid = ({ status }: { status: PaymentStatus }) => status === 'succeeded';

/** Whether the money of a payment can still be booked. */
export const isBookable = ({ status }: { status: PaymentStatus }) => mayBecome<PaymentStatus>(paymentTransitions, status, 'succeeded');

/** The one way along the table. False where the table has no such step, or where somebody else was quicker: then nothing was changed. */
export async function moveTo(
  db: Reader,
  payment: { id: string; status: PaymentStatus },
  status: PaymentStatus,
  also: Pick<Updateable<DB['payments']>, 'succeeded_at' | 'captured_minor' | 'card_fingerprint'> = {},
): Promise<boolean> {
  if (!mayBecome<PaymentStatus>(paymentTransitions, payment.status, status)) return false;
  const { numUpdatedRows } = await db
    .updateTable('payments')
    .set({ ...also, status })
    .where('id', '=', payment.id)
    .where('status', '=', payment.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
