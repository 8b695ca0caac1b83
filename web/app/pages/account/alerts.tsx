import { paths } from '@handwise/contract/paths';
import { UnconfirmedBar } from '../../domains/accounts/unconfirmed-bar.tsx';
import { AlertList } from '../../domains/search/alerts/alert-list.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/alerts';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your alerts',
    description: 'The searches you keep, and what they found.',
    path: paths.alerts,
    noIndex: true,
  });

export default function AlertsPage() {
  return (
    <>
      <UnconfirmedBar />
      <AlertList />
    </>
  );
}
