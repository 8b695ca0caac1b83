import { paths } from '@handwise/contract/paths';
import { UserPage } from '../../domains/admin/desk/user-page.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-user';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'An account',
    description: 'One account and what belongs to it.',
    path: paths.adminUser(params.id),
    noIndex: true,
  });

export default function AdminUserPage({ params }: Route.ComponentProps) {
  return <UserPage key={params.id} id={params.id} />;
}
