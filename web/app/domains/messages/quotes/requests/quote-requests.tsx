import { ownTimeZone } from '@handwise/contract/dates';
import type { QuoteRequest } from '@handwise/contract/messages/quotes';
import { maxQuoteReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { LoadingView } from '../../../../lib/loading-view.tsx';
import { Dialog } from '../../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../../ui/feedback/error-display.tsx';
import { toast } from '../../../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../../../ui/forms/button.tsx';
import { dayWords } from '../../inbox/thread-view.ts';
import { useNow } from '../../own-clock.ts';
import { JobFacts } from './job-facts.tsx';
import { closeRequest, quoteRequestPages, useLiveQuoteRequests } from './quote-queries.ts';
import styles from './quote-requests.module.css';
import { answerWords, askedWords } from './quote-view.ts';

/** What a household has asked for, whom, and who has answered. */
export function QuoteRequests() {
  useLiveQuoteRequests();
  const client = useQueryClient();
  const query = useInfiniteQuery(quoteRequestPages);
  const [closing, setClosing] = useState<QuoteRequest>();
  if (query.isPending) return <LoadingView />;
  if (query.isError) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const requests = query.data.pages.flatMap((page) => page.quoteRequests);
  async function close({ _id }: QuoteRequest) {
    setClosing(undefined);
    await closeRequest(_id).catch(() => toast('Your request could not be closed. Please try again.', 'error'));
    await client.invalidateQueries({ queryKey: quoteRequestPages.queryKey });
  }
  if (requests.length === 0) {
    return (
      <EmptyState title="No quote requests yet" action={<ButtonLink to={paths.getQuotes}>Get quotes</ButtonLink>}>
        Describe a job once and ask up to {inWords(maxQuoteReceivers)} businesses. You will see here who has answered.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className={styles.list}>
        {requests.map((one) => (
          <li key={one._id}>
            <Request request={one} onClose={() => setClosing(one)} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button kind="secondary" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older requests
        </Button>
      )}
      <Dialog
        open={closing !== undefined}
        onClose={() => setClosing(undefined)}
        title="Close this request?"
        actions={
          <>
            <Button kind="secondary" onClick={() => setClosing(undefined)}>
              Cancel
            </Button>
            <Button onClick={() => closing && void close(closing)}>Close request</Button>
          </>
        }
      >
        <p>The businesses you asked will see that you need no more quotes. Your conversations with them stay as they are.</p>
      </Dialog>
    </>
  );
}

function Request({ request, onClose }: { request: QuoteRequest; onClose: () => void }) {
  const now = useNow();
  const { job, createdAt, closedAt, receivers } = request;
  const zone = ownTimeZone();
  return (
    <article className={`card ${styles.request}`} data-closed={closedAt !== null || undefined}>
      <div className={styles.head}>
        <h2 className={styles.job}>{job}</h2>
        {closedAt === null ? (
          <Button kind="secondary" size="sm" onClick={onClose}>
            Close<span className="visually-hidden"> “{job}”</span>
          </Button>
        ) : (
          <span className={styles.closed}>Closed</span>
        )}
      </div>
      <JobFacts {...request} />
      <p className={styles.asked}>{askedWords(request, dayWords(createdAt, now, zone))}</p>
      <ul className={styles.receivers}>
        {receivers.map((one) => (
          <li key={one.conversationId} data-answered={one.answeredAt !== null || undefined}>
            <Link to={paths.conversation(one.conversationId)}>{one.business}</Link>
            <span className={styles.answer}>{answerWords(one, one.answeredAt === null ? '' : dayWords(one.answeredAt, now, zone))}</span>
          </li>
        ))}
      </ul>
    </article>
  );
}
