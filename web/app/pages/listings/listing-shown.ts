import type { Listing } from '@handwise/contract/listings/calls';
import { listingView } from '../../domains/listings/listing-view.ts';
import { toReviewsView } from '../../domains/reviews/review-view.ts';

/** The data of a listing that its page shows. */
export const getShownListing = (listing: Listing) => ({ listing: listingView(listing), reviews: toReviewsView(listing, new Date()) });
