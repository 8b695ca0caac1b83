import type { Listing } from '@handwise/contract/listings/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { ApiError } from '../../../lib/api-error.ts';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { useSession } from '../../../lib/session/session.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { toast } from '../../../ui/feedback/toast.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { usePlans } from '../../plans/plan-queries.ts';
import { ownListing } from '../own/my-listings-queries.ts';
import { NotYours } from '../own/not-yours.tsx';
import { OwnListingPage } from '../own/own-listing-head.tsx';
import { PlanChangeSteps } from './plan-change-steps.tsx';
import type { Kind } from './use-plan-change.ts';

/** A page that charges for a plan of one's own listing. */
export const PlanChange = ({ kind, listingId }: { kind: Kind; listingId: string }) => (
  <OwnListingPage>
    <Page key={listingId} kind={kind} listingId={listingId} />
  </OwnListingPage>
);

function Page({ kind, listingId }: { kind: Kind; listingId: string }) {
  const { user } = useSession();
  const listing = useQuery(ownListing(listingId));
  const plans = usePlans();
  // The listing as it was found first: what this page itself changes must not turn it into another page while it leaves.
  const [found, setFound] = useState<Listing>();
  if (!found && listing.data && !listing.isFetching) setFound(listing.data);

  const missing = listing.error instanceof ApiError && [400, 404].includes(listing.error.status);
  if (missing || (found && found.sellerId !== user?._id)) return <NotYours />;
  if (listing.isError || plans.isError) {
    const retry = () => void Promise.all([listing.refetch(), plans.refetch()]);
    return <ErrorDisplay error={{ message: 'Failed to load data' }} onRetry={retry} level={1} />;
  }
  if (!found || !plans.data) return <LoadingView />;
  if (kind === 'reactivate' && found.status === 'active') return <AlreadyActive id={found._id} />;
  if (kind === 'update' && found.status !== 'active') {
    return (
      <EmptyState
        title="This listing is not active"
        level={1}
        action={<ButtonLink to={paths.reactivateListing(found._id)}>Reactivate listing</ButtonLink>}
      >
        A plan can be changed while its listing is active. Reactivate the listing first.
      </EmptyState>
    );
  }
  return <PlanChangeSteps kind={kind} listing={found} plans={plans.data} />;
}

function AlreadyActive({ id }: { id: string }) {
  useEffect(() => toast('This listing is already active', 'info'), []);
  return <Navigate to={paths.listing(id)} replace />;
}
