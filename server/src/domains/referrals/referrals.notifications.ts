import { dayMs } from '@handwise/contract/dates';
import type { ReferralNotification } from '@handwise/contract/referrals/notifications';
import type { Context } from '../../kit/context.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import * as queries from './referrals.notification-queries.ts';

/** What came of somebody's code and was not seen yet. */
export async function listNotifications({ db }: Context, userId: string): Promise<ReferralNotification[]> {
  const rows = await queries.listUnseen(db, userId);
  return rows.map(({ id, type, tickets, created_at }) => ({
    id,
    type: type === 'listing' ? 'listing' : 'signup',
    timestamp: created_at.toISOString(),
    tickets,
  }));
}

/** Keeps that notifications were seen, and tells the other tabs. How many were new to it. */
export const seeNotifications = ({ db, clock }: Context, userId: string, ids: readonly string[]): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const seen = await queries.setSeen(tx, userId, ids, clock.now());
    if (seen.length > 0) await appendEvents(tx, [{ userId, kind: 'referral-seen', data: { ids: seen } }]);
    return seen.length;
  });

const keptMs = 30 * dayMs;
export const deleteOldNotifications = ({ db, clock }: Context) => queries.deleteSeen(db, new Date(clock.now().getTime() - keptMs));
