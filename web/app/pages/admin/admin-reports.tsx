import { paths } from '@handwise/contract/paths';
import { ReportQueue } from '../../domains/admin/desk/report-queue.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-reports';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Reports',
    description: 'What people have reported, and what was decided.',
    path: paths.adminReports,
    noIndex: true,
  });

export default function AdminReportsPage() {
  return (
    <>
      <h1>Reports</h1>
      <ReportQueue />
    </>
  );
}
