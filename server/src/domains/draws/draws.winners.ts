import { dayMs } from '@handwise/contract/dates';
import { claimDays, reminderDays } from '@handwise/contract/draws/prize';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, findUser, lockAccount } from '../accounts/accounts.service.ts';
import { findEntriesById, getPeriod, listEntriesOfUser, ticketEmailFooter } from '../tickets/tickets.service.ts';
import { reminderMail, struckMail, winnerMail } from './draws.mails.ts';
import * as queries from './draws.queries.ts';
import { isUnclaimed, movePrize, type PrizeStatus } from './draws.states.ts';

const inDays = (from: Date, days: number) => new Date(from.getTime() + days * dayMs);

// Why somebody is passed over who was picked: public, so it says no more than what they are.
const notAllowed = {
  deleted: 'The account has been deleted.',
  administrator: 'Administrators cannot win.',
  suspended: 'The account is suspended.',
} as const;
const unclaimedReason = `Nobody claimed the prize within ${claimDays} days.`;

/** Why this person cannot win now, if anything is in the way. Whoever is leaving is waited for. */
async function refusalOf(tx: Tx, userId: string): Promise<string | undefined> {
  const { deleted_at: deletedAt, suspended_at: suspendedAt } = await lockAccount(tx, userId);
  if (deletedAt) return notAllowed.deleted;
  if ((await findUser(tx, userId))?.role === 'admin') return notAllowed.administrator;
  return suspendedAt ? notAllowed.suspended : undefined;
}

type Owners = ReadonlyMap<string, { userId: string }>;

/** The owners of everyone picked in these draws, by entry id. */
export const findOwners = (db: Reader, picks: readonly queries.PickRow[]) =>
  findEntriesById(
    db,
    picks.map(({ entry_id: entryId }) => entryId),
  );

/**
 * The picks of one draw that can no longer win because their owner was struck, by the entry that was struck. Worked out from the picks in
 * their order, so that the proof, the pages and the next award agree.
 */
export function listPassedOver(picks: readonly queries.PickRow[], owners: Owners): Map<string, queries.PickRow[]> {
  const passedOver = new Map<string, queries.PickRow[]>();
  const struckEntries = new Map<string, string>();
  for (const pick of picks) {
    const userId = owners.get(pick.entry_id)?.userId;
    if (userId === undefined) continue;
    const struckEntry = struckEntries.get(userId);
    if (pick.struck_at) struckEntries.set(userId, struckEntry ?? pick.entry_id);
    else if (struckEntry !== undefined && !pick.won_at) passedOver.set(struckEntry, [...(passedOver.get(struckEntry) ?? []), pick]);
  }
  return passedOver;
}

/** Who can still take the winner's place, in their order. */
export function listReserves(picks: readonly queries.PickRow[], owners: Owners): queries.PickRow[] {
  const passedOver = new Set([...listPassedOver(picks, owners).values()].flat());
  return picks.filter((pick) => !pick.struck_at && !pick.won_at && !passedOver.has(pick));
}

/**
 * Gives the prize to the first of those picked who has not had it and may have it, and tells them. Who may not is struck, with every entry.
 * Says what becomes of the prize.
 */
export async function awardNext(tx: Tx, context: Context, draw: queries.DrawRow): Promise<Extract<PrizeStatus, 'pending' | 'not_awarded'>> {
  const now = context.clock.now();
  const picks = await queries.listPicks(tx, [draw.id]);
  const owners = await findOwners(tx, picks);
  const refused = new Set<string>();
  for (const pick of listReserves(picks, owners)) {
    const userId = owners.get(pick.entry_id)?.userId;
    if (userId !== undefined && refused.has(userId)) continue;
    const refusal = userId === undefined ? notAllowed.deleted : await refusalOf(tx, userId);
    if (refusal !== undefined) {
      await queries.markStruck(tx, pick.id, now, refusal);
      if (userId !== undefined) refused.add(userId);
      continue;
    }
    const claimBy = inDays(now, claimDays);
    await queries.markWon(tx, pick.id, now, claimBy);
    await tellWinner(tx, context, draw, { userId: userId ?? '', place: pick.place, claimBy });
    return 'pending';
  }
  return 'not_awarded';
}

