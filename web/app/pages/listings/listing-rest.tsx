import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import { ReportButton } from '../../domains/admin/report-button.tsx';
import { ShowNumber } from '../../domains/analytics/show-number.tsx';
import { FactsSection } from '../../domains/facts/facts-section.tsx';
import { CardGrid } from '../../domains/listings/listing-card.tsx';
import type { CardView } from '../../domains/listings/card-view.ts';
import type { ListingView } from '../../domains/listings/listing-view.ts';
import { Answer } from '../../domains/reviews/answer.tsx';
import { ReviewDialog, useOwnReview } from '../../domains/reviews/review-dialog.tsx';
import { ReviewList } from '../../domains/reviews/review-list.tsx';
import type { ReviewsView } from '../../domains/reviews/review-view.ts';
import { Reviews } from '../../domains/reviews/reviews.tsx';
import { createHeart } from '../../domains/saved/save-heart.tsx';
import { QuoteRequestHint } from '../../domains/search/quote-requests/quote-request-hint.tsx';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { useSession } from '../../lib/session/session.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../ui/forms/button.tsx';
import styles from './listing-rest.module.css';
import { IconHash, IconMapPin, IconPhone, IconShare2, IconWorld } from '@tabler/icons-react';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { RatingLine } from '../../ui/pictures/stars.tsx';
import detailStyles from '../../domains/listings/listing-detail.module.css';

/** The part below the description: facts and reviews. */
export const ListingFacts = ({ listing, reviews }: { listing: ListingView; reviews: ReviewsView }) => (
  <>
    <FactsSection facts={listing.facts} />
    <BusinessDetails listing={listing} />
    <ListingReviews listing={listing} reviews={reviews} />
  </>
);

