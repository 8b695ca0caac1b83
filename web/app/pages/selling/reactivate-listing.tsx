import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { PlanChange } from '../../domains/selling/change/plan-change.tsx';
import type { Route } from './+types/reactivate-listing';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Reactivate listing',
    description: 'Bring a listing back into the search.',
    path: paths.reactivateListing(params.listingId),
    noIndex: true,
  });

export default function ReactivateListingPage({ params }: Route.ComponentProps) {
  return <PlanChange kind="reactivate" listingId={params.listingId} />;
}
