import { paths } from '@handwise/contract/paths';
import { type ReactNode, Suspense, lazy, useEffect } from 'react';
import { SuccessCard } from '../../../ui/feedback/success-card.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { WizardProgress } from './wizard-frame.tsx';
import styles from './published.module.css';

const PushOfferToBusiness = lazy(async () => ({ default: (await import('../../push/push-offer.tsx')).PushOfferToBusiness }));

/** Step 4.5. `share` of the files that is sent, from 0 to 1. */
export function Creating({ share, files }: { share: number; files: number }) {
  const percent = Math.round(share * 100);
  const isSending = files > 0 && percent < 100;
  return (
    <div className={styles.creating}>
      <span className={styles.spinner} aria-hidden="true" />
      <p role="status">
        {isSending
          ? 'Uploading your photos. Please keep this page open.'
          : files > 0
            ? 'Your photos have arrived. We’re making them ready for phones and large screens, which can take a minute. Please keep this page open.'
            : 'Almost there: we are putting your listing into the search.'}
      </p>
      {isSending && (
        <div className={styles.progress}>
          <div className={styles.bar} role="progressbar" aria-label="Upload" aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
            <span style={{ width: `${percent}%` }} />
          </div>
          <span className={styles.percent} aria-hidden="true">
            {percent}%
          </span>
        </div>
      )}
    </div>
  );
}

/** The last step: the listing is published. */
export function Published({ listing, children }: { listing: { id: string; title: string } | undefined; children?: ReactNode }) {
  useEffect(() => document.getElementById('content')?.focus({ preventScroll: true }), []);
  return (
    <>
      <WizardProgress step="done" />
      <SuccessCard title="Your listing is live" intro={listing ? `People can find “${listing.title}” in the search now.` : ''}>
        {listing && (
          <ButtonLink to={paths.listing(listing.id)} wide>
            See your listing
          </ButtonLink>
        )}
        {children}
        <Suspense fallback={null}>
          <PushOfferToBusiness />
        </Suspense>
        <ButtonLink to={paths.ownListings} kind="secondary" wide>
          My Listings
        </ButtonLink>
        <ButtonLink to={paths.referral} kind="secondary" wide>
          Referral Dashboard
        </ButtonLink>
        <ButtonLink to={paths.browse} kind="secondary" wide>
          Go to Homepage
        </ButtonLink>
      </SuccessCard>
    </>
  );
}
