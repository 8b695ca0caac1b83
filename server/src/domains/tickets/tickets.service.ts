import { randomBytes } from 'node:crypto';
import { formatDate } from '@handwise/contract/dates';
import { drawTimeZone } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import type { DrawEntry, EntrySource, VoidReason } from '@handwise/contract/tickets/calls';
import type { Entry } from '@handwise/proof/draw';
import { voidReasons } from '@handwise/proof/void-reasons';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findPerson, lockAccount } from '../accounts/accounts.service.ts';
import type { TicketContext } from './tickets.context.ts';
import { ticketsGivenEmail } from './tickets.emails.ts';
import { toDrawEntry } from './tickets.entries.ts';
import { TicketLogWriter } from './tickets.log.ts';
import { findAnnounced, lockRunningPeriod, type Period, toPeriod } from './tickets.periods.ts';
import * as queries from './tickets.queries.ts';
import { sealEntrant } from './tickets.sealing.ts';

export { auditTickets } from './tickets.audit.ts';
export type { TicketContext } from './tickets.context.ts';
export { drawOpeningNote, ticketEmailFooter } from './tickets.emails.ts';
export { countTickets, listEntriesOfUser, getOwnTicketData } from './tickets.entries.ts';
export {
  ensurePeriod,
  findAnnounced,
  findPeriod,
  findRunningPeriod,
  getPeriod,
  getPeriodByMonth,
  getTerms,
  listPeriods,
  listUnmetRules,
  type Period,
} from './tickets.periods.ts';
export { streamLogText } from './tickets.proofs.ts';
export { listEntrantsAmong, lockAgainstDeletion } from './tickets.queries.ts';
export { drawMonthAt, formatMonth, getClosingTime, isMonthBefore, type Month, previousMonth } from './tickets.rules.ts';
export { findOwnerOfEntry } from './tickets.sealing.ts';

const createEntryId = () => randomBytes(16).toString('hex');

/**
 * Issues an entry of the running period with its leaf and signed head, in the caller's transaction. The period's row is locked last: to issue to
 * several users in one transaction, lock all of them first (`lockAgainstDeletion`). `head` is the text that emails end with.
 */
export async function issueTickets(
  tx: Tx,
  context: TicketContext,
  { userId, tickets, source, entryId = createEntryId() }: { userId: string; tickets: number; source: EntrySource; entryId?: string },
): Promise<{ entryId: string; periodId: string; head: string }> {
  // Before the period's lock, in the order of an account deletion, which holds its own row while it waits for the period.
  await queries.lockAgainstDeletion(tx, [userId]);
  const { row, now } = await lockRunningPeriod(context, tx);
  const log = new TicketLogWriter(tx, row);
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
  /** Sorted as in the draw. */
  entries: Entry[];
  totalTickets: number;
  participants: number;
  /** Counts of void entries by reason. */
  voided: Record<VoidReason, number>;
  /** The last head: `root` in base64, `publicKey` in hex. */
  log: { origin: string; size: number; root: string; checkpoint: string; publicKey: string };
};

/**
 * Closes a period permanently: voids entries of ineligible users, signs the last head and returns the remaining entries for the draw. Undefined
 * if it was closed before.
 */
