import { paths } from '@handwise/contract/paths';
import { Overview } from '../../domains/admin/desk/overview.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-overview';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Administration', description: 'What is waiting for administrators.', path: paths.admin, noIndex: true });

export default function AdminOverviewPage() {
  return (
    <>
      <h1>Administration</h1>
      <Overview />
    </>
  );
}
