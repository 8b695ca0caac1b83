import { publicName } from '@handwise/contract/accounts/public-name';
import type { Review, ReviewStub } from '@handwise/contract/reviews/shown';
import type { RemovalReason } from '@handwise/contract/reviews/words';
import { toPicture } from '../listings/listings.service.ts';
import type { ReviewRow } from './reviews.queries.ts';

const time = (value: Date | string) => new Date(value).toISOString();

export const toReview = (row: ReviewRow): Review => ({
  _id: row.id,
  rating: row.rating,
  comment: row.comment,
  pictures: row.pictures.map(toPicture),
  createdAt: time(row.created_at),
  editedAt: row.edited_at && time(row.edited_at),
  username: row.username,
  buyerName: publicName(row.full_name),
  buyerAvatar: row.avatar,
  evidence: row.contact && {
    messagedAt: time(row.contact.messagedAt),
    answeredAt: row.contact.answeredAt && time(row.contact.answeredAt),
    quoteAcceptedAt: row.quote_accepted_at && time(row.quote_accepted_at),
  },
  answer: row.answer === null || row.answered_at === null ? null : { comment: row.answer, createdAt: time(row.answered_at) },
});

export const toReviewStub = (row: { id: string; removed_at: Date | string | null; removed_because: string | null }): ReviewStub => ({
  _id: row.id,
  removedAt: time(row.removed_at ?? new Date(0)),
  because: row.removed_because as RemovalReason,
});

type Counted = { month: string; because: RemovalReason | null; reviews: number };
type Month = { month: string; received: number; published: number; removed: Partial<Record<RemovalReason, number>> };

/** Groups counts by month, in the order of the rows. */
export function toReviewLedger(counted: readonly Counted[]): Month[] {
  const months = new Map<string, Month>();
  for (const { month, because, reviews } of counted) {
    const entry = months.get(month) ?? { month, received: 0, published: 0, removed: {} };
    months.set(month, entry);
    entry.received += reviews;
    if (because === null) entry.published += reviews;
    else entry.removed[because] = reviews;
  }
  return [...months.values()];
}
