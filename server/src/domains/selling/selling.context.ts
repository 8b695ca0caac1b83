import type { Listing } from '@handwise/contract/listings';
import type { Db } from '../../kit/database.ts';
import type { Events } from '../../kit/events.ts';
import type { FileStore } from '../../kit/files-store.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { getListing } from '../listings/listings.service.ts';
import type { Checkout } from '../payments/payments.service.ts';
import { newestReviews } from '../reviews/reviews.service.ts';

/** What publishing and changing listings needs. */
export type Selling = {
  checkout: Checkout;
  store: FileStore;
  events: Events;
  /** Submissions that this server works on now: the same one sent twice waits for one answer. */
  underWay: Map<string, Promise<string>>;
};

// Own changes are told at once, so that whoever published finds the listing in the next search. Others hear of it by the database.
export const tell = (events: Events, ids: readonly string[]) => events.emit('listings', ids);

/** A listing in full, for the seller who has just changed it. */
export const showOwn = (db: Db, id: string, viewer: Viewer): Promise<Listing> => getListing(db, id, viewer, newestReviews);
