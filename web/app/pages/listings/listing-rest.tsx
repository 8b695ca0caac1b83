import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useCallback, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { EvidenceSection } from '../../domains/evidence/evidence-section.tsx';
import { BusinessDetails } from '../../domains/listings/business-details.tsx';
import { CardGrid } from '../../domains/listings/card-grid.tsx';
import type { CardView } from '../../domains/listings/card-view.ts';
import type { ListingView } from '../../domains/listings/listing-view.ts';
import { Answer } from '../../domains/reviews/answer.tsx';
import { ReviewDialog } from '../../domains/reviews/review-dialog.tsx';
import { ReviewList } from '../../domains/reviews/review-list.tsx';
import type { ReviewsView } from '../../domains/reviews/review-view.ts';
import { Reviews } from '../../domains/reviews/reviews.tsx';
import { heartOf } from '../../domains/saved/save-heart.tsx';
import { QuotesHint } from '../../domains/search/quotes/quotes-hint.tsx';
import { loginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import styles from './listing-rest.module.css';

/** What stands below the description: what helps to decide, and what others say. */
export const ListingFacts = ({ listing, reviews }: { listing: ListingView; reviews: ReviewsView }) => (
  <>
    <EvidenceSection evidence={listing.evidence} />
    <BusinessDetails listing={listing} />
    <ListingReviews listing={listing} reviews={reviews} />
  </>
);

function ListingReviews({ listing, reviews }: { listing: ListingView; reviews: ReviewsView }) {
  const { user } = useSession();
  const [isWriting, setWriting] = useState(false);
  const { revalidate } = useRevalidator();
  const close = useCallback(() => setWriting(false), []);
  const readAnew = useCallback(() => void revalidate(), [revalidate]);
  const isOwn = user?._id === listing.sellerId;
  const path = paths.listing(listing.id);
  return (
    <>
      <Reviews
        reviews={reviews}
        action={
          user
            ? !isOwn && (
                <Button kind="secondary" onClick={() => setWriting(true)}>
                  Write a review
                </Button>
              )
            : reviews.total > 0 && (
                <ButtonLink to={loginPath(path)} kind="secondary">
                  Sign in to write a review
                </ButtonLink>
              )
        }
        list={
          <ReviewList
            // Read anew after one was published: the list begins with what came then.
            key={`${reviews.total} ${reviews.newest.map((one) => `${one.id}${one.edited}${one.answer !== null}`).join(' ')}`}
            listingId={listing.id}
            business={listing.business.name}
            reviews={reviews}
            actionOf={
              user
                ? (review) => (
                    <>
                      {isOwn && !review.answer && <Answer reviewId={review.id} name={review.name} onPublished={readAnew} />}
                      <ReportButton kind="review" id={review.id} about={`of ${review.name}`} />
                    </>
                  )
                : undefined
            }
          />
        }
        empty={
          user ? (
            'There are no reviews of this business yet.'
          ) : (
            <Link to={loginPath(path)}>Sign in to be the first to review this business.</Link>
          )
        }
      />
      {user && <ReviewDialog listingId={listing.id} open={isWriting} onClose={close} onPublished={readAnew} />}
    </>
  );
}

/** Others of its kind in its region. */
export const RelatedListings = ({ related }: { related: readonly CardView[] }) => (
  <CardGrid cards={related} level={3} priority={false} actionOf={heartOf} />
);

/** What ends the page: the way to several businesses at once, and to the moderators. */
export function ListingEnd({ listing }: { listing: ListingView }) {
  const { user } = useSession();
  if (user?._id === listing.sellerId) return null;
  return (
    <>
      {listing.status === 'active' && (
        <QuotesHint listing={listing.id}>
          Not decided yet? Describe the job once, for this business and {inWords(maxQuoteReceivers - 1)} others.
        </QuotesHint>
      )}
      <p className={styles.report}>
        <ReportButton kind="listing" id={listing.id} />
      </p>
    </>
  );
}
