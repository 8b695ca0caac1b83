import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, listDeviceMates, lockUser } from '../accounts/accounts.service.ts';
import { voidTickets } from '../tickets/tickets.service.ts';
import type { ReferralContext } from './referrals.context.ts';
import { cardKeyOf, mailboxKeyOf } from './referrals.facts.ts';
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
    const reward = (await rewards.listOpenTickets(tx, referralId)).find((one) => one.user_id === userId && one.cause === 'listing');
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

/**
 * Whether the first plan of an account is free: it came by a code that counts, and neither its mailbox nor anybody who has used the same
 * browser has had a free first month. What is held waits.
 */
export async function hasFreeFirstMonth(tx: Reader, userId: string): Promise<boolean> {
  const referral = await queries.findReferralOf(tx, userId);
  if (!referral || isHeld(referral)) return false;
  const { email } = await findContact(tx, userId);
  return !(await rewards.hadFirstMonth(tx, await mailboxKeyOf(tx, email), await listDeviceMates(tx, userId)));
}

/** Of these cards, by their providers' name for the number, the first with which nobody has had a free first month. */
export async function findUnusedCard(tx: Reader, fingerprints: readonly string[]): Promise<string | undefined> {
  const keys = await Promise.all(fingerprints.map((fingerprint) => cardKeyOf(tx, fingerprint)));
  const used = await rewards.listUsedCards(tx, keys);
  return fingerprints.find((_, index) => !used.includes(keys[index] ?? ''));
}

/** Keeps that an account, its mailbox and its card have had the free first month. */
export async function bookFirstMonth(
  tx: Tx,
  userId: string,
  by: { subscriptionId: string; fingerprint: string | undefined },
  now: Date,
): Promise<void> {
  const { email } = await findContact(tx, userId);
  await rewards.insertFirstMonth(tx, {
    user_id: userId,
    subscription_id: by.subscriptionId,
    mailbox_key: await mailboxKeyOf(tx, email),
    card_key: by.fingerprint === undefined ? null : await cardKeyOf(tx, by.fingerprint),
    created_at: now,
  });
}

/** Who referred somebody, where the code counts or is looked at. */
export const findReferrerOf = async (tx: Reader, userId: string) => (await queries.findReferralOf(tx, userId))?.referrer_id;
