import { counted } from '@handwise/contract/numbers';
import { formatBusinessNumber, businessRegisters } from '@handwise/contract/registers/business-number';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { haveSharedDevice } from '../accounts/accounts.service.ts';
import { listSummaries } from '../listings/listings.service.ts';
import type { MessageHooks } from '../messages/messages.service.ts';
import { hasSharedCard } from '../payments/payments.service.ts';
import type { SharedNumber } from '../registers/registers.service.ts';
import { type ReviewHooks, countReviewsOfSeller } from '../reviews/reviews.service.ts';
import * as queries from './admin.queries.ts';
import { findSubject } from './admin.reports.ts';
import { reportColumns } from './admin.reports.ts';

const sharedBy = async (tx: Tx, one: string, other: string): Promise<string[]> => [
  ...((await haveSharedDevice(tx, one, other)) ? ['browser'] : []),
  ...((await hasSharedCard(tx, one, other)) ? ['card'] : []),
];

/** Reports a review whose author and seller share a browser or card. It stays published until moderators decide. */
export const flagSamePerson: ReviewHooks['onReviewed'] = async (tx, { id, authorId, sellerId }) => {
  const shared = await sharedBy(tx, authorId, sellerId);
  const subject = shared.length > 0 ? await findSubject(tx, 'review', id, authorId) : undefined;
  if (!subject) return;
  const text = `The author of this review and the seller have used the same ${shared.join(' and the same ')}.`;
  await queries.insertReport(tx, reportColumns(subject, { reporterId: null, reason: 'not_genuine', text }));
};

/** More reviews of one seller per hour than this are a burst. */
const burst = 5;
const hourMs = 3_600_000;

/** Reports a seller whose listings get a burst of reviews. One report counts up while it is open. */
export const flagReviewBurst =
  ({ clock }: Pick<Context, 'clock'>): ReviewHooks['onReviewed'] =>
  async (tx, { sellerId }) => {
    const since = new Date(clock.now().getTime() - hourMs);
    const { reviews, authors } = await countReviewsOfSeller(tx, sellerId, since);
    if (reviews <= burst) return;
    const text = `Within an hour, ${counted(reviews, 'review')} of this seller’s listings came from ${counted(authors, 'account')}.`;
    const known = await queries.findSystemReport(tx, 'user', sellerId, [sellerId]);
    if (known?.decision_id === null) return void (await queries.setReportComment(tx, known.id, text));
    // A decided burst is not reported again.
    if (known && known.created_at > since) return;
    const subject = await findSubject(tx, 'user', sellerId);
    if (subject) await queries.insertReport(tx, reportColumns(subject, { reporterId: null, reason: 'not_genuine', text }));
  };

/**
 * Reports a sender who writes the same message to many sellers. One report per day counts up while it is open; once decided, further
 * messages of that day do not open another.
 */
export const flagSameText: MessageHooks['onSameText'] = async (tx, { senderId, messageIds }) => {
  const text = `The same words have gone to the sellers of ${messageIds.length} listings within a day.`;
  const known = await queries.findSystemReport(tx, 'message', senderId, messageIds);
  if (known?.decision_id === null) await queries.setReportComment(tx, known.id, text);
  if (known) return;
  const subject = await findSubject(tx, 'message', messageIds.at(-1) ?? '', senderId);
  if (subject) await queries.insertReport(tx, reportColumns(subject, { reporterId: null, reason: 'spam', text }));
};

/** Reports a listing whose business number another account uses too. One account may use its number for all its listings. */
export async function flagSharedNumber(tx: Tx, shared: SharedNumber): Promise<void> {
  const { listingId, sellerId, register, number, otherListingIds } = shared;
  const first = (await listSummaries(tx, { ids: otherListingIds })).find((other) => other.sellerId !== sellerId);
  const subject = first && (await findSubject(tx, 'listing', listingId));
  if (!subject) return;
  const named = `${businessRegisters[register].number} ${formatBusinessNumber(number, register)}`;
  const text = `Another account gives the ${named} as well, for “${first.title}”.`;
  await queries.insertReport(tx, reportColumns(subject, { reporterId: null, reason: 'misleading', text }));
}
