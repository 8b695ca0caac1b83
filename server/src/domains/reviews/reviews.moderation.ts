import type { RemovalReason } from '@handwise/contract/reviews/words';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { lockReview, setRemoved } from './reviews.queries.ts';

/** A review as moderators look at it, whatever became of it. */
export const findForModerators = (db: Reader, id: string) =>
  db
    .selectFrom('reviews')
    .select(['id', 'author_id', 'listing_id', 'comment', 'rating', 'removed_because'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Takes a published review from the public. False where it is there no more. */
export async function remove(tx: Tx, id: string, because: Exclude<RemovalReason, 'withdrawn'>): Promise<boolean> {
  const review = await lockReview(tx, id);
  if (!review || review.removed_because !== null) return false;
  await setRemoved(tx, id, because);
  return true;
}

/** Publishes again what moderators removed. What its author took back stays so. */
export async function restore(tx: Tx, id: string): Promise<void> {
  const review = await lockReview(tx, id);
  if (review && review.removed_because !== null && review.removed_because !== 'withdrawn') await setRemoved(tx, id, null);
}
