import { paths } from '@handwise/contract/paths';
import { AppealQueue } from '../../domains/admin/desk/appeal-queue.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-appeals';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Objections', description: 'Objections to decisions.', path: paths.adminAppeals, noIndex: true });

export default function AdminAppealsPage() {
  return (
    <>
      <h1>Objections</h1>
      <AppealQueue />
    </>
  );
}
