import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { askedPage } from '../../../ui/page/pagination.ts';
import styles from './admin.module.css';
import { foundUsers } from './admin-queries.ts';
import { Found } from './found.tsx';
import { FilterLinks } from './filter-links.tsx';
import { SearchBar } from './search-bar.tsx';
import { StateLabel } from './state-label.tsx';
import { timeText } from './time-text.ts';

const states = [
  { value: '', name: 'All' },
  { value: 'suspended', name: 'Suspended' },
  { value: 'administrators', name: 'Administrators' },
  { value: 'unconfirmed', name: 'Not confirmed' },
  { value: 'deleted', name: 'Deleted' },
] as const;

/** Accounts by whatever one knows of them. */
export function UserSearch() {
  const [search] = useSearchParams();
  const status = states.find((one) => one.value !== '' && one.value === search.get('status'))?.value ?? 'all';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(foundUsers({ q: search.get('q') ?? '', status: status === '' ? 'all' : status, page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find an account" hint="Email, name, user name or id" />
      <FilterLinks label="State" name="status" options={states} />
      {query.error ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingView />
      ) : (
        <Found one="account" page={page} totalPages={query.data.totalPages} total={query.data.total}>
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
              {query.data.users.map((user) => (
                <tr key={user._id}>
                  <th scope="row">
                    <Link to={paths.adminUser(user._id)}>{user.fullName}</Link>
                    <br />
                    <span className="muted">@{user.username}</span>
                  </th>
                  <td>{user.email}</td>
                  <td>
                    <StateLabel user={user} />
                  </td>
                  <td data-number>{user.listings}</td>
                  <td>{timeText(user.createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Found>
      )}
    </div>
  );
}
