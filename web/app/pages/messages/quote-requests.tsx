import { paths } from '@handwise/contract/paths';
import { QuoteRequests } from '../../domains/messages/quote-requests/list/quote-requests.tsx';
import { QuoteComparison } from '../../domains/quotes/quote-summaries.tsx';
import { useLiveQuotes } from '../../domains/quotes/quote-queries.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/quote-requests';
import styles from './quote-requests.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your quote requests',
    description: 'The jobs that you have asked businesses about, and who has answered.',
    path: paths.quoteRequests,
    noIndex: true,
  });

export default function QuoteRequestsPage() {
  useLiveQuotes();
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.heading}>Your quote requests</h1>
        <ButtonLink to={paths.getQuotes} kind="secondary" size="sm">
          Get quotes
        </ButtonLink>
      </div>
      <QuoteRequests quotesOf={({ receivers }) => <QuoteComparison receivers={receivers} />} />
    </div>
  );
}
