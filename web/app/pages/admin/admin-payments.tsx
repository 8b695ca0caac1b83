import { adminPaths } from '@handwise/contract/admin/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-payments';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { foundPayments } from '../../domains/admin/desk/admin-queries.ts';
import { findChosenOption, QueryFilterLinks, ResultList, Loaded, SearchBar } from '../../domains/admin/desk/list-parts.tsx';
import { PaymentTable } from '../../domains/admin/desk/tables.tsx';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Payments', description: 'Find a payment.', path: adminPaths.payments, noIndex: true });

export default function AdminPaymentsPage() {
  return (
    <>
      <h1>Payments</h1>
      <PaymentSearch />
    </>
  );
}

const states = [
  { value: '', name: 'All' },
  { value: 'open', name: 'Open' },
  { value: 'succeeded', name: 'Paid' },
  { value: 'failed', name: 'Failed' },
  { value: 'canceled', name: 'Never paid' },
  { value: 'refunded', name: 'Refunds' },
  { value: 'owed', name: 'Failed refunds' },
  { value: 'disputed', name: 'Disputed' },
] as const;

/** Payments by intent, invoice or payer. */
function PaymentSearch() {
  const [search] = useSearchParams();
  const status = findChosenOption(states, search.get('status'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(foundPayments({ q: search.get('q') ?? '', status: status ?? 'all', page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a payment" hint="Intent, id, refund, dispute, tax invoice number, or the payer’s @name or email" />
      <Link to={adminPaths.disputes}>Disputes and fraud warnings</Link>
      <QueryFilterLinks label="State" name="status" options={states} />
      <Loaded query={query}>
        {(data) => (
          <ResultList one="payment" page={page} totalPages={data.totalPages} total={data.total}>
            <PaymentTable payments={data.payments} />
          </ResultList>
        )}
      </Loaded>
    </div>
  );
}
