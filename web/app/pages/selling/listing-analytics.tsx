import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { AnalyticsOfListing } from '../../domains/analytics/listing-analytics.tsx';
import { OwnReviews } from '../../domains/reviews/own-reviews.tsx';
import { ownListingQuery } from '../../domains/selling/own/my-listings-queries.ts';
import { NotYours, OwnListingHead, OwnListingPage } from '../../domains/selling/own/own-listing-head.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useSession } from '../../lib/session/session.ts';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import type { Route } from './+types/listing-analytics';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'How your listing is going',
    description: 'Views, visitors, saves and messages of your listing, day by day.',
    path: paths.listingAnalytics(params.listingId),
    noIndex: true,
  });

export default function ListingAnalyticsPage({ params: { listingId } }: Route.ComponentProps) {
  const { user } = useSession();
  const { data, error, refetch } = useQuery(ownListingQuery(listingId));
  const isMissing = error instanceof ApiError && [400, 404].includes(error.status);
  return (
    <OwnListingPage>
      {isMissing || (data && data.sellerId !== user?._id) ? (
        <NotYours />
      ) : data ? (
        <>
          <OwnListingHead title="How your listing is going" listing={data} />
          <AnalyticsOfListing key={listingId} listing={data} />
          <OwnReviews listingId={listingId} />
        </>
      ) : error ? (
        <ErrorDisplay error={error} onRetry={() => void refetch()} level={1} />
      ) : (
        <LoadingView />
      )}
    </OwnListingPage>
  );
}
