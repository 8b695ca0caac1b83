import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { EditListing } from '../../domains/selling/edit/edit-listing.tsx';
import { ownListing } from '../../domains/selling/own/my-listings-queries.ts';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import type { Route } from './+types/edit-listing';
import { OwnListingHead, OwnListingPage, NotYours } from '../../domains/selling/own/own-listing-head.tsx';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Edit listing',
    description: 'Change what your listing says and shows.',
    path: paths.editListing(params.listingId),
    noIndex: true,
  });

export default function EditListingPage({ params }: Route.ComponentProps) {
  return (
    <OwnListingPage narrow>
      <Page key={params.listingId} id={params.listingId} />
    </OwnListingPage>
  );
}

function Page({ id }: { id: string }) {
  const { user } = useSession();
  // Asked once: an answer that came later would throw away what is being typed.
  const { data, error, isFetchedAfterMount, refetch } = useQuery({
    ...ownListing(id),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status);
  if (isMissing || (data && data.sellerId !== user?._id)) return <NotYours />;
  if (error && !data) {
    return <ErrorDisplay error={{ message: 'Failed to fetch listing details' }} onRetry={() => void refetch()} level={1} />;
  }
  if (!data || !isFetchedAfterMount) return <LoadingView />;
  return (
    <>
      <OwnListingHead title="Edit listing" listing={data} />
      <EditListing listing={data} />
    </>
  );
}
