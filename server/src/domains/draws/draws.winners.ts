import { dayMs } from '@handwise/contract/dates';
import { claimDays, formatPrizeDollars, reminderDays } from '@handwise/contract/draws/prize';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, lockAccount } from '../accounts/accounts.service.ts';
import { sendPush } from '../push/push.service.ts';
import { getPeriod, ticketEmailFooter } from '../tickets/tickets.service.ts';
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
  const { deleted_at: deletedAt, suspended_at: suspendedAt, role } = await lockAccount(tx, userId);
  if (deletedAt) return ineligible.deleted;
  if (role === 'admin') return ineligible.administrator;
  return suspendedAt ? ineligible.suspended : undefined;
}

/**
 * The picks of one draw that cannot win because their owner was struck, by struck entry. Computed from the picks in order, so that the proof, the
 * pages and the next award agree.
 */
export function listPassedOver(picks: readonly queries.PickRow[]): Map<string, queries.PickRow[]> {
  const passedOver = new Map<string, queries.PickRow[]>();
  const struckEntries = new Map<string, string>();
  for (const pick of picks) {
    const struckEntry = struckEntries.get(pick.user_id);
    if (pick.struck_at) struckEntries.set(pick.user_id, struckEntry ?? pick.entry_id);
    else if (struckEntry !== undefined && !pick.won_at) passedOver.set(struckEntry, [...(passedOver.get(struckEntry) ?? []), pick]);
  }
  return passedOver;
}

/** The picks that can still win, in order. */
export function listReserves(picks: readonly queries.PickRow[]): queries.PickRow[] {
  const passedOver = new Set([...listPassedOver(picks).values()].flat());
  return picks.filter((pick) => !pick.struck_at && !pick.won_at && !passedOver.has(pick));
}

/**
 * Awards the prize to the next eligible pick and emails the winner. Ineligible users are struck on the way, with all their entries. Returns the
 * new status of the prize.
 */
export async function awardNext(tx: Tx, context: Context, draw: queries.DrawRow): Promise<Extract<PrizeStatus, 'pending' | 'not_awarded'>> {
  const now = context.clock.now();
  const struckUserIds = new Set<string>();
  for (const pick of listReserves(await queries.listPicks(tx, [draw.id]))) {
    if (struckUserIds.has(pick.user_id)) continue;
    const reason = await findIneligibility(tx, pick.user_id);
    if (reason !== undefined) {
      await queries.markStruck(tx, pick.id, now, reason);
      struckUserIds.add(pick.user_id);
      continue;
    }
    const claimBy = plusDays(now, claimDays);
    await queries.markWon(tx, pick.id, now, claimBy);
    await emailWinner(tx, context, draw, { userId: pick.user_id, place: pick.place, claimBy });
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
  const period = await getPeriod(tx, draw.id);
  await context.jobs.send(tx, sendMail, winnerEmail(reader, period, won, ticketEmailFooter(checkpoint)));
  await sendPush(tx, context, userId, () => ({
    title: 'The monthly draw has a result for you',
    privateText: {
      title: 'You’ve won the monthly draw',
      body: `${formatPrizeDollars(period.prizeDollars)} is yours: tell us where to pay it.`,
    },
    path: paths.claimPrize,
    tag: `draw-${draw.id}`,
  }));
}

export async function getPrizeRecipient(tx: Tx, { appUrl }: Context, userId: string) {
  const { email, full_name: name } = await findContact(tx, userId);
  return { to: email, name, appUrl };
}

/** The pick that has the prize now. */
export const findCurrentPick = (picks: readonly queries.PickRow[]) =>
  picks.find((pick): pick is queries.PickRow & { won_at: Date; claim_by: Date } => pick.won_at !== null && pick.struck_at === null);

/** Locks the draw of a pick. Undefined if the pick no longer has the prize or it is claimed. */
async function lockUnclaimed(tx: Tx, { id, draw_id: drawId }: Pick<queries.PickRow, 'id' | 'draw_id'>) {
  const draw = await queries.lockDraw(tx, drawId);
  const pick = findCurrentPick(await queries.listPicks(tx, [drawId]));
  return draw && isUnclaimed(draw) && pick?.id === id ? { draw, pick } : undefined;
}

/**
 * Strikes the current winner with a public reason, erases submitted bank details and awards the next pick. Requires the draw's lock and an unpaid
 * prize.
 */
export async function passPrizeOn(tx: Tx, context: Context, draw: queries.DrawRow, reason: string): Promise<void> {
  const now = context.clock.now();
  const pick = findCurrentPick(await queries.listPicks(tx, [draw.id]));
  if (!pick) throw new Error(`nobody holds the prize of draw ${draw.id}`);
  await queries.markStruck(tx, pick.id, now, reason);
  await queries.eraseClaim(tx, pick.id, now);
  if (reason !== ineligible.deleted) {
    const reader = await getPrizeRecipient(tx, context, pick.user_id);
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

async function followUp(tx: Tx, context: Context, unclaimed: Pick<queries.PickRow, 'id' | 'draw_id'>, now: Date): Promise<void> {
  const locked = await lockUnclaimed(tx, unclaimed);
  if (!locked) return;
  const { draw, pick } = locked;
  if (now >= pick.claim_by) return passPrizeOn(tx, context, draw, unclaimedReason);
  const due = reminderDays.filter((days) => now >= plusDays(pick.won_at, days)).length;
  // If the first reminder was missed, only the second is sent.
  if (due <= pick.reminders) return;
  await queries.setReminders(tx, pick.id, due);
  const reader = await getPrizeRecipient(tx, context, pick.user_id);
  await context.jobs.send(tx, sendMail, reminderEmail(reader, await getPeriod(tx, draw.id), pick.claim_by));
}

/** Passes on a user's unclaimed prizes when the account is deleted; claimed ones are still paid. */
export async function passOnPrizesOfUser(tx: Tx, context: Context, userId: string): Promise<void> {
  const prizes = await queries.listPrizesOfUser(tx, userId);
  for (const prize of prizes.filter(isUnclaimed)) {
    const locked = await lockUnclaimed(tx, prize);
    if (locked) await passPrizeOn(tx, context, locked.draw, ineligible.deleted);
  }
}
