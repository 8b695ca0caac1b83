import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

export const deleteNotificationsOf = (tx: Tx, userId: string) =>
  tx.deleteFrom('referral_notifications').where('user_id', '=', userId).execute();

/** By the names that the API has for them. Of the other person nothing is said. */
export const listOwnReferrals = (db: Reader, userId: string) =>
  db
    .selectFrom('referrals')
    .select(['id', 'code', 'status', 'entered_at as enteredAt', 'created_at as createdAt', 'converted_at as convertedAt'])
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

/** What the rules against abuse found. */
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
