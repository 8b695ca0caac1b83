import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import * as queries from './referrals.queries.ts';
import { listOwnFindings, listOwnNotifications, listOwnReferrals, listOwnRewards, deleteNotificationsOf } from './referrals.own-queries.ts';
import { moveTo } from './referrals.states.ts';

/**
 * What is forgotten of somebody who leaves: what waited for their first listing ends, and their notifications go. That an account came by another
 * one stays, without a person; so do the keyed hashes of where it came from, for 90 days, or leaving would make room for the next account.
 */
export async function leaveReferrals(tx: Tx, userId: string): Promise<void> {
  for (const referral of await queries.listOpenOf(tx, userId))
    await moveTo(tx, referral, 'refused', { refused_because: 'They have left.' });
  await deleteNotificationsOf(tx, userId);
}

/** What is kept of somebody's referrals and rewards. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: {
    referrals: () => listOwnReferrals(db, userId),
    rewards: () => listOwnRewards(db, userId),
    'referral-findings': () => listOwnFindings(db, userId),
    'referral-notifications': () => listOwnNotifications(db, userId),
  },
  pictures: [],
});
