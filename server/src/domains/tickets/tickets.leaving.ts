import type { Tx } from '../../kit/database/database.ts';
import type { TicketContext } from './tickets.context.ts';
import { lockForLeaving } from './tickets.queries.ts';
import { sealEntrant } from './tickets.sealing.ts';
import { voidAllOf } from './tickets.voiding.ts';

/** Makes the tickets of somebody who leaves void at once, and seals who it was. To be called while the account still says so. */
export async function leaveDraw(tx: Tx, context: TicketContext, userId: string): Promise<void> {
  // Before the lock of the period: whoever issues tickets to this person points at the row, and then waits for that lock.
  const { full_name: fullName, username, email } = await lockForLeaving(tx, userId);
  await sealEntrant(tx, context, userId, { fullName, username, email });
  await voidAllOf(tx, context, userId, 'deleted');
}
