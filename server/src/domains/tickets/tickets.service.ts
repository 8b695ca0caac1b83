import { randomBytes } from 'node:crypto';
import type { EntrySource, VoidReason } from '@handwise/contract/tickets/calls';
import type { Entry } from '@handwise/proof/draw';
import { voidReasons } from '@handwise/proof/void-reasons';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { TicketContext } from './tickets.context.ts';
import { LogEnd } from './tickets.log.ts';
import { asPeriod, lockRunningPeriod, type Period } from './tickets.periods.ts';
import * as queries from './tickets.queries.ts';
import { voidInto } from './tickets.voiding.ts';

export type { TicketContext } from './tickets.context.ts';
export { auditTickets } from './tickets.audit.ts';
export { countTickets, listEntriesOf } from './tickets.entries.ts';
export { leaveDraw } from './tickets.leaving.ts';
export { findEntries, getPeriod } from './tickets.lookups.ts';
export { ownerOfEntry } from './tickets.sealing.ts';
export const { holdAccounts } = queries;
export { voidTickets } from './tickets.voiding.ts';
export { ticketEmailFoot } from './tickets.mails.ts';
export { ownDataOf } from './tickets.own-data.ts';
export {
  beginPeriod,
  findPeriod,
  listPeriods,
  listUnmetRules,
  type Period,
  periodOf,
  readTerms,
  runningPeriod,
} from './tickets.periods.ts';
export { logText } from './tickets.proofs.ts';
export { closingOf, isBefore, type Month, monthAt, monthBefore, monthText } from './tickets.rules.ts';

const newEntryId = () => randomBytes(16).toString('hex');

/**
 * Issues an entry in the running period: entry, leaf and signed head, all within the caller's transaction. Its row's lock is taken last; who
 * issues for several people in one transaction has held all of them before (`holdAccounts`). `head` is the text that mails end with.
 */
export async function issueTickets(
  tx: Tx,
  context: TicketContext,
  { userId, tickets, source, entryId = newEntryId() }: { userId: string; tickets: number; source: EntrySource; entryId?: string },
): Promise<{ entryId: string; periodId: string; head: string }> {
  // Before the lock of the period: somebody who is leaving waits for it while holding their own row.
  await queries.holdAccounts(tx, [userId]);
  const { row, now } = await lockRunningPeriod(context, tx);
  const log = new LogEnd(tx, row);
  await queries.insertEntry(tx, {
    id: entryId,
    period_id: row.id,
    user_id: userId,
    tickets,
    source,
    created_at: now,
    leaf_index: log.size,
  });
  await log.append([{ kind: 'issued', entryId, tickets }], now);
  const { checkpoint } = await log.sign(context);
  return { entryId, periodId: row.id, head: checkpoint };
}

export type ClosedPeriod = {
  period: Period;
  closedAt: Date;
  /** In the order of the draw. */
  entries: Entry[];
  totalTickets: number;
  participants: number;
  /** How many entries are void, by reason. */
  voided: Record<VoidReason, number>;
  /** The last head: `root` in base64, `publicKey` in hex. */
  log: { origin: string; size: number; root: string; checkpoint: string; publicKey: string };
};

/**
 * Closes a period for good: entries of those who take no part become void in the log, its last head is signed, and what is left is the draw's.
 * Undefined where it is closed already. A caller who does not want the result after all rolls back.
 */
export async function closePeriod(tx: Tx, context: TicketContext, period: Pick<Period, 'id'>): Promise<ClosedPeriod | undefined> {
  const row = await queries.lockPeriod(tx, period.id);
  if (row.closed_at) return undefined;
  const closedAt = context.clock.now();
  const log = new LogEnd(tx, row);
  await voidInto(log, tx, closedAt, await queries.listNotAllowed(tx, row.id));
  const head = await log.sign(context);
  await queries.setClosed(tx, row.id, closedAt);
  const entries = await queries.listActive(tx, row.id);
  const { people } = await queries.countActive(tx, row.id, undefined);
  return {
    period: asPeriod({ ...row, closed_at: closedAt, log_size: log.size }),
    closedAt,
    entries,
    totalTickets: entries.reduce((total, { tickets }) => total + tickets, 0),
    participants: people,
    voided: await countVoid(tx, row.id),
    log: {
      origin: row.origin,
      size: head.size,
      root: head.root.toString('base64'),
      checkpoint: head.checkpoint,
      publicKey: Buffer.from(context.logKey.publicKey).toString('hex'),
    },
  };
}

async function countVoid(db: Reader, periodId: string): Promise<Record<VoidReason, number>> {
  const counts = new Map((await queries.countVoid(db, periodId)).map(({ reason, count }) => [reason, count]));
  return Object.fromEntries(voidReasons.map((reason) => [reason, counts.get(reason) ?? 0])) as Record<VoidReason, number>;
}
