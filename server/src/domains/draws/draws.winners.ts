import { dayMs } from '@handwise/contract/dates';
import { claimDays, prizeText, reminderDays } from '@handwise/contract/draws/prize';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { paths } from '@handwise/contract/paths';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, findUser, lockAccount } from '../accounts/accounts.service.ts';
import { sendPush } from '../push/push.service.ts';
import { findEntriesById, getPeriod, listEntriesOfUser, ticketEmailFooter } from '../tickets/tickets.service.ts';
import { reminderEmail, struckEmail, winnerEmail } from './draws.emails.ts';
import * as queries from './draws.queries.ts';
import { isUnclaimed, movePrize, type PrizeStatus } from './draws.states.ts';

const plusDays = (from: Date, days: number) => new Date(from.getTime() + days * dayMs);

// Published as the reason for striking a pick, so it reveals no more than the account's state.
const ineligible = {
  deleted: 'The account has been deleted.',
  administrator: 'Administrators cannot win.',
  suspended: 'The account is suspended.',
} as const;
const unclaimedReason = `Nobody claimed the prize within ${claimDays} days.`;

/** The reason why this user cannot win, if any. Waits for a concurrent account deletion. */
async function findIneligibility(tx: Tx, userId: string): Promise<string | undefined> {
  const { deleted_at: deletedAt, suspended_at: suspendedAt } = await lockAccount(tx, userId);
  if (deletedAt) return ineligible.deleted;
  if ((await findUser(tx, userId))?.role === 'admin') return ineligible.administrator;
  return suspendedAt ? ineligible.suspended : undefined;
}

type Owners = ReadonlyMap<string, { userId: string }>;

/** The owners of everyone picked in these draws, by entry id. */
export const findPickOwners = (db: Reader, picks: readonly queries.PickRow[]) =>
  findEntriesById(
    db,
    picks.map(({ entry_id: entryId }) => entryId),
  );

/**
 * The picks of one draw that cannot win because their owner was struck, by struck entry. Computed from the picks in order, so that the proof, the
 * pages and the next award agree.
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

/** The picks that can still win, in order. */
export function listReserves(picks: readonly queries.PickRow[], owners: Owners): queries.PickRow[] {
  const passedOver = new Set([...listPassedOver(picks, owners).values()].flat());
  return picks.filter((pick) => !pick.struck_at && !pick.won_at && !passedOver.has(pick));
}

/**
 * Awards the prize to the next eligible pick and emails the winner. Ineligible users are struck on the way, with all their entries. Returns the
 * new status of the prize.
 */
export async function awardNext(tx: Tx, context: Context, draw: queries.DrawRow): Promise<Extract<PrizeStatus, 'pending' | 'not_awarded'>> {
  const now = context.clock.now();
  const picks = await queries.listPicks(tx, [draw.id]);
  const owners = await findPickOwners(tx, picks);
  const struckUserIds = new Set<string>();
  for (const pick of listReserves(picks, owners)) {
    const userId = owners.get(pick.entry_id)?.userId;
    if (userId !== undefined && struckUserIds.has(userId)) continue;
    const reason = userId === undefined ? ineligible.deleted : await findIneligibility(tx, userId);
    if (reason !== undefined) {
      await queries.markStruck(tx, pick.id, now, reason);
      if (userId !== undefined) struckUserIds.add(userId);
      continue;
    }
    const claimBy = plusDays(now, claimDays);
    await queries.markWon(tx, pick.id, now, claimBy);
    await emailWinner(tx, context, draw, { userId: userId ?? '', place: pick.place, claimBy });
    return 'pending';
  }
  return 'not_awarded';
}

async function emailWinner(
  tx: Tx,
  context: Context,
  draw: queries.DrawRow,
  { userId, ...won }: { userId: string; place: number; claimBy: Date },
): Promise<void> {
  const { checkpoint } = draw.log as { checkpoint: string };
  const reader = await getPrizeRecipient(tx, context, userId);
  await context.jobs.send(tx, sendMail, winnerEmail(reader, await getPeriod(tx, draw.id), won, ticketEmailFooter(checkpoint)));
  await sendPush(tx, context, userId, () => ({
    title: 'The monthly draw has a result for you',
    privateText: { title: 'You’ve won the monthly draw', body: `${prizeText} is yours: tell us where to pay it.` },
    path: paths.claimPrize,
    tag: `draw-${draw.id}`,
  }));
}

