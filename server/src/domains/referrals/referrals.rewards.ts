import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, listDeviceMates, lockUser } from '../accounts/accounts.service.ts';
import { voidTickets } from '../tickets/tickets.service.ts';
import type { ReferralContext } from './referrals.context.ts';
import { swappedEmail } from './referrals.emails.ts';
import { getBusinessNumberKey, getCardKey, getMailboxKey, hasSharedDeviceOrCard } from './referrals.facts.ts';
import * as queries from './referrals.queries.ts';
import * as rewards from './referrals.rewards.queries.ts';
import { isConverted, isHeld } from './referrals.states.ts';
import { listOpenEntryIds, toRecipient } from './referrals.tickets.ts';

/**
 * Swaps the tickets of a converted referral for a free month, once, until their draw closes. Throws `referral_not_found` (also if it belongs
 * to another user), `reward_not_ready`, `reward_taken`, `reward_too_late`.
 */
export const swapForFreeMonth = (
  context: ReferralContext,
  userId: string,
  referralId: string,
): Promise<{ id: string; createdAt: string }> =>
  context.db.transaction().execute(async (tx) => {
    const contact = await lockUser(tx, userId);
    const referral = await queries.lockReferral(tx, referralId);
    if (!referral || referral.referrer_id !== userId) throw new AppError('referral_not_found');
    if (!isConverted(referral) || referral.awaits_card) throw new AppError('reward_not_ready');
    if (await rewards.isRewardIssued(tx, referralId, userId, 'swapped')) throw new AppError('reward_taken');
    const now = context.clock.now();
    const reward = (await rewards.listOpenRewards(tx, referralId, 'draw_entries')).find(
      (one) => one.user_id === userId && one.cause === 'listing',
    );
    if (!reward?.entry_id || !(await listOpenEntryIds(tx, userId, now)).has(reward.entry_id)) throw new AppError('reward_too_late');
    await rewards.spendReward(tx, reward, { change: 'void', cause: 'swapped' }, now);
    const credit = await rewards.insertReward(tx, { userId, referralId, reward: 'free_month', cause: 'swapped', now });
    const { head } = await voidTickets(tx, context, [reward.entry_id], 'swapped').catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'entry_not_active') throw new AppError('reward_too_late');
      throw error;
    });
    await context.jobs.send(tx, sendMail, swappedEmail(toRecipient(contact, context), reward.quantity, head));
    return { id: credit.id, createdAt: credit.created_at.toISOString() };
  });

/** Unused free months, oldest first. */
export const listFreeMonths = async (db: Reader, userId: string) =>
  (await rewards.listOpenFreeMonths(db, userId)).map(({ id, cause, created_at }) => ({
    id,
    source: cause === 'kept_back' ? ('first_month' as const) : ('referral' as const),
    createdAt: created_at.toISOString(),
  }));

/** Spends a user's oldest free month on a subscription. The user must be locked. */
export async function spendFreeMonth(tx: Tx, userId: string, subscriptionId: string, now: Date): Promise<void> {
  const [credit] = await rewards.listOpenFreeMonths(tx, userId);
  if (!credit) throw new Error('no unused free month to spend');
  await rewards.spendReward(tx, credit, { change: 'use', cause: 'subscription', subscriptionId }, now);
}

type Applicant = {
  /** Others who have saved or paid with a card of the account. */
  cardSharers: readonly string[];
  businessNumber: string | undefined;
  now: Date;
};

/** Makes the first month of an account free without a referral. `businessNumber`: of the business that was invited; it has one free month. */
export async function grantFreeFirstMonth(tx: Tx, userId: string, businessNumber: string | undefined, now: Date): Promise<void> {
  const key = businessNumber === undefined ? null : await getBusinessNumberKey(tx, businessNumber);
  await rewards.insertGrant(tx, { user_id: userId, business_number_key: key, created_at: now });
}

/**
 * Whether the first plan of an account is free. It has a referral that is not held, or a grant; it shares no browser or card within its tree,
 * unless the referral was approved; and its mailbox, its browser's other users and its business have had no free first month.
 */
export async function hasFreeFirstMonth(tx: Reader, userId: string, { cardSharers, businessNumber, now }: Applicant): Promise<boolean> {
  const referral = await queries.findReferralOfUser(tx, userId);
  const grant = await rewards.findGrant(tx, userId);
  if (referral ? isHeld(referral) : !grant) return false;
  const { email } = await findContact(tx, userId);
  if (await rewards.hasHadFreeFirstMonth(tx, await getMailboxKey(tx, email), await listDeviceMates(tx, userId))) return false;
  if (businessNumber !== undefined && (await isBusinessNumberClaimed(tx, userId, businessNumber))) return false;
  const granted = grant?.business_number_key;
  if (granted && (await rewards.listKeysClaimedByOthers(tx, userId, 'business_number', [granted])).length > 0) return false;
  return referral?.approved === true || !(await hasSharedDeviceOrCard(tx, userId, cardSharers, now));
}

/** Whether another account has used the free first month of a business number. */
export const isBusinessNumberClaimed = async (tx: Reader, userId: string, number: string): Promise<boolean> =>
  (await rewards.listKeysClaimedByOthers(tx, userId, 'business_number', [await getBusinessNumberKey(tx, number)])).length > 0;

/** The first of these card fingerprints that another account has not used for a free month. */
export async function findUnusedCard(tx: Reader, userId: string, fingerprints: readonly string[]): Promise<string | undefined> {
  const keys = await Promise.all(fingerprints.map((fingerprint) => getCardKey(tx, fingerprint)));
  const used = await rewards.listKeysClaimedByOthers(tx, userId, 'card', keys);
  return fingerprints.find((_, index) => !used.includes(keys[index] ?? ''));
}

/** Claims a card for a free month. Throws `payment_required` if another account has claimed it first. */
export async function claimCard(tx: Tx, userId: string, fingerprint: string, now: Date): Promise<void> {
  const key = await getCardKey(tx, fingerprint);
  if (!(await rewards.claimKey(tx, { kind: 'card', key, user_id: userId, created_at: now }))) throw new AppError('payment_required');
}

/** Records the free first month of an account, its mailbox and its business. Throws `payment_required` if the business has had one. */
export async function recordFreeFirstMonth(
  tx: Tx,
  userId: string,
  by: { subscriptionId: string; businessNumber: string | undefined },
  now: Date,
): Promise<void> {
  const { email } = await findContact(tx, userId);
  await rewards.insertFreeFirstMonth(tx, {
    user_id: userId,
    subscription_id: by.subscriptionId,
    mailbox_key: await getMailboxKey(tx, email),
    created_at: now,
  });
  if (by.businessNumber !== undefined && !(await claimBusiness(tx, userId, by.businessNumber, now))) throw new AppError('payment_required');
  const granted = (await rewards.findGrant(tx, userId))?.business_number_key;
  if (granted && !(await claimBusinessKey(tx, userId, granted, now))) throw new AppError('payment_required');
}

const claimBusiness = async (tx: Tx, userId: string, number: string, now: Date) =>
  claimBusinessKey(tx, userId, await getBusinessNumberKey(tx, number), now);

const claimBusinessKey = (tx: Tx, userId: string, key: string, now: Date) =>
  rewards.claimKey(tx, { kind: 'business_number', key, user_id: userId, created_at: now });

/** Claims the business number of a listing if its owner has had a free first month. */
export async function claimBusinessNumber(tx: Tx, userId: string, number: string, now: Date): Promise<void> {
  if (await rewards.hasHadFreeFirstMonth(tx, '', [userId])) await claimBusiness(tx, userId, number, now);
}
