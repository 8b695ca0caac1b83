import type { Tx } from '../../kit/database/database.ts';
import { findContact, lockAccount } from '../accounts/accounts.service.ts';
import type { ReferralParts, ReferralContext } from './referrals.context.ts';
import { heldEmail, refusedEmail } from './referrals.emails.ts';
import { toHold } from './referrals.enter.ts';
import { getCardKey, loadFacts } from './referrals.facts.ts';
import * as queries from './referrals.queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import { claimKey, findRewardTime } from './referrals.rewards.queries.ts';
import { evaluateRules } from './referrals.rules.ts';
import { isPending, moveReferral } from './referrals.states.ts';
import { issueReferralTickets, emailBoth, voidReferralTickets } from './referrals.tickets.ts';

/**
 * Converts the referral of a seller whose first listing goes live, unless the abuse rules now reject or hold it. A held referral only stores
 * the listing. `quiet` is for a backfill, which has checked the rules just before. The seller must be locked.
 */
export async function convertReferral(
  parts: ReferralParts,
  tx: Tx,
  sellerId: string,
  listingId: string,
  { quiet = false } = {},
): Promise<void> {
  const { context, hooks } = parts;
  const referral = await queries.lockReferralOfUser(tx, sellerId);
  if (!referral || referral.listing_id !== null) return;
  await queries.setReferralListing(tx, referral.id, listingId);
  if (!isPending(referral)) return;
  const now = context.clock.now();
  const people = { referrer: await findContact(tx, referral.referrer_id), referred: await findContact(tx, sellerId) };
  const { facts } = await loadFacts(tx, hooks, people, undefined, now);
  const verdict = evaluateRules('conversion', facts);
  const { severity, findings, because } = verdict;
  await queries.insertReferralFindings(tx, { id: referral.id, referrerId: referral.referrer_id, referredId: sellerId }, findings, now);
  if (severity === 'reject') return rejectReferral(parts, tx, referral, because);
  // A decided referral is never held again.
  if (severity === 'hold' && referral.decided_at === null) {
    const hold = toHold(verdict, now);
    await moveReferral(tx, referral, 'held', hold);
    await emailBoth(tx, context, referral, (reader) => heldEmail(reader, hold));
    return;
  }
  await completeConversion(parts, tx, referral, { quiet });
}

/**
 * Converts a pending referral whose listing is live. The tickets for it are issued if the referred account has paid or has a card of its own; else
 * they wait for that.
 */
export async function completeConversion(parts: ReferralParts, tx: Tx, referral: ReferralRow, { quiet = false } = {}): Promise<void> {
  const { context } = parts;
  const isVouchedFor = await vouchFor(parts, tx, referral.referred_id);
  await moveReferral(tx, referral, 'converted', { converted_at: context.clock.now(), awaits_card: !isVouchedFor });
  if (isVouchedFor) await issueReferralTickets(tx, context, referral, 'listing', { quiet });
}

/** Whether an account has paid, or has a saved card that no other account uses; such a card then vouches for no other account. */
async function vouchFor({ context, hooks }: ReferralParts, tx: Tx, userId: string): Promise<boolean> {
  if ((await findContact(tx, userId)).suspended_at) return false;
  const { hasPaid, ownCards } = await hooks.findMeans(tx, userId);
  if (hasPaid) return true;
  for (const fingerprint of ownCards) {
    const key = await getCardKey(tx, fingerprint);
    if (await claimKey(tx, { kind: 'card', key, user_id: userId, created_at: context.clock.now() })) return true;
  }
  return false;
}

/** Issues the tickets of a conversion that has waited for a card or a payment, once there is one. The referred account must be locked. */
export async function giveAwaitedReward(parts: ReferralParts, tx: Tx, userId: string): Promise<void> {
  const referral = await queries.lockReferralOfUser(tx, userId);
  if (!referral?.awaits_card || !(await vouchFor(parts, tx, userId))) return;
  await queries.setRewardGiven(tx, referral.id);
  await issueReferralTickets(tx, parts.context, referral, 'listing');
}

/** Gives rewards that wait for a card which another account has stopped using, or whose account is no longer suspended. */
export async function giveDueRewards(parts: ReferralParts): Promise<void> {
  const { db, logger } = parts.context;
  for (const userId of await queries.listUsersAwaitingCard(db)) {
    try {
      await db.transaction().execute(async (tx) => {
        await lockAccount(tx, userId);
        await giveAwaitedReward(parts, tx, userId);
      });
    } catch (error) {
      // The next run retries this one.
      logger.error({ err: error, userId }, 'the reward of a referral could not be given');
    }
  }
}

/** Rewards already granted stay: only an administrator voids them. */
async function rejectReferral({ context }: ReferralParts, tx: Tx, referral: ReferralRow, because: string): Promise<void> {
  await moveReferral(tx, referral, 'refused', { refused_because: because });
  await emailBoth(tx, context, referral, (reader) => refusedEmail(reader, because));
}

/** Voids the tickets of open draws that a fraudulent payment led to. Rewards earned before the payment stay. */
export async function voidReferralEarnings(context: ReferralContext, tx: Tx, payerId: string, paidAt: Date): Promise<void> {
  const referral = await queries.lockReferralOfUser(tx, payerId);
  if (!referral) return;
  const rewardedAt = await findRewardTime(tx, referral.id);
  if (!rewardedAt || rewardedAt < paidAt) return;
  await voidReferralTickets(tx, context, referral);
}
