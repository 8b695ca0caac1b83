import { adminPaths } from '@handwise/contract/admin/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import type { Route } from './+types/admin-disputes';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { getRequestedPage } from '../../ui/page/page-links.tsx';
import styles from '../../domains/admin/desk/admin.module.css';
import { findChosenOption, QueryFilterLinks, Loaded, Scroll, ResultList } from '../../domains/admin/desk/list-parts.tsx';
import { DisputeTable, WarningTable } from '../../domains/admin/money/payment-tables.tsx';
import { disputesQuery } from '../../domains/admin/desk/admin-queries.ts';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Disputes',
    description: 'Disputes and fraud warnings.',
    path: adminPaths.disputes,
    noIndex: true,
  });

export default function AdminDisputesPage() {
  return (
    <>
      <h1>Disputes</h1>
      <DisputeList />
    </>
  );
}

const states = [
  { value: '', name: 'All' },
  { value: 'open', name: 'Open' },
] as const;

const none = { title: 'No disputes', text: 'Nobody has disputed a payment so far.' };
const noneOpen = { title: 'No open disputes', text: 'There is nothing to answer.' };

/** Disputes and fraud warnings, newest first. Evidence is submitted at the provider. */
function DisputeList() {
  const [search] = useSearchParams();
  const status = findChosenOption(states, search.get('status'));
  const page = getRequestedPage(search.get('page')) ?? 1;
  const query = useQuery(disputesQuery({ status: status ?? 'all', page: String(page) }));
  return (
    <div className={styles.stack}>
      <p>
        Answer a dispute on the provider’s own pages, before its deadline. Everything here follows automatically.{' '}
        <Link to={adminPaths.payments}>All payments</Link>
      </p>
      <QueryFilterLinks label="State" name="status" options={states} />
      <Loaded query={query}>
        {(data) => (
          <>
            <ResultList
              one="dispute"
              page={page}
              totalPages={data.totalPages}
              total={data.total}
              empty={status === 'open' ? noneOpen : none}
            >
              <DisputeTable disputes={data.disputes} />
            </ResultList>
            <section className={styles.section}>
              <h2>Fraud warnings</h2>
              {data.warnings.length === 0 ? (
                <p className="muted">None.</p>
              ) : (
                <Scroll label="Fraud warnings">
                  <WarningTable warnings={data.warnings} />
                </Scroll>
              )}
            </section>
          </>
        )}
      </Loaded>
    </div>
  );
}
