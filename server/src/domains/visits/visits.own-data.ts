import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import type { MessageContext } from '../messages/messages.service.ts';
import * as emails from './visits.emails.ts';
import { emailSide, publishVisit } from './visits.notify.ts';
import * as queries from './visits.queries.ts';
import { changeVisitStatus, hasBegun } from './visits.states.ts';
import { getAgreedTime, getRole, toVisit, toVisitTime } from './visits.views.ts';

/** The visits of a user's conversations, and whether a calendar reads them; the address is a secret like a password. */
export const getOwnVisitData = (db: Reader, userId: string, now: Date): OwnData => ({
  lists: {
    // With the proposed times that have passed, which the page leaves out.
    visits: async () =>
      (await queries.listVisitsOfUser(db, userId)).map((row) => ({ ...toVisit(row, userId, now), times: row.times.map(toVisitTime) })),
    'visit-calendar-addresses': () => queries.listFeeds(db, userId),
  },
});

/** Part of account deletion. What is ahead is cancelled, and the other side is told of an agreed visit; the reasons that were given go. */
export async function endVisitsOfUser(tx: Tx, context: MessageContext, userId: string): Promise<void> {
  const now = context.clock.now();
  await queries.deleteFeed(tx, userId);
  for (const id of await queries.lockChangeableVisits(tx, userId)) {
    const row = await queries.getVisit(tx, id);
    if (hasBegun(row, now)) continue;
    const role = getRole(row, userId);
    await changeVisitStatus(tx, row, { status: 'cancelled', cancelled_by: role, cancel_reason: '' }, now);
    await queries.replaceTimes(tx, id, []);
    const changed = await queries.getVisit(tx, id);
    const other = role === 'buyer' ? 'seller' : 'buyer';
    await publishVisit(tx, changed, [other]);
    if (getAgreedTime(changed)) await emailSide(context, tx, changed, other, emails.cancelledEmail);
  }
  await queries.deleteReasons(tx, userId);
}