function ListingReviews({ listing, reviews }: { listing: ListingView; reviews: ReviewsView }) {
  const { user } = useSession();
  const [isWriting, setWriting] = useState(false);
  const { revalidate } = useRevalidator();
  const close = useCallback(() => setWriting(false), []);
  const refetch = useCallback(() => void revalidate(), [revalidate]);
  const isOwn = user?._id === listing.sellerId;
  const { own, reload } = useOwnReview(listing.id, isOwn ? undefined : user?._id);
  const path = paths.listing(listing.id);
  return (
    <>
      <Reviews
        reviews={reviews}
        action={
          user
            ? !isOwn && (
                <Button kind="secondary" onClick={() => setWriting(true)}>
                  {own ? 'Change your review' : 'Write a review'}
                </Button>
              )
            : reviews.total > 0 && (
                <ButtonLink to={getLoginPath(path)} kind="secondary">
                  Sign in to write a review
                </ButtonLink>
              )
        }
        list={
          <ReviewList
            // Remounted after a review is published, so that the list starts with the new ones.
            key={`${reviews.total} ${reviews.newest.map((one) => `${one.id}${one.edited}${one.answer !== null}`).join(' ')}`}
            listingId={listing.id}
            business={listing.business.name}
            reviews={reviews}
            actionOf={
              user
                ? (review) => (
                    <>
                      {isOwn && !review.answer && <Answer reviewId={review.id} name={review.name} onPublished={refetch} />}
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
            <Link to={getLoginPath(path)}>Sign in to be the first to review this business.</Link>
          )
        }
      />
      {user && (
        <ReviewDialog
          key={user._id}
          listingId={listing.id}
          own={own}
          open={isWriting}
          onClose={close}
          onChanged={() => {
            refetch();
            reload();
          }}
        />
      )}
    </>
  );
}

/** Sharing, apart from the ways to contact the business: the device's share sheet, if there is one; else a copy of the address, and WhatsApp, which works without script. */
export function Share({ title, url }: { title: string; url: string }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const getUrl = () => location.origin + location.pathname;
  const close = () => menu.current?.removeAttribute('open');
  useEffect(() => {
    const closeOutside = ({ target }: Event) => menu.current?.contains(target as Node) || menu.current?.removeAttribute('open');
    addEventListener('click', closeOutside);
    return () => removeEventListener('click', closeOutside);
  }, []);
  function shareBySheet(event: MouseEvent) {
    if (typeof navigator.share !== 'function') return;
    event.preventDefault();
    // Closing the sheet without sharing is no failure.
    void navigator.share({ title, url: getUrl() }).catch(() => undefined);
  }
  async function copy() {
    close();
    try {
      await navigator.clipboard.writeText(getUrl());
      toast('Link copied to clipboard');
    } catch {
      toast(`Copy this link: ${getUrl()}`, 'info');
    }
  }
  return (
    <details ref={menu} className={detailStyles.share}>
      <summary className={detailStyles.shareButton} onClick={shareBySheet}>
        <IconShare2 size={20} stroke={1.75} aria-hidden="true" />
        Share
      </summary>
      <div className={`card ${detailStyles.shareMenu}`}>
        <button type="button" onClick={() => void copy()}>
          Copy link
        </button>
        <a href={`https://wa.me/?text=${encodeURIComponent(`${title} ${url}`)}`} target="_blank" rel="noopener" onClick={close}>
          Share on WhatsApp<span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </div>
    </details>
  );
}

/** Similar listings in the same region. */
export const RelatedListings = ({ related }: { related: readonly CardView[] }) => (
  <CardGrid cards={related} level={3} priority={false} actionOf={createHeart} />
);

/** The end of the page: links to message several businesses and to report the listing. */
export function ListingEnd({ listing }: { listing: ListingView }) {
  const { user } = useSession();
  if (user?._id === listing.sellerId) return null;
  return (
    <>
      {listing.status === 'active' && (
        <QuoteRequestHint listing={listing.id}>
          Not decided yet? Describe the job once, for this business and {inWords(maxQuoteRequestReceivers - 1)} others.
        </QuoteRequestHint>
      )}
      <p className={styles.report}>
        <ReportButton kind="listing" id={listing.id} />
      </p>
    </>
  );
}

const icon = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

/** The business, its place and its text. */
const BusinessDetails = ({ listing }: { listing: ListingView }) => (
  <section className={`card ${detailStyles.details}`} aria-labelledby="business-heading">
    <h2 id="business-heading">Business Details</h2>
    <div className={detailStyles.business}>
      <Avatar name={listing.business.name} src={listing.business.logo} color={listing.business.color} size={72} />
      <div className={detailStyles.businessText}>
        <h3 className={detailStyles.businessName}>{listing.business.name}</h3>
        <RatingLine average={listing.averageRating} reviews={listing.reviewCount} />
      </div>
    </div>
    <ul className={detailStyles.facts}>
      <li>
        <IconHash {...icon} />
        Listing #{listing.number}
      </li>
      <li>
        <IconMapPin {...icon} />
        {listing.location}
      </li>
      {listing.hasPhone && listing.status === 'active' && (
        <li>
          <IconPhone {...icon} />
          <ShowNumber listingId={listing.id} business={listing.business.name} />
        </li>
      )}
      {listing.business.website && (
        <li>
          <IconWorld {...icon} />
          <a href={listing.business.website.href} rel="nofollow noopener" target="_blank">
            {listing.business.website.label}
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        </li>
      )}
    </ul>
    {listing.services.length > 0 && (
      <div>
        <h3 className={detailStyles.small}>Services offered</h3>
        <ul className={detailStyles.services}>
          {listing.services.map((service, at) => (
            <li key={at}>{service}</li>
          ))}
        </ul>
      </div>
    )}
    {listing.business.about.length > 0 && (
      <div>
        <h3 className={detailStyles.small}>About</h3>
        <div className={detailStyles.text}>
          {listing.business.about.map((line, at) => (
            <p key={at}>{line}</p>
          ))}
        </div>
      </div>
    )}
  </section>
);
