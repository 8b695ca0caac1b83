import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { PlanChangePage } from './plan-change.tsx';
import type { Route } from './+types/update-plan';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Change plan',
    description: 'Change the plan of a listing.',
    path: paths.updatePlan(params.listingId),
    noIndex: true,
  });

export default function UpdatePlanPage({ params }: Route.ComponentProps) {
  return <PlanChangePage kind="update" listingId={params.listingId} />;
}