async function tellWinner(
  tx: Tx,
  context: Context,
  draw: queries.DrawRow,
  { userId, ...won }: { userId: string; place: number; claimBy: Date },
): Promise<void> {
  const { checkpoint } = draw.log as { checkpoint: string };
  const reader = await readerOf(tx, context, userId);
  await context.jobs.send(tx, sendMail, winnerMail(reader, await getPeriod(tx, draw.id), won, ticketEmailFooter(checkpoint)));
}

export async function readerOf(tx: Tx, { appUrl }: Context, userId: string) {
  const { email, full_name: name } = await findContact(tx, userId);
  return { to: email, name, appUrl };
}

/** Whose prize it is now. */
export const currentPick = (picks: readonly queries.PickRow[]) => picks.find((pick) => pick.won_at && !pick.struck_at);

/**
 * Takes the prize from whoever has it, with the reason that is published, and gives it to the next. Details that were submitted are
 * erased. To be called under the draw's lock, before payment.
 */
export async function passOn(tx: Tx, context: Context, draw: queries.DrawRow, reason: string): Promise<void> {
  const now = context.clock.now();
  const pick = currentPick(await queries.listPicks(tx, [draw.id]));
  if (!pick) throw new Error(`nobody has the prize of draw ${draw.id}`);
  await queries.markStruck(tx, pick.id, now, reason);
  if (pick.claim_id !== null) await queries.eraseClaim(tx, pick.claim_id, now);
  const userId = (await findEntriesById(tx, [pick.entry_id])).get(pick.entry_id)?.userId;
  if (userId !== undefined && reason !== notAllowed.deleted) {
    const reader = await readerOf(tx, context, userId);
    await context.jobs.send(tx, sendMail, struckMail(reader, await getPeriod(tx, draw.id), reason));
  }
  const next = await awardNext(tx, context, draw);
  if (next !== draw.prize && !(await movePrize(tx, draw, next))) throw new Error(`the prize of draw ${draw.id} is ${draw.prize}`);
}

/** Reminds winners who have not claimed; after the last day the next reserve has the prize. */
export async function followUpWinners(context: Context): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  for (const pick of await queries.listUnclaimed(db, inDays(now, -reminderDays[0]))) {
    try {
      await db.transaction().execute((tx) => followUp(tx, context, pick, now));
    } catch (error) {
      // The others get theirs; this one comes again at the next turn.
      logger.error({ err: error, drawId: pick.draw_id }, 'a winner could not be followed up');
    }
  }
}

type Unclaimed = Awaited<ReturnType<typeof queries.listUnclaimed>>[number];

async function followUp(tx: Tx, context: Context, { id, draw_id: drawId }: Unclaimed, now: Date): Promise<void> {
  const draw = await queries.lockDraw(tx, drawId);
  // Read anew under the lock: they may have claimed meanwhile.
  const pick = currentPick(await queries.listPicks(tx, [drawId]));
  if (!draw || !isUnclaimed(draw) || pick?.id !== id || !pick.won_at || !pick.claim_by) return;
  if (now >= pick.claim_by) return passOn(tx, context, draw, unclaimedReason);
  const { won_at: wonAt } = pick;
  const due = reminderDays.filter((days) => now >= inDays(wonAt, days)).length;
  // A server that slept through the first one sends the second only.
  if (due <= pick.reminders) return;
  await queries.setReminders(tx, id, due);
  const userId = (await findEntriesById(tx, [pick.entry_id])).get(pick.entry_id)?.userId;
  if (userId === undefined) return;
  const reader = await readerOf(tx, context, userId);
  await context.jobs.send(tx, sendMail, reminderMail(reader, await getPeriod(tx, drawId), pick.claim_by));
}

/** The prizes that somebody won and has not lost again, the oldest first. */
export async function listWon(db: Reader, userId: string) {
  const entries = await listEntriesOfUser(db, userId);
  return queries.listWonBy(
    db,
    entries.map(({ id }) => id),
  );
}

/** Who leaves without having claimed makes way for the next reserve. What was claimed is paid all the same. */
export async function passOnPrizesOf(tx: Tx, context: Context, userId: string): Promise<void> {
  for (const { id, draw_id: drawId, prize } of await listWon(tx, userId)) {
    if (!isUnclaimed({ prize })) continue;
    const draw = await queries.lockDraw(tx, drawId);
    const pick = currentPick(await queries.listPicks(tx, [drawId]));
    if (draw && isUnclaimed(draw) && pick?.id === id) await passOn(tx, context, draw, notAllowed.deleted);
  }
}
