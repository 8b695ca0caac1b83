import { asActor } from '../../kit/actor.ts';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { complete, refuse } from './referrals.convert.ts';
import { approvedMail } from './referrals.mails.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import * as rewards from './referrals.reward-queries.ts';
import { isHeld, moveTo, type ReferralState } from './referrals.states.ts';
import { giveTickets, mailBoth } from './referrals.tickets.ts';

type Parts = { context: ReferralContext; asks: ReferralAsks };
type Decision = { approve: boolean; reason: string };

/** An administrator decides about a held referral. Throws `referral_not_found`, `already_decided`, `own_matter`. */
export const decideReferral = (parts: Parts, administratorId: string, id: string, decision: Decision): Promise<ReferralState> =>
  parts.context.db.transaction().execute(async (tx) => {
    const referral = await queries.lockReferral(tx, id);
    if (!referral) throw new AppError('referral_not_found');
    if ([referral.referrer_id, referral.referred_id].includes(administratorId)) throw new AppError('own_matter');
    if (!isHeld(referral)) throw new AppError('already_decided');
    await asActor(tx, administratorId);
    return settle(parts, tx, referral, { ...decision, by: administratorId });
  });

/** Approves what nobody has decided about in time. */
export async function approveDue(parts: Parts): Promise<void> {
  const { db, clock, logger } = parts.context;
  for (const { id } of await queries.listDue(db, clock.now())) {
    try {
      await db.transaction().execute(async (tx) => {
        const referral = await queries.lockReferral(tx, id);
        if (!referral || !isHeld(referral) || referral.held_until === null || referral.held_until > clock.now()) return;
        await settle(parts, tx, referral, { approve: true, reason: 'Nobody decided in time.', by: null });
      });
    } catch (error) {
      // The others are decided; this one comes again at the next turn.
      logger.error({ err: error, referralId: id }, 'a held referral could not be approved');
    }
  }
}

async function settle(
  parts: Parts,
  tx: Tx,
  referral: ReferralRow,
  { approve, reason, by }: Decision & { by: string | null },
): Promise<ReferralState> {
  const { context } = parts;
  const now = context.clock.now();
  const decided = { decided_at: now, decided_by: by, approved: approve, decision_reason: reason };
  if (!approve) {
    await refuse(parts, tx, referral, reason, { also: decided });
    return 'refused';
  }
  await moveTo(tx, referral, 'pending', decided);
  await mailBoth(tx, context, referral, (reader) => approvedMail(reader, reason));
  await giveBackFirstMonth(parts, tx, referral);
  const pending = { ...referral, status: 'pending' as const };
  const isGiven = await rewards.isIssued(tx, referral.id, referral.referred_id, 'signup');
  if (!isGiven) await giveTickets(tx, context, pending, 'signup');
  if (referral.listing_id === null) return 'pending';
  await complete(parts, tx, pending);
  return 'converted';
}

/** Whoever paid for a first plan while the free month was kept back gets it as a credit. */
async function giveBackFirstMonth({ context, asks }: Parts, tx: Tx, referral: ReferralRow): Promise<void> {
  const userId = referral.referred_id;
  if (!(await asks.hasHadPlan(tx, userId)) || (await rewards.hadFirstMonth(tx, '', [userId]))) return;
  await rewards.issue(tx, { userId, referralId: referral.id, reward: 'free_month', cause: 'kept_back', now: context.clock.now() });
}
