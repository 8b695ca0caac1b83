import { paths } from '@handwise/contract/paths';
import { DisputeList } from '../../domains/admin/money/dispute-list.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-disputes';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Disputes',
    description: 'Disputes and fraud warnings.',
    path: paths.adminDisputes,
    noIndex: true,
  });

export default function AdminDisputesPage() {
  return (
    <>
      <h1>Disputes</h1>
      <DisputeList />
    </>
  );
}
