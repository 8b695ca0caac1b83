import type { PaymentDetails } from '@handwise/contract/draws/calls';
import { prizeDollars } from '@handwise/contract/draws/prize';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { getPeriod, findEntriesById } from '../tickets/tickets.service.ts';
import { openClaim } from './draws.claims.ts';
import type { DrawContext } from './draws.context.ts';
import { paidMail } from './draws.mails.ts';
import * as queries from './draws.queries.ts';
import { isClaimed, isOwed, isPaid, movePrize } from './draws.states.ts';
import { currentPick, passOn, readerOf } from './draws.winners.ts';

// What administrators do with a draw that is over. Each of it is written down with who did it and why.

type Done = { drawId: string; adminId: string; reason: string | undefined };

/** Does something with a draw under its lock, and writes down who did it. Throws `draw_not_found`. */
const withDraw = <Result>(
  { db, clock }: Context,
  action: queries.ActionKind,
  { drawId, adminId, reason }: Done,
  work: (tx: Tx, draw: queries.DrawRow) => Promise<Result>,
): Promise<Result> =>
  db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const draw = await queries.lockDraw(tx, drawId);
    if (!draw) throw new AppError('draw_not_found');
    const result = await work(tx, draw);
    const done = { draw_id: drawId, administrator_id: adminId, action, reason: reason ?? null };
    await queries.insertAction(tx, { ...done, done_at: clock.now() });
    return result;
  });

/** The claim of a draw whose prize waits to be paid. Throws `prize_not_claimed`, `prize_paid_already`. */
async function claimedPick(tx: Tx, draw: queries.DrawRow) {
  if (isPaid(draw)) throw new AppError('prize_paid_already');
  const pick = currentPick(await queries.listPicks(tx, [draw.id]));
  if (!isClaimed(draw) || !pick || pick.claim_id === null || !pick.currency || !pick.claimed_at) {
    throw new AppError('prize_not_claimed');
  }
  return { ...pick, claim_id: pick.claim_id, currency: pick.currency, claimed_at: pick.claimed_at };
}

/** Writes down that a prize has been paid, and tells the winner. Throws `draw_not_found`, `prize_not_claimed`, `prize_paid_already`. */
export const payPrize = (context: Context, done: Done): Promise<void> =>
  withDraw(context, 'pay', done, async (tx, draw) => {
    const pick = await claimedPick(tx, draw);
    if (!(await movePrize(tx, draw, 'paid', { paid_at: context.clock.now() }))) throw new AppError('prize_not_claimed');
    const userId = (await findEntriesById(tx, [pick.entry_id])).get(pick.entry_id)?.userId;
    if (userId === undefined || (await findContact(tx, userId)).deleted_at) return;
    const reader = await readerOf(tx, context, userId);
    await context.jobs.send(tx, sendMail, paidMail(reader, await getPeriod(tx, draw.id), pick.currency));
  });

/** Strikes the winner; the next reserve has the prize. Throws `draw_not_found`, `nobody_to_strike`, `prize_paid_already`. */
export const strikeWinner = (context: Context, done: Done & { reason: string }): Promise<void> =>
  withDraw(context, 'strike', done, async (tx, draw) => {
    if (isPaid(draw)) throw new AppError('prize_paid_already');
    if (!isOwed(draw)) throw new AppError('nobody_to_strike');
    await passOn(tx, context, draw, done.reason);
  });

/** Where a claimed prize is to be paid. The look is written down before it is had. Throws as `payPrize`. */
export const lookAtDetails = (context: DrawContext, done: Done & { reason: string }) =>
  withDraw(context, 'look', done, async (tx, draw) => {
    const pick = await claimedPick(tx, draw);
    const details: PaymentDetails | undefined = await openClaim(tx, context, pick.claim_id);
    if (!details) throw new AppError('prize_not_claimed');
    return { ...details, currency: pick.currency, prizeAmount: prizeDollars, claimedAt: pick.claimed_at.toISOString() };
  });
