import { paths } from '@handwise/contract/paths';
import { useQuery } from '@tanstack/react-query';
import { threadQuery } from '../../domains/messages/messages-queries.ts';
import { WriteQuote } from '../../domains/quotes/quote-form.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { LoadingView } from '../../lib/loading-view.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import type { Route } from './+types/write-quote';
import styles from './write-quote.module.css';

export const meta: Route.MetaFunction = ({ matches, params }) =>
  pageMeta(matches, {
    title: 'Write a quote',
    description: 'A quote for a customer, with its lines and its total.',
    path: paths.writeQuote(params.id),
    noIndex: true,
  });

export default function WriteQuotePage({ params }: Route.ComponentProps) {
  const query = useQuery(threadQuery(params.id));
  if (query.isPending) return <LoadingView />;
  // A quote that is being written stays.
  if (query.isError && !query.data && !(query.error instanceof ApiError && [400, 404].includes(query.error.status)))
    return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const conversation = query.data?.conversation;
  if (conversation?.role !== 'seller' || conversation.blocked) {
    return (
      <EmptyState title="You cannot send a quote here" action={<ButtonLink to={paths.messages}>All messages</ButtonLink>}>
        Quotes are sent by the business of a conversation, while both sides can write.
      </EmptyState>
    );
  }
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <h2 className={styles.title}>A quote for {conversation.with.name}</h2>
        <p className={styles.about}>{conversation.listing.serviceTitle}</p>
        <WriteQuote key={params.id} conversationId={params.id} />
      </div>
    </div>
  );
}
