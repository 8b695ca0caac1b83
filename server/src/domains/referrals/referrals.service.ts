import { dayMs } from '@handwise/contract/dates';
import type { HeldReferral } from '@handwise/contract/plans/calls';
import { referralCodeMinLength } from '@handwise/contract/referrals/calls';
import type { ReferralNotification } from '@handwise/contract/referrals/notifications';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { lockAccount, lockUser } from '../accounts/accounts.service.ts';
import { listPeriods } from '../tickets/tickets.service.ts';
import type { ReferralParts } from './referrals.context.ts';
import { convertReferral } from './referrals.convert.ts';
import { createReferral, createReferralCode } from './referrals.enter.ts';
import * as queries from './referrals.queries.ts';
import { deleteGrant } from './referrals.rewards.queries.ts';
import { isHeld, moveReferral } from './referrals.states.ts';

export { countReferralsForAdmin, listHeldReferrals } from './referrals.admin.ts';
export { createAbuseKeys } from './referrals.facts.ts';
export { convertReferral, giveAwaitedReward, voidReferralEarnings } from './referrals.convert.ts';
export { listReferralsOfUser } from './referrals.dashboard.ts';
export { approveReferralOfPayer } from './referrals.decide.ts';
export type { ReferralContext, ReferralHooks, ReferralPaymentHooks } from './referrals.context.ts';
export { createReferralOnSignUp, enterReferralCode } from './referrals.enter.ts';
export { conversionsAudit, rewardsAudit } from './referrals.rewards.queries.ts';
export {
  claimBusinessNumber,
  claimCard,
  findUnusedCard,
  grantFreeFirstMonth,
  hasFreeFirstMonth,
  isBusinessNumberClaimed,
  listFreeMonths,
  recordFreeFirstMonth,
  spendFreeMonth,
  swapForFreeMonth,
} from './referrals.rewards.ts';

/** Per network: enough for a family that types slowly, too few to guess codes. */
const checkLimit = { max: 60, windowSeconds: 60 };

export async function isValidCode({ db }: Context, code: string, network: string): Promise<boolean> {
  if (code.length < referralCodeMinLength) return false;
  await countAttempt(db, `referral-check-from:${network}`, checkLimit);
  return (await queries.findCodeOwner(db, code.toUpperCase())) !== undefined;
}

export const ensureReferralCode = ({ db }: Context, userId: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const { username, referral_code } = await queries.getReferralCodes(tx, userId);
    return referral_code ?? createReferralCode(tx, { id: userId, username });
  });

/** Unseen notifications about a user's referral code. */
export async function listNotificationsOfUser({ db }: Context, userId: string): Promise<ReferralNotification[]> {
  const rows = await queries.listUnseenNotifications(db, userId);
  const periods = rows.length === 0 ? [] : await listPeriods(db);
  return rows.map(({ id, type, tickets, created_at: at }) => ({
    id,
    type: type === 'listing' ? 'listing' : 'signup',
    timestamp: at.toISOString(),
    tickets,
    prize: periods.find(({ startsAt, closesAt, closedAt }) => startsAt <= at && at < (closedAt ?? closesAt))?.prizeDollars,
  }));
}

/** Marks notifications as seen in every tab; returns how many were unseen before. */
export const markNotificationsSeen = ({ db, clock }: Context, userId: string, ids: readonly string[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const seen = await queries.updateNotificationsSeen(tx, userId, ids, clock.now());
    if (seen.length > 0) await appendEvents(tx, [{ userId, kind: 'referral-seen', data: { ids: seen } }]);
    return seen.length;
  });

const seenRetentionMs = 30 * dayMs;
export const deleteExpiredNotifications = ({ db, clock }: Context) =>
  queries.deleteSeenNotifications(db, new Date(clock.now().getTime() - seenRetentionMs));

/**
 * Ends open referrals, also converted ones whose reward is not given yet, and deletes notifications when an account is deleted. The anonymised referral stays, and so do the keyed hashes of its
 * origin for 90 days: otherwise deleting an account would make room for the next one.
 */
export async function endReferralsOfUser(tx: Tx, userId: string): Promise<void> {
  for (const referral of await queries.lockOpenReferralsOfUser(tx, userId))
    await moveReferral(tx, referral, 'refused', { refused_because: 'They have left.', converted_at: null, awaits_card: false });
  await queries.deleteNotificationsOfUser(tx, userId);
  await deleteGrant(tx, userId);
}

export const getOwnReferralData = (db: Reader, userId: string): OwnData => ({
  lists: {
    referrals: () => queries.listOwnReferrals(db, userId),
    rewards: () => queries.listOwnRewards(db, userId),
    'referral-findings': () => queries.listOwnFindings(db, userId),
    'referral-notifications': () => queries.listOwnNotifications(db, userId),
  },
});

/** What a held referral of the user waits for, as the payment step shows it; null if nothing is held. */
export async function findHeldReferral(db: Reader, userId: string): Promise<HeldReferral | null> {
  const referral = await queries.findReferralOfUser(db, userId);
  if (!referral || !isHeld(referral) || !referral.held_because || !referral.held_until) return null;
  return {
    heldBecause: referral.held_because,
    heldUntil: referral.held_until.toISOString(),
    heldOutcome: referral.held_lapses ? 'lapses' : 'counts',
  };
}

const batchSize = 500;

/**
 * Creates the referrals of accounts that registered with a code before referrals existed, and converts those whose first listing is live. Their
 * tickets belong to the current draw. Sends no emails; code owners get notifications. One transaction per account, safe to run concurrently.
 */
export async function backfillReferrals(parts: ReferralParts, batch = batchSize): Promise<number> {
  const { db } = parts.context;
  let made = 0;
  for (;;) {
    const accounts = await queries.listUsersWithoutReferral(db, batch);
    for (const { id } of accounts) if (await db.transaction().execute((tx) => backfillReferral(parts, tx, id))) made += 1;
    if (accounts.length < batch) return made;
  }
}

async function backfillReferral(parts: ReferralParts, tx: Tx, userId: string): Promise<boolean> {
  const { referred_by_code: code, created_at: at } = await queries.getReferralCodes(tx, userId);
  const owner = code === null ? undefined : await queries.findAnyCodeOwner(tx, code);
  const ids = [...new Set([userId, ...(owner ? [owner.id] : [])])].toSorted();
  for (const id of ids) await lockAccount(tx, id);
  const account = await lockAccount(tx, userId);
  if (account.deleted_at || (await queries.findLatestReferralOfUser(tx, userId))) return false;
  if (!owner || code === null || owner.id === userId) {
    // An unknown code or their own never counted.
    await queries.updateReferralCodes(tx, userId, { referred_by_code: null });
    return false;
  }
  const couple = { referrer: owner, referred: { id: userId, email: account.email } };
  await createReferral(parts, tx, { couple, code, step: 'registration', device: undefined, at, quiet: true });
  const listing = await parts.hooks.findFirstListing(tx, userId);
  if (listing !== undefined) await convertReferral(parts, tx, userId, listing, { quiet: true });
  return true;
}