export async function closePeriod(tx: Tx, context: TicketContext, period: Pick<Period, 'id'>): Promise<ClosedPeriod | undefined> {
  const row = await queries.lockPeriod(tx, period.id);
  if (row.closed_at) return undefined;
  const closedAt = context.clock.now();
  const log = new TicketLogWriter(tx, row);
  await appendVoids(log, tx, closedAt, await queries.listIneligibleEntries(tx, row.id));
  const head = await log.sign(context);
  await queries.setPeriodClosed(tx, row.id, closedAt);
  const entries = await queries.listActiveEntries(tx, row.id);
  const { people } = await queries.countActiveTickets(tx, row.id, undefined);
  return {
    period: toPeriod({ ...row, closed_at: closedAt, log_size: log.size }),
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
  const counts = new Map((await queries.countVoidEntries(db, periodId)).map(({ reason, count }) => [reason, count]));
  return Object.fromEntries(voidReasons.map((reason) => [reason, counts.get(reason) ?? 0])) as Record<VoidReason, number>;
}

/**
 * Voids whole entries of one month, each with a leaf. Throws `entry_not_active` and voids none if one of them is void already, belongs to another
 * month, or its draw has closed.
 */
export async function voidTickets(
  tx: Tx,
  context: TicketContext,
  entryIds: readonly string[],
  reason: VoidReason,
): Promise<{ head: string }> {
  const [first] = await queries.listActiveEntriesById(tx, entryIds);
  if (!first) throw new AppError('entry_not_active');
  const period = await queries.lockPeriod(tx, first.period_id);
  // Read again under the lock.
  const active = await queries.listActiveEntriesById(tx, entryIds);
  const isWhole = active.length === new Set(entryIds).size && active.every((entry) => entry.period_id === period.id);
  if (!isWhole || period.closed_at) throw new AppError('entry_not_active');
  const log = new TicketLogWriter(tx, period);
  await appendVoids(
    log,
    tx,
    context.clock.now(),
    active.map(({ id }) => ({ id, reason })),
  );
  return { head: (await log.sign(context)).checkpoint };
}

/** Voids a user's entries in open draws. Needs no head at once, because no email cites one; the hourly job signs it. */
async function voidOpenTickets(tx: Tx, context: Context, userId: string, reason: VoidReason): Promise<void> {
  const periods = new Set((await queries.listOpenEntriesOfUser(tx, userId)).map((entry) => entry.period_id));
  for (const id of [...periods].toSorted()) {
    const period = await queries.lockPeriod(tx, id);
    const active = await queries.listOpenEntriesOfUser(tx, userId);
    const voids = active.filter((entry) => entry.period_id === id).map((entry) => ({ id: entry.id, reason }));
    await appendVoids(new TicketLogWriter(tx, period), tx, context.clock.now(), voids);
  }
}

/** Requires the lock of the period. */
async function appendVoids(log: TicketLogWriter, tx: Tx, at: Date, voids: readonly { id: string; reason: VoidReason }[]): Promise<void> {
  if (voids.length === 0) return;
  await queries.setEntriesVoid(tx, voids, at);
  await log.append(
    voids.map(({ id, reason }) => ({ kind: 'voided', entryId: id, reason })),
    at,
  );
}

/** Voids the tickets of a user and seals their identity. Must run before the account is anonymised. */
export async function voidTicketsOfDeletedUser(tx: Tx, context: TicketContext, userId: string): Promise<void> {
  // Before the period's lock: issuing tickets references the user's row first and then waits for the period.
  const { full_name: fullName, username, email } = await queries.lockUserForDeletion(tx, userId);
  await sealEntrant(tx, context, userId, { fullName, username, email });
  await voidOpenTickets(tx, context, userId, 'deleted');
}

type Gift = { userId: string; tickets: number; reason: string };

/** Grants tickets as an administrator and emails the user. Throws `user_not_found`, `takes_no_part`. */
export async function giveTickets(context: TicketContext, adminId: string, { userId, tickets, reason }: Gift): Promise<DrawEntry> {
  const { db, jobs, appUrl } = context;
  if (!(await findPerson(db, userId))) throw new AppError('user_not_found');
  return db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const user = await lockAccount(tx, userId);
    if (user.deleted_at) throw new AppError('user_not_found');
    // Their tickets would be voided when the draw closes.
    if (user.role === 'admin' || user.suspended_at) throw new AppError('takes_no_part');
    const { entryId, head } = await issueTickets(tx, context, { userId, tickets, source: 'other' });
    await queries.insertGivenEntry(tx, { entry_id: entryId, user_id: userId, tickets, given_by: adminId, reason });
    const entry = await queries.getOwnEntry(tx, entryId);
    const closes = formatDate(entry.closes_at, drawTimeZone);
    const url = `${appUrl}${paths.referral}`;
    const opening = await findAnnounced(tx);
    await jobs.send(tx, sendMail, ticketsGivenEmail({ to: user.email, name: user.full_name, tickets, reason, closes, opening, head, url }));
    return toDrawEntry(entry);
  });
}
