import { paths } from '@handwise/contract/paths';
import { fromPrice, subscriptionDays } from '@handwise/contract/plans/table';
import { WizardEntrance, WizardWaiting } from '../../domains/selling/wizard/wizard-entrance.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { useRootData } from '../../lib/root-data.ts';
import { useSession } from '../../lib/session/session.ts';
import type { Route } from './+types/add-list';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'List your business',
    description: `Describe your service, choose a plan from ${fromPrice} / ${subscriptionDays} days, and be found by people near you. No commission.`,
    path: paths.addListing,
  });

export default function AddListPage() {
  const { user, initialized } = useSession();
  const { market } = useRootData();
  // What the browser keeps decides where the wizard begins.
  if (!initialized) return <WizardWaiting />;
  return <WizardEntrance user={user} market={market} />;
}
