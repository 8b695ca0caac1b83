import type { VoidReason } from '@handwise/contract/tickets/calls';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { TicketContext } from './tickets.context.ts';
import { LogEnd } from './tickets.log.ts';
import * as queries from './tickets.queries.ts';

/**
 * Makes whole entries void, all of one month, each with its leaf. Throws `entry_not_active` where one of them is void already or its draw has
 * closed: nothing is void then.
 */
export async function voidTickets(
  tx: Tx,
  context: TicketContext,
  entryIds: readonly string[],
  reason: VoidReason,
): Promise<{ head: string }> {
  const [first] = await queries.listActiveAmong(tx, entryIds);
  if (!first) throw new AppError('entry_not_active');
  const period = await queries.lockPeriod(tx, first.period_id);
  // Read anew under the lock.
  const active = await queries.listActiveAmong(tx, entryIds);
  const isWhole = active.length === new Set(entryIds).size && active.every((entry) => entry.period_id === period.id);
  if (!isWhole || period.closed_at) throw new AppError('entry_not_active');
  const log = new LogEnd(tx, period);
  await voidInto(
    log,
    tx,
    context.clock.now(),
    active.map(({ id }) => ({ id, reason })),
  );
  return { head: (await log.sign(context)).checkpoint };
}

/** Makes everything void that somebody has in draws that have not closed. No mail tells of it, so the head follows within the hour. */
export async function voidAllOf(tx: Tx, context: Context, userId: string, reason: VoidReason): Promise<void> {
  const periods = new Set((await queries.listActiveOf(tx, userId)).map((entry) => entry.period_id));
  for (const id of [...periods].toSorted()) {
    const period = await queries.lockPeriod(tx, id);
    const active = await queries.listActiveOf(tx, userId);
    const voids = active.filter((entry) => entry.period_id === id).map((entry) => ({ id: entry.id, reason }));
    await voidInto(new LogEnd(tx, period), tx, context.clock.now(), voids);
  }
}

/** Under the lock of their period. */
export async function voidInto(log: LogEnd, tx: Tx, at: Date, voids: readonly { id: string; reason: VoidReason }[]): Promise<void> {
  if (voids.length === 0) return;
  await queries.setVoid(tx, voids, at);
  await log.append(
    voids.map(({ id, reason }) => ({ kind: 'voided', entryId: id, reason })),
    at,
  );
}
