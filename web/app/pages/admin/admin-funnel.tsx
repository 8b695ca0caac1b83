import { adminPaths } from '@handwise/contract/admin/paths';
import { Funnel } from '../../domains/funnel/funnel.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-funnel';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Funnel',
    description: 'From visits to plans, by week, place and trade.',
    path: adminPaths.funnel,
    noIndex: true,
  });

export default function AdminFunnelPage() {
  return (
    <>
      <h1>Funnel</h1>
      <Funnel />
    </>
  );
}
