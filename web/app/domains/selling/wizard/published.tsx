import { paths } from '@handwise/contract/paths';
import { useEffect } from 'react';
import { SuccessCard } from '../../../ui/feedback/success-card.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { WizardProgress } from './wizard-frame.tsx';

/** The last step: the listing is there. */
export function Published({ listing }: { listing: { id: string; title: string } | undefined }) {
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
