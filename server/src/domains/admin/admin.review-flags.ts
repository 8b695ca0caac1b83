import { counted } from '@handwise/contract/numbers';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { haveSharedDevice } from '../accounts/accounts.service.ts';
import { hasSharedCard } from '../payments/payments.service.ts';
import { type OnReviewed, countReviewsOfSeller } from '../reviews/reviews.service.ts';
import * as queries from './admin.queries.ts';
import { findThing } from './admin.things.ts';
import { reportOf } from './admin.reports.ts';

const sharedBy = async (tx: Tx, one: string, other: string): Promise<string[]> => [
  ...((await haveSharedDevice(tx, one, other)) ? ['browser'] : []),
  ...((await hasSharedCard(tx, one, other)) ? ['card'] : []),
];

/** Brings a review to the moderators whose author and seller seem to be one person. It stays published until they decide. */
export const flagSamePerson: OnReviewed = async (tx, { id, authorId, sellerId }) => {
  const shared = await sharedBy(tx, authorId, sellerId);
  const thing = shared.length > 0 ? await findThing(tx, 'review', id, authorId) : undefined;
  if (!thing) return;
  const text = `The author of this review and the seller have used the same ${shared.join(' and the same ')}.`;
  await queries.insertReport(tx, reportOf(thing, { reporterId: null, reason: 'not_genuine', text }));
};

/** More reviews of one seller than this within an hour are a burst. */
const burst = 5;
const hourMs = 3_600_000;

/** Brings a seller to the moderators whose listings get a burst of reviews. It is one report, which counts up while it is open. */
export const flagReviewBurst =
  ({ clock }: Pick<Context, 'clock'>): OnReviewed =>
  async (tx, { sellerId }) => {
    const since = new Date(clock.now().getTime() - hourMs);
    const { reviews, authors } = await countReviewsOfSeller(tx, sellerId, since);
    if (reviews <= burst) return;
    const text = `Within an hour, ${counted(reviews, 'review')} of this seller’s listings came from ${counted(authors, 'account')}.`;
    const known = await queries.findOwnReport(tx, 'user', sellerId, [sellerId]);
    if (known?.decision_id === null) return void (await queries.setReportComment(tx, known.id, text));
    // What was decided is not asked again for the same burst.
    if (known && known.created_at > since) return;
    const thing = await findThing(tx, 'user', sellerId);
    if (thing) await queries.insertReport(tx, reportOf(thing, { reporterId: null, reason: 'not_genuine', text }));
  };
