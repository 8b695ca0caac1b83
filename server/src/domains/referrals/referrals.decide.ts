import { lapseDays } from '@handwise/contract/referrals/holds';
import type { Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { findContact, lockAccount } from '../accounts/accounts.service.ts';
import type { ReferralParts } from './referrals.context.ts';
import { completeConversion } from './referrals.convert.ts';
import { approvedEmail, type DecisionReason, lapsedEmail, rewardsVoidedEmail } from './referrals.emails.ts';
import { loadFacts } from './referrals.facts.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import * as rewards from './referrals.rewards.queries.ts';
import { isHeld, isRefused, moveReferral, type ReferralState } from './referrals.states.ts';
import { issueReferralTickets, emailBoth, voidRewards } from './referrals.tickets.ts';

type Decision = { approve: boolean; reason: string };

/**
 * Approves a held referral, or refuses one in any state and voids its rewards. A referral is decided once. Throws `referral_not_found`,
 * `already_decided`, `own_matter`.
 */
export const decideReferral = (
  parts: ReferralParts,
  administratorId: string,
  id: string,
  { approve, reason }: Decision,
): Promise<ReferralState> =>
  parts.context.db.transaction().execute(async (tx) => {
    const referral = await lockWithPeople(tx, id);
    if (!referral) throw new AppError('referral_not_found');
    if ([referral.referrer_id, referral.referred_id].includes(administratorId)) throw new AppError('own_matter');
    if (referral.decided_at || (approve && !isHeld(referral))) throw new AppError('already_decided');
    await setAuditActor(tx, administratorId);
    const decision = { by: administratorId, reason };
    return approve ? approveReferral(parts, tx, referral, decision) : refuseReferral(parts, tx, referral, decision);
  });

/** Locks both people before the referral: the same order as spending a free month and publishing. */
async function lockWithPeople(tx: Tx, id: string): Promise<ReferralRow | undefined> {
  const people = await queries.listPeopleOfReferral(tx, id);
  for (const userId of people.toSorted()) await lockAccount(tx, userId);
  return queries.lockReferral(tx, id);
}

/** Approves or lapses held referrals whose time is up. */
export async function decideDueReferrals(parts: ReferralParts): Promise<void> {
  const { db, clock, logger } = parts.context;
  for (const { id } of await queries.listDueReferrals(db, clock.now())) {
    try {
      await db.transaction().execute(async (tx) => {
        const referral = await lockWithPeople(tx, id);
        if (!referral || !isHeld(referral)) return;
        if (referral.held_lapses) await lapseReferral(parts, tx, referral);
        else await approveReferral(parts, tx, referral, { by: null, reason: 'Nobody decided in time.' });
      });
    } catch (error) {
      // The next run retries this one.
      logger.error({ err: error, referralId: id }, 'a held referral could not be decided');
    }
  }
}

/** Approves a hold that a payment with a card of one's own resolves. The payer must be locked. */
export async function approveReferralOfPayer(parts: ReferralParts, tx: Tx, payerId: string): Promise<void> {
  const referral = await queries.lockReferralOfUser(tx, payerId);
  if (!referral || !isHeld(referral) || !referral.held_lapses) return;
  const people = { referrer: await findContact(tx, referral.referrer_id), referred: await findContact(tx, payerId) };
  const { facts } = await loadFacts(tx, parts.hooks, people, undefined, parts.context.clock.now());
  if (!facts.hasPaidAlone) return;
  await approveReferral(parts, tx, referral, { by: null, reason: 'The new account has paid with a card that no connected account uses.' });
}

const decisionColumns = ({ context }: ReferralParts, approved: boolean, { by, reason }: DecisionReason) => ({
  decided_at: context.clock.now(),
  decided_by: by,
  approved,
  decision_reason: reason,
});

async function approveReferral(parts: ReferralParts, tx: Tx, referral: ReferralRow, decision: DecisionReason): Promise<ReferralState> {
  const { context } = parts;
  await moveReferral(tx, referral, 'pending', decisionColumns(parts, true, decision));
  await emailBoth(tx, context, referral, (reader) => approvedEmail(reader, decision));
  await restoreFirstMonth(parts, tx, referral);
  const pending = { ...referral, status: 'pending' as const };
  const isIssued = await rewards.isRewardIssued(tx, referral.id, referral.referred_id, 'signup');
  if (!isIssued) await issueReferralTickets(tx, context, pending, 'signup');
  if (referral.listing_id === null) return 'pending';
  await completeConversion(parts, tx, pending);
  return 'converted';
}

async function refuseReferral(parts: ReferralParts, tx: Tx, referral: ReferralRow, decision: DecisionReason): Promise<ReferralState> {
  const also = decisionColumns(parts, false, decision);
  if (isRefused(referral)) await queries.updateReferralDecision(tx, referral.id, also);
  else await moveReferral(tx, referral, 'refused', { ...also, refused_because: decision.reason, converted_at: null, awaits_card: false });
  const taken = await voidRewards(tx, parts.context, referral);
  await emailBoth(tx, parts.context, referral, (reader) => rewardsVoidedEmail(reader, decision, taken));
  return 'refused';
}

async function lapseReferral(parts: ReferralParts, tx: Tx, referral: ReferralRow): Promise<void> {
  const because = `Nobody decided within ${lapseDays} days.`;
  const also = {
    ...decisionColumns(parts, false, { by: null, reason: because }),
    refused_because: `${because} ${referral.held_because ?? ''}`.trim(),
  };
  await moveReferral(tx, referral, 'refused', also);
  await emailBoth(tx, parts.context, referral, (reader) => lapsedEmail(reader, referral.held_because ?? ''));
}

/** Grants a free month to a user who paid for their first plan while the referral was held. */
async function restoreFirstMonth({ context, hooks }: ReferralParts, tx: Tx, referral: ReferralRow): Promise<void> {
  const userId = referral.referred_id;
  if (!(await hooks.hasHadPlan(tx, userId)) || (await rewards.hasHadFreeFirstMonth(tx, '', [userId]))) return;
  await rewards.insertReward(tx, { userId, referralId: referral.id, reward: 'free_month', cause: 'kept_back', now: context.clock.now() });
}
