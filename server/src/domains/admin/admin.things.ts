import type { ReportKind } from '@handwise/contract/admin/report-words';
import type { Reader } from '../../kit/database/database.ts';
import { findPerson } from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import * as messages from '../messages/messages.service.ts';
import * as reviews from '../reviews/reviews.service.ts';

/** What can be reported and decided about, with whose it is. */
export type Thing = {
  kind: ReportKind;
  id: string;
  concernedId: string;
  /** What it is called in mails and lists. */
  title: string;
  /** What stands there. */
  words: string;
  listingId: string | null;
  /** Whether those who may see such things at all can see it. */
  isShown: boolean;
};

/** Undefined where there is none. `isShown` is said of the viewer. */
export async function findThing(db: Reader, kind: ReportKind, id: string, viewerId?: string): Promise<Thing | undefined> {
  switch (kind) {
    case 'listing': {
      const listing = await listings.findForModerators(db, id);
      return (
        listing && {
          kind,
          id,
          concernedId: listing.seller_id,
          title: listing.service_title,
          words: `${listing.business_title}\n${listing.service_description}`,
          listingId: id,
          isShown: listings.isLive(listing),
        }
      );
    }
    case 'review': {
      const review = await reviews.findForModerators(db, id);
      const listing = review && (await listings.findForModerators(db, review.listing_id));
      return (
        listing && {
          kind,
          id,
          concernedId: review.author_id,
          title: `Review of “${listing.service_title}”`,
          words: `${review.rating} of 5 stars\n${review.comment}`,
          listingId: listing.id,
          isShown: review.removed_because === null,
        }
      );
    }
    case 'user': {
      const person = await findPerson(db, id);
      return person && { kind, id, concernedId: id, title: `@${person.username}`, words: person.about, listingId: null, isShown: true };
    }
    case 'message': {
      const message = await messages.findForModerators(db, id);
      return (
        message && {
          kind,
          id,
          concernedId: message.sender_id,
          title: `Message about “${message.service_title}”`,
          words: message.body,
          listingId: message.listing_id,
          // Nobody but the two has read it.
          isShown: viewerId === message.buyer_id || viewerId === message.seller_id,
        }
      );
    }
  }
}
