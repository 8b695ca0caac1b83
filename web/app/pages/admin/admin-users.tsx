import { paths } from '@handwise/contract/paths';
import { UserSearch } from '../../domains/admin/desk/search/user-search.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-users';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Accounts', description: 'Find an account.', path: paths.adminUsers, noIndex: true });

export default function AdminUsersPage() {
  return (
    <>
      <h1>Accounts</h1>
      <UserSearch />
    </>
  );
}
