import { adminPaths } from '@handwise/contract/admin/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-users';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { foundUsers } from '../../domains/admin/desk/admin-queries.ts';
import {
  ResultList,
  Loaded,
  findChosenOption,
  QueryFilterLinks,
  SearchBar,
  StateLabel,
  formatTime,
} from '../../domains/admin/desk/list-parts.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Accounts', description: 'Find an account.', path: adminPaths.users, noIndex: true });

export default function AdminUsersPage() {
  return (
    <>
      <h1>Accounts</h1>
      <UserSearch />
    </>
  );
}

const states = [
  { value: '', name: 'All' },
  { value: 'suspended', name: 'Suspended' },
  { value: 'administrators', name: 'Administrators' },
  { value: 'unconfirmed', name: 'Not confirmed' },
  { value: 'deleted', name: 'Deleted' },
] as const;

/** Accounts by name, email or id. */
function UserSearch() {
  const [search] = useSearchParams();
  const status = findChosenOption(states, search.get('status'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(foundUsers({ q: search.get('q') ?? '', status: status ?? 'all', page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find an account" hint="Email, name, username or id" />
      <QueryFilterLinks label="State" name="status" options={states} />
      <Loaded query={query}>
        {(data) => (
          <ResultList one="account" page={page} totalPages={data.totalPages} total={data.total}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Email</th>
                  <th scope="col">State</th>
                  <th scope="col" data-number>
                    Listings
                  </th>
                  <th scope="col">Since</th>
                </tr>
              </thead>
              <tbody>
                {data.users.map((user) => (
                  <tr key={user._id}>
                    <th scope="row">
                      <Link to={adminPaths.user(user._id)}>{user.fullName}</Link>
                      <br />
                      <span className="muted">@{user.username}</span>
                    </th>
                    <td>{user.email}</td>
                    <td>
                      <StateLabel user={user} />
                    </td>
                    <td data-number>{user.listings}</td>
                    <td data-time>{formatTime(user.createdAt)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ResultList>
        )}
      </Loaded>
    </div>
  );
}
