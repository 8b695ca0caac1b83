import { type Insertable, sql, type Updateable } from 'kysely';
import { maxNotificationsListed } from '@handwise/contract/referrals/notifications';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import type { Severity } from './referrals.rules.ts';

/**
 * Locks a code for this transaction, unless any account has it or another transaction is about to assign it. Two statements, because the
 * snapshot of a single one would predate the lock.
 */
export async function reserveCode(tx: Tx, code: string): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${code}, 32)) as ours`.execute(tx);
  if (!rows[0]?.ours) return false;
  return (await tx.selectFrom('users').select('id').where('referral_code', '=', code).executeTakeFirst()) === undefined;
}

/** The owner of a code that can be entered: not suspended, not deleted. */
export const findCodeOwner = (db: Reader, code: string) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`email::text`.as('email')])
    .where('referral_code', '=', code)
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The owner of a code, even if suspended or deleted. */
export const findAnyCodeOwner = (db: Reader, code: string) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`email::text`.as('email')])
    .where('referral_code', '=', code)
    .executeTakeFirst();

export const getReferralCodes = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .select(['username', 'referral_code', 'referred_by_code', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

export const updateReferralCodes = (tx: Tx, userId: string, codes: { referral_code?: string; referred_by_code?: string | null }) =>
  tx.updateTable('users').set(codes).where('id', '=', userId).execute();

/** Accounts that registered with a code before referrals existed. */
export const listUsersWithoutReferral = (db: Reader, count: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('referred_by_code', 'is not', null)
    .where('deleted_at', 'is', null)
    .where((is) => is.not(is.exists(is.selectFrom('referrals').select('id').whereRef('referred_id', '=', 'users.id'))))
    .orderBy('id')
    .limit(count)
    .execute();

const columns = [
  'id',
  'referrer_id',
  'referred_id',
  'code',
  'status',
  'created_at',
  'held_because',
  'held_until',
  'held_lapses',
  'refused_because',
  'decided_at',
  'approved',
  'converted_at',
  'awaits_card',
  'listing_id',
] as const;

const select = (db: Reader) => db.selectFrom('referrals').select(columns);
export type ReferralRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

/** Both people of a referral; empty if it does not exist. */
export async function listPeopleOfReferral(db: Reader, id: string): Promise<string[]> {
  const row = await db.selectFrom('referrals').select(['referrer_id', 'referred_id']).where('id', '=', id).executeTakeFirst();
  return row ? [row.referrer_id, row.referred_id] : [];
}

export const lockReferral = (tx: Tx, id: string) => select(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** The one referral of a user that is not refused. */
export const findReferralOfUser = (db: Reader, referredId: string) =>
  select(db).where('referred_id', '=', referredId).where('status', '<>', 'refused').executeTakeFirst();

export const lockReferralOfUser = (tx: Tx, referredId: string) =>
  select(tx).where('referred_id', '=', referredId).where('status', '<>', 'refused').forUpdate().executeTakeFirst();

/** The referral that is not refused, else the newest refused one. */
export const findLatestReferralOfUser = (db: Reader, referredId: string) =>
  select(db)
    .where('referred_id', '=', referredId)
    .orderBy((is) => is('status', '<>', 'refused'), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertReferral = (tx: Tx, referral: Insertable<DB['referrals']>) =>
  tx.insertInto('referrals').values(referral).returning(columns).executeTakeFirstOrThrow();

/** Stores a decision without a change of state. */
export const updateReferralDecision = (tx: Tx, id: string, decision: Omit<Updateable<DB['referrals']>, 'status'>) =>
  tx.updateTable('referrals').set(decision).where('id', '=', id).execute();

export const setReferralListing = (tx: Tx, id: string, listingId: string) =>
  tx.updateTable('referrals').set({ listing_id: listingId }).where('id', '=', id).execute();

export async function insertReferralFindings(
  tx: Reader,
  referral: { id: string | null; referrerId: string; referredId: string },
  findings: readonly { rule: string; severity: Severity }[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return;
  await tx
    .insertInto('referral_findings')
    .values(
      findings.map(({ rule, severity }) => ({
        referral_id: referral.id,
        referrer_id: referral.referrerId,
        referred_id: referral.referredId,
        rule,
        severity,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.constraint('referral_findings_once').doNothing())
    .execute();
}

/** Held referrals whose time to decide is over. */
export const listDueReferrals = (db: Reader, now: Date) =>
  db.selectFrom('referrals').select('id').where('status', '=', 'held').where('held_until', '<=', now).orderBy('held_until').execute();

export const lockOpenReferralsOfUser = (tx: Tx, referredId: string) =>
  select(tx)
    .where('referred_id', '=', referredId)
    .where((is) => is.or([is('status', 'in', ['held', 'pending']), is('awaits_card', '=', true)]))
    .forUpdate()
    .execute();

export const setRewardGiven = (tx: Tx, id: string) =>
  tx.updateTable('referrals').set({ awaits_card: false }).where('id', '=', id).execute();

/** The referred accounts whose referral converted and whose card or payment is missing. */
export const listUsersAwaitingCard = async (db: Reader) =>
  (await db.selectFrom('referrals').select('referred_id').where('awaits_card', '=', true).orderBy('converted_at').execute()).map(
    ({ referred_id: id }) => id,
  );

export const insertNotification = (tx: Tx, notification: Insertable<DB['referral_notifications']>) =>
  tx.insertInto('referral_notifications').values(notification).returning('id').executeTakeFirstOrThrow();

export const listUnseenNotifications = (db: Reader, userId: string) =>
  db
    .selectFrom('referral_notifications')
    .select(['id', 'type', 'tickets', 'created_at'])
    .where('user_id', '=', userId)
    .where('seen_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxNotificationsListed)
    .execute();

/** Returns the ids of those that were unseen before. */
export const updateNotificationsSeen = async (tx: Tx, userId: string, ids: readonly string[], now: Date) =>
  (
    await tx
      .updateTable('referral_notifications')
      .set({ seen_at: now })
      .where('user_id', '=', userId)
      .where('id', '=', anyId(ids))
      .where('seen_at', 'is', null)
      .returning('id')
      .execute()
  ).map(({ id }) => id);

export const deleteSeenNotifications = (db: Reader, before: Date) =>
  db.deleteFrom('referral_notifications').where('seen_at', '<', before).execute();

export const deleteNotificationsOfUser = (tx: Tx, userId: string) =>
  tx.deleteFrom('referral_notifications').where('user_id', '=', userId).execute();

/** With the names of the API and without the other person. */
export const listOwnReferrals = (db: Reader, userId: string) =>
  db
    .selectFrom('referrals')
    .select([
      'id',
      'code',
      'status',
      'entered_at as enteredAt',
      'created_at as createdAt',
      'converted_at as convertedAt',
      'awaits_card as awaitsCard',
    ])
    .select(['held_because as heldBecause', 'held_until as heldUntil', 'refused_because as refusedBecause'])
    .select(sql<string>`case when referrer_id = ${userId} then 'referrer' else 'referred' end`.as('as'))
    .where((is) => is.or([is('referrer_id', '=', userId), is('referred_id', '=', userId)]))
    .orderBy('created_at')
    .execute();

export const listOwnRewards = (db: Reader, userId: string) =>
  db
    .selectFrom('reward_entries')
    .select(['id', 'referral_id as referralId', 'reward', 'change', 'quantity', 'cause', 'of_id as ofId', 'entry_id as entryId'])
    .select(['subscription_id as subscriptionId', 'created_at as createdAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

export const listOwnFindings = (db: Reader, userId: string) =>
  db
    .selectFrom('referral_findings')
    .select(['referral_id as referralId', 'rule', 'severity', 'created_at as createdAt'])
    .where((is) => is.or([is('referrer_id', '=', userId), is('referred_id', '=', userId)]))
    .orderBy('created_at')
    .execute();

export const listOwnNotifications = (db: Reader, userId: string) =>
  db
    .selectFrom('referral_notifications')
    .select(['type', 'tickets', 'created_at as createdAt', 'seen_at as seenAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
