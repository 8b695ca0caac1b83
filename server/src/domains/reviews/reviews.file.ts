import { paths } from '@handwise/contract/paths';
import { reviewsContent } from '@handwise/contract/reviews/calls';
import { getAverage, signReviews } from '@handwise/proof/reviews';
import { AppError } from '../../kit/errors.ts';
import { isHidden } from '../listings/listings.service.ts';
import type { ReviewContext } from './reviews.context.ts';
import * as queries from './reviews.queries.ts';
import { toReview, toReviewStub } from './reviews.views.ts';

/**
 * All reviews of a listing, signed: they are the business's own, so also those of a listing that is paused or has ended. Throws `listing_not_found`, or
 * `listing_gone` if moderators have hidden it.
 */
export async function getReviewsFile({ db, clock, appUrl, logKey }: ReviewContext, listingId: string) {
  const listing = await queries.findRatedListing(db, listingId);
  if (!listing) throw new AppError('listing_not_found');
  if (isHidden(listing)) throw new AppError('listing_gone');
  const [published, removed] = await Promise.all([queries.listAllPublished(db, listingId), queries.listAllRemoved(db, listingId)]);
  const reviews = published.map(toReview);
  // In the order of the schema, in which it is sent.
  const content = reviewsContent.parse({
    listing: {
      _id: listingId,
      business: listing.business_title,
      title: listing.service_title,
      address: `${appUrl}${paths.listing(listingId)}`,
    },
    at: clock.now().toISOString(),
    rating: { average: getAverage(reviews.map(({ rating }) => rating)), reviews: reviews.length },
    reviews,
    removed: removed.map(toReviewStub),
  });
  return signReviews(new URL(appUrl).host, content, logKey);
}
