import { paths } from '@handwise/contract/paths';
import { DrawManagement } from '../../domains/admin/draws/draw-management.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-draw';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Draw management',
    description: 'The monthly draw and its payments.',
    path: paths.drawManagement,
    noIndex: true,
  });

export default function AdminDrawPage() {
  return (
    <>
      <h1>Draw management</h1>
      <DrawManagement />
    </>
  );
}