export async function getPrizeRecipient(tx: Tx, { appUrl }: Context, userId: string) {
  const { email, full_name: name } = await findContact(tx, userId);
  return { to: email, name, appUrl };
}

/** The pick that has the prize now. */
export const findCurrentPick = (picks: readonly queries.PickRow[]) => picks.find((pick) => pick.won_at && !pick.struck_at);

/**
 * Strikes the current winner with a public reason, erases submitted bank details and awards the next pick. Requires the draw's lock and an unpaid
 * prize.
 */
export async function passPrizeOn(tx: Tx, context: Context, draw: queries.DrawRow, reason: string): Promise<void> {
  const now = context.clock.now();
  const pick = findCurrentPick(await queries.listPicks(tx, [draw.id]));
  if (!pick) throw new Error(`nobody has the prize of draw ${draw.id}`);
  await queries.markStruck(tx, pick.id, now, reason);
  if (pick.claim_id !== null) await queries.eraseClaim(tx, pick.claim_id, now);
  const userId = (await findEntriesById(tx, [pick.entry_id])).get(pick.entry_id)?.userId;
  if (userId !== undefined && reason !== ineligible.deleted) {
    const reader = await getPrizeRecipient(tx, context, userId);
    await context.jobs.send(tx, sendMail, struckEmail(reader, await getPeriod(tx, draw.id), reason));
  }
  const next = await awardNext(tx, context, draw);
  if (next !== draw.prize && !(await movePrize(tx, draw, next))) throw new Error(`the prize of draw ${draw.id} is ${draw.prize}`);
}

/** Reminds winners without a claim, and passes the prize on after the last day. */
export async function followUpWinners(context: Context): Promise<void> {
  const { db, clock, logger } = context;
  const now = clock.now();
  for (const pick of await queries.listUnclaimed(db, plusDays(now, -reminderDays[0]))) {
    try {
      await db.transaction().execute((tx) => followUp(tx, context, pick, now));
    } catch (error) {
      // The next run retries this one.
      logger.error({ err: error, drawId: pick.draw_id }, 'a winner could not be followed up');
    }
  }
}

type Unclaimed = Awaited<ReturnType<typeof queries.listUnclaimed>>[number];

async function followUp(tx: Tx, context: Context, { id, draw_id: drawId }: Unclaimed, now: Date): Promise<void> {
  const draw = await queries.lockDraw(tx, drawId);
  // Read again under the lock: the winner may have claimed meanwhile.
  const pick = findCurrentPick(await queries.listPicks(tx, [drawId]));
  if (!draw || !isUnclaimed(draw) || pick?.id !== id || !pick.won_at || !pick.claim_by) return;
  if (now >= pick.claim_by) return passPrizeOn(tx, context, draw, unclaimedReason);
  const { won_at: wonAt } = pick;
  const due = reminderDays.filter((days) => now >= plusDays(wonAt, days)).length;
  // If the first reminder was missed, only the second is sent.
  if (due <= pick.reminders) return;
  await queries.setReminders(tx, id, due);
  const userId = (await findEntriesById(tx, [pick.entry_id])).get(pick.entry_id)?.userId;
  if (userId === undefined) return;
  const reader = await getPrizeRecipient(tx, context, userId);
  await context.jobs.send(tx, sendMail, reminderEmail(reader, await getPeriod(tx, drawId), pick.claim_by));
}

/** Prizes won and not struck, oldest first. */
export async function listPrizesOfUser(db: Reader, userId: string) {
  const entries = await listEntriesOfUser(db, userId);
  return queries.listPrizesOfEntries(
    db,
    entries.map(({ id }) => id),
  );
}

/** Passes on a user's unclaimed prizes when the account is deleted; claimed ones are still paid. */
export async function passOnPrizesOfUser(tx: Tx, context: Context, userId: string): Promise<void> {
  for (const { id, draw_id: drawId, prize } of await listPrizesOfUser(tx, userId)) {
    if (!isUnclaimed({ prize })) continue;
    const draw = await queries.lockDraw(tx, drawId);
    const pick = findCurrentPick(await queries.listPicks(tx, [drawId]));
    if (draw && isUnclaimed(draw) && pick?.id === id) await passPrizeOn(tx, context, draw, ineligible.deleted);
  }
}
