import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import type { QuoteSummary } from '@handwise/contract/quotes/calls';
import { formatGst, formatValidUntil, nameQuoteState, quoteKinds } from '@handwise/contract/quotes/words';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import styles from './quote-summaries.module.css';
import { summariesQuery } from './quote-queries.ts';

/** "Quote accepted" in a list. */
export const QuoteStateMark = ({ quote }: { quote: Pick<QuoteSummary, 'kind' | 'role' | 'state'> }) => (
  <span className={styles.mark} data-state={quote.state}>
    {nameQuoteState(quote)}
  </span>
);

type QuoteComparisonProps = { receivers: readonly { conversationId: string; business: string }[] };

/** What the businesses of a quote request offer, side by side. Nothing before the first quote. */
export function QuoteComparison({ receivers }: QuoteComparisonProps) {
  const { data, isError, refetch } = useQuery(summariesQuery(receivers.map(({ conversationId }) => conversationId)));
  if (!data && isError) return <LoadProblem text="The quotes could not be loaded." onRetry={() => void refetch()} />;
  const sent = receivers.flatMap(({ conversationId, business }) => {
    const quote = data?.quotes.find((one) => one.conversationId === conversationId);
    return quote ? [{ business, quote }] : [];
  });
  if (sent.length === 0) return null;
  return (
    <ul className={styles.comparison} aria-label="Quotes side by side">
      {sent.map(({ business, quote }) => (
        <li key={quote._id} className={styles.quote} data-state={quote.state}>
          <Link to={paths.conversation(quote.conversationId)}>{business}</Link>
          <strong className={styles.total}>{money(quote.totalMinor, quote.currency)}</strong>
          <span>
            {quoteKinds[quote.kind]}, {formatGst(quote)}
          </span>
          <span>Valid until {formatValidUntil(quote.validUntil)}</span>
          <QuoteStateMark quote={quote} />
        </li>
      ))}
    </ul>
  );
}
