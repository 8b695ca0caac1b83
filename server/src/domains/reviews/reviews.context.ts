import type { Signer } from '@handwise/proof/checkpoint';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';

export type ReviewContext = Context & {
  /** Signs the heads of the ticket log. */
  logKey: Signer;
};

/** What reviews need from the domains above them. */
export type ReviewHooks = {
  /** Called in the transaction of a new review. */
  onReviewed: (tx: Tx, review: { id: string; authorId: string; sellerId: string }) => Promise<void>;
  /** Whether a person has reported a listing, or anything of its seller. */
  hasReported: (db: Reader, reporterId: string, about: { listingId: string; sellerId: string }) => Promise<boolean>;
  /** Whether an objection to the removal of a review waits for its answer. */
  hasOpenAppeal: (db: Reader, reviewId: string) => Promise<boolean>;
};
