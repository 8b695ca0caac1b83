import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database.ts';
import { lockForLeaving } from './tickets.queries.ts';
import { voidAllOf } from './tickets.voiding.ts';

/** Makes the tickets of somebody who leaves void at once. */
export async function leaveDraw(tx: Tx, context: Context, userId: string): Promise<void> {
  // Before the lock of the period: whoever issues tickets to this person points at the row, and then waits for that lock.
  await lockForLeaving(tx, userId);
  await voidAllOf(tx, context, userId, 'deleted');
}
