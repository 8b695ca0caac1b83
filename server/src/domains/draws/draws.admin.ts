import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { getPeriod } from '../tickets/tickets.service.ts';
import { decryptClaim } from './draws.claims.ts';
import type { DrawContext } from './draws.context.ts';
import { paidEmail } from './draws.emails.ts';
import * as queries from './draws.queries.ts';
import { isOwed, isPrizePaid, movePrize } from './draws.states.ts';
import { passPrizeOn, getPrizeRecipient } from './draws.winners.ts';

type AdminAction = { drawId: string; adminId: string; reason: string | undefined };

/** Runs an administrator's action under the draw's lock and records it. Throws `draw_not_found`. */
const withLockedDraw = <Result>(
  { db, clock }: Context,
  action: queries.ActionKind,
  { drawId, adminId, reason }: AdminAction,
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

/** The claim of a prize that is still to be paid. Throws `prize_not_claimed`, `prize_paid_already`. */
async function getOpenClaim(tx: Tx, draw: queries.DrawRow) {
  if (isPrizePaid(draw)) throw new AppError('prize_paid_already');
  const claim = await queries.findCurrentClaim(tx, draw.id);
  if (!claim) throw new AppError('prize_not_claimed');
  return claim;
}

/** Marks a prize as paid and emails the winner. Throws `draw_not_found`, `prize_not_claimed`, `prize_paid_already`. */
export const payPrize = (context: Context, done: AdminAction): Promise<void> =>
  withLockedDraw(context, 'pay', done, async (tx, draw) => {
    const { user_id: userId, currency } = await getOpenClaim(tx, draw);
    if (!(await movePrize(tx, draw, 'paid', { paid_at: context.clock.now() }))) throw new AppError('prize_not_claimed');
    const reader = await getPrizeRecipient(tx, context, userId);
    await context.jobs.send(tx, sendMail, paidEmail(reader, await getPeriod(tx, draw.id), currency));
  });

/** Strikes the winner and awards the next reserve. Throws `draw_not_found`, `nobody_to_strike`, `prize_paid_already`. */
export const strikeWinner = (context: Context, done: AdminAction & { reason: string }): Promise<void> =>
  withLockedDraw(context, 'strike', done, async (tx, draw) => {
    if (isPrizePaid(draw)) throw new AppError('prize_paid_already');
    if (!isOwed(draw)) throw new AppError('nobody_to_strike');
    await passPrizeOn(tx, context, draw, done.reason);
  });

/** Returns the bank details of a claimed prize and records the access. Throws as `payPrize`. */
export const viewPaymentDetails = (context: DrawContext, done: AdminAction & { reason: string }) =>
  withLockedDraw(context, 'look', done, async (tx, draw) => {
    const { id, currency, claimed_at: claimedAt } = await getOpenClaim(tx, draw);
    const details = await decryptClaim(tx, context, id);
    if (!details) throw new AppError('prize_not_claimed');
    const { prizeDollars } = await getPeriod(tx, draw.id);
    return { ...details, currency, prizeAmount: prizeDollars, claimedAt: claimedAt.toISOString() };
  });
