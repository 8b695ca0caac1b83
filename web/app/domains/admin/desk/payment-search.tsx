import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { askedPage } from '../../../ui/page/pagination.ts';
import styles from './admin.module.css';
import { foundPayments } from './admin-queries.ts';
import { FilterLinks } from './filter-links.tsx';
import { Found } from './found.tsx';
import { PaymentTable } from './payment-table.tsx';
import { SearchBar } from './search-bar.tsx';

const states = [
  { value: '', name: 'All' },
  { value: 'open', name: 'Open' },
  { value: 'succeeded', name: 'Paid' },
  { value: 'failed', name: 'Failed' },
  { value: 'canceled', name: 'Given up' },
  { value: 'refunded', name: 'Refunds' },
] as const;

/** Payments by intent, invoice or payer. */
export function PaymentSearch() {
  const [search] = useSearchParams();
  const status = states.find((one) => one.value !== '' && one.value === search.get('status'))?.value ?? '';
  const page = askedPage(search.get('page')) ?? 1;
  const query = useQuery(foundPayments({ q: search.get('q') ?? '', status: status === '' ? 'all' : status, page: String(page) }));
  return (
    <div className={styles.stack}>
      <SearchBar label="Find a payment" hint="Intent, id, number of the tax invoice, or the payer’s @name or email" />
      <FilterLinks label="State" name="status" options={states} />
      {query.error ? (
        <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <LoadingView />
      ) : (
        <Found one="payment" page={page} totalPages={query.data.totalPages} total={query.data.total}>
          <PaymentTable payments={query.data.payments} />
        </Found>
      )}
    </div>
  );
}
