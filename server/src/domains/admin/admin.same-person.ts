import type { Tx } from '../../kit/database/database.ts';
import { haveSharedDevice } from '../accounts/accounts.service.ts';
import { haveSharedCard } from '../payments/payments.service.ts';
import type { OnReviewed } from '../reviews/reviews.service.ts';
import * as queries from './admin.queries.ts';
import { findThing } from './admin.things.ts';
import { reportOf } from './admin.reports.ts';

const sharedBy = async (tx: Tx, one: string, other: string): Promise<string[]> => [
  ...((await haveSharedDevice(tx, one, other)) ? ['browser'] : []),
  ...((await haveSharedCard(tx, one, other)) ? ['card'] : []),
];

/** Brings a review to the moderators whose author and seller seem to be one person. It stays published until they decide. */
export const flagSamePerson: OnReviewed = async (tx, { id, authorId, sellerId }) => {
  const shared = await sharedBy(tx, authorId, sellerId);
  const thing = shared.length > 0 ? await findThing(tx, 'review', id, authorId) : undefined;
  if (!thing) return;
  const text = `The author of this review and the seller have used the same ${shared.join(' and the same ')}.`;
  await queries.insertReport(tx, reportOf(thing, { reporterId: null, reason: 'not_genuine', text }));
};
