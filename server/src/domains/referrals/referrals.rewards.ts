import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, listDeviceMates, lockUser } from '../accounts/accounts.service.ts';
import { voidTickets } from '../tickets/tickets.service.ts';
import type { ReferralContext } from './referrals.context.ts';
import { businessNumberKeyOf, cardKeyOf, mailboxKeyOf, sharesWithTree } from './referrals.facts.ts';
import { swappedMail } from './referrals.mails.ts';
import * as queries from './referrals.queries.ts';
import * as rewards from './referrals.reward-queries.ts';
import { isConverted, isHeld } from './referrals.states.ts';
import { openEntriesOf, readerOf } from './referrals.tickets.ts';

/**
 * Swaps the tickets of a converted referral for a free month, once, until their draw closes. Throws `referral_not_found` also for somebody
 * else's, `reward_not_ready`, `reward_taken`, `reward_too_late`.
 */
export const swap = (context: ReferralContext, userId: string, referralId: string): Promise<{ id: string; createdAt: string }> =>
  context.db.transaction().execute(async (tx) => {
    const contact = await lockUser(tx, userId);
    const referral = await queries.lockReferral(tx, referralId);
    if (!referral || referral.referrer_id !== userId) throw new AppError('referral_not_found');
    if (!isConverted(referral)) throw new AppError('reward_not_ready');
    if (await rewards.isIssued(tx, referralId, userId, 'swapped')) throw new AppError('reward_taken');
    const now = context.clock.now();
    const reward = (await rewards.listOpenOf(tx, referralId, 'draw_entries')).find(
      (one) => one.user_id === userId && one.cause === 'listing',
    );
    const entryId = reward?.entry_id;
    if (!reward || !entryId || !(await openEntriesOf(tx, userId, now)).has(entryId)) throw new AppError('reward_too_late');
    await rewards.spend(tx, reward, { change: 'void', cause: 'swapped' }, now);
    const credit = await rewards.issue(tx, { userId, referralId, reward: 'free_month', cause: 'swapped', now });
    const { head } = await voidTickets(tx, context, [entryId], 'swapped').catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'entry_not_active') throw new AppError('reward_too_late');
      throw error;
    });
    await context.jobs.send(tx, sendMail, swappedMail(readerOf(contact, context), reward.quantity, head));
    return { id: credit.id, createdAt: credit.created_at.toISOString() };
  });

/** Free months that somebody has and has not used, the oldest first. */
export const listCredits = async (db: Reader, userId: string) =>
  (await rewards.listCredits(db, userId)).map(({ id, cause, created_at }) => ({
    id,
    source: cause === 'kept_back' ? ('first_month' as const) : ('referral' as const),
    createdAt: created_at.toISOString(),
  }));

/** Books that the oldest free month of somebody pays for a subscription. The user must be locked. */
export async function useCredit(tx: Tx, userId: string, subscriptionId: string, now: Date): Promise<void> {
  const [credit] = await rewards.listCredits(tx, userId);
  if (!credit) throw new Error('a free month was used that nobody has');
  await rewards.spend(tx, credit, { change: 'use', cause: 'subscription', subscriptionId }, now);
}

type Applicant = {
  /** Who else has saved or paid with a card of the account. */
  cardSharers: readonly string[];
  /** The business that it is for, as far as it is known. */
  businessNumber: string | undefined;
  now: Date;
};

/**
 * Whether the first plan of an account is free: it came by a code that counts, it shares no browser or card with an account of its tree unless an
 * administrator has looked at that, and neither its mailbox, anybody who has used the same browser nor the business has had a free first month.
 * What is held waits.
 */
export async function hasFreeFirstMonth(tx: Reader, userId: string, { cardSharers, businessNumber, now }: Applicant): Promise<boolean> {
  const referral = await queries.findReferralOf(tx, userId);
  if (!referral || isHeld(referral)) return false;
  const { email } = await findContact(tx, userId);
  if (await rewards.hadFirstMonth(tx, await mailboxKeyOf(tx, email), await listDeviceMates(tx, userId))) return false;
  if (businessNumber !== undefined && (await isBusinessClaimed(tx, userId, businessNumber))) return false;
  return referral.approved === true || !(await sharesWithTree(tx, userId, cardSharers, now));
}

/** Whether another account has had the free first month of a business number. */
export const isBusinessClaimed = async (tx: Reader, userId: string, number: string): Promise<boolean> =>
  (await rewards.listClaimedByOthers(tx, userId, 'business_number', [await businessNumberKeyOf(tx, number)])).length > 0;

/** Of these cards, by their providers' name for the number, the first that has not paid for a free month of another account. */
export async function findUnusedCard(tx: Reader, userId: string, fingerprints: readonly string[]): Promise<string | undefined> {
  const keys = await Promise.all(fingerprints.map((fingerprint) => cardKeyOf(tx, fingerprint)));
  const used = await rewards.listClaimedByOthers(tx, userId, 'card', keys);
  return fingerprints.find((_, index) => !used.includes(keys[index] ?? ''));
}

/** Books which card a free month was taken with. Throws `payment_required` where another account was quicker. */
export async function claimCard(tx: Tx, userId: string, fingerprint: string, now: Date): Promise<void> {
  const key = await cardKeyOf(tx, fingerprint);
  if (!(await rewards.claim(tx, { kind: 'card', key, user_id: userId, created_at: now }))) throw new AppError('payment_required');
}

/** Books that an account, its mailbox and its business have had the free first month. Throws `payment_required` where the business has already. */
export async function bookFirstMonth(
  tx: Tx,
  userId: string,
  by: { subscriptionId: string; businessNumber: string | undefined },
  now: Date,
): Promise<void> {
  const { email } = await findContact(tx, userId);
  await rewards.insertFirstMonth(tx, {
    user_id: userId,
    subscription_id: by.subscriptionId,
    mailbox_key: await mailboxKeyOf(tx, email),
    created_at: now,
  });
  if (by.businessNumber !== undefined && !(await claimBusiness(tx, userId, by.businessNumber, now))) throw new AppError('payment_required');
}

const claimBusiness = async (tx: Tx, userId: string, number: string, now: Date) =>
  rewards.claim(tx, { kind: 'business_number', key: await businessNumberKeyOf(tx, number), user_id: userId, created_at: now });

/** A listing gets a business number. Where its owner has had a free first month, the business has had it too. */
export async function noteBusinessNumber(tx: Tx, userId: string, number: string, now: Date): Promise<void> {
  if (await rewards.hadFirstMonth(tx, '', [userId])) await claimBusiness(tx, userId, number, now);
}
