import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { PlanChange } from '../../domains/selling/change/plan-change.tsx';
import type { Route } from './+types/update-plan';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Change plan',
    description: 'Change the plan of a listing.',
    path: paths.updatePlan(params.listingId),
    noIndex: true,
  });

export default function UpdatePlanPage({ params }: Route.ComponentProps) {
  return <PlanChange kind="update" listingId={params.listingId} />;
}
