import { ownTimeZone } from '@handwise/contract/dates';
import type { QuoteRequest } from '@handwise/contract/messages/quote-requests';
import { maxQuoteRequestReceivers } from '@handwise/contract/messages/limits';
import { inWords } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { useInfiniteQuery, useQueryClient, infiniteQueryOptions } from '@tanstack/react-query';
import { type ReactNode, useState, useEffect } from 'react';
import { Link } from 'react-router';
import { LoadingView } from '../../../../lib/loading-view.tsx';
import { Dialog } from '../../../../ui/feedback/dialog.tsx';
import { EmptyState } from '../../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../../ui/feedback/error-display.tsx';
import { ReloadProblem } from '../../../../ui/feedback/reload-problem.tsx';
import { toast } from '../../../../ui/feedback/toast.tsx';
import { Button, ButtonLink } from '../../../../ui/forms/button.tsx';
import { formatDay } from '../../inbox/thread-view.ts';
import { useNow } from '../../../../lib/now.ts';
import { JobFacts } from './quote-request-job.tsx';
import styles from './quote-requests.module.css';
import { call } from '../../../../lib/api.ts';
import { onLive } from '../../../../lib/live/live-events.ts';

type Receiver = QuoteRequest['receivers'][number];

const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
/** The day within a sentence: "today", or "on" and a date. */
const within = (day: string) => (/^[A-Z][a-z]+$/.test(day) ? day.toLowerCase() : `on ${day}`);

/** "Sent today to 3 businesses, 1 has answered." */
export function describeRequest({ receivers }: Pick<QuoteRequest, 'receivers'>, day: string): string {
  const answers = receivers.filter(({ answeredAt }) => answeredAt !== null).length;
  const status = answers === 0 ? 'nobody has answered yet' : `${counted(answers, 'has', 'have')} answered`;
  return `Sent ${within(day)} to ${counted(receivers.length, 'business', 'businesses')}, ${status}.`;
}

/** The state of a request at one business. */
export function describeAnswer({ answeredAt, unread }: Pick<Receiver, 'answeredAt' | 'unread'>, day: string): string {
  if (answeredAt === null) return 'No answer yet';
  return unread > 0 ? `Answered ${within(day)}, ${unread} unread` : `Answered ${within(day)}`;
}

const key = ['quote-requests'] as const;

const quoteRequestPages = infiniteQueryOptions({
  queryKey: key,
  queryFn: ({ pageParam, signal }) => call('GET /quote-requests', { query: { page: pageParam } }, signal),
  initialPageParam: 1,
  getNextPageParam: ({ currentPage, totalPages }) => (currentPage < totalPages ? currentPage + 1 : undefined),
  staleTime: 0,
});

const closeRequest = (id: string) => call('POST /quote-requests/:id/close', { params: { id } });

/** Shows answers live, and requests closed in another tab. */
function useLiveQuoteRequests() {
  const client = useQueryClient();
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: key });
    const stops = (['message', 'seen', 'quote', 'reset'] as const).map((kind) => onLive(kind, refetch));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client]);
}

type QuoteRequestsProps = {
  /** What the businesses of a request offer. */
  quotesOf?: ((request: QuoteRequest) => ReactNode) | undefined;
};

/** A customer's quote requests, with their receivers and answers. */
export function QuoteRequests({ quotesOf }: QuoteRequestsProps) {
  useLiveQuoteRequests();
  const client = useQueryClient();
  const query = useInfiniteQuery(quoteRequestPages);
  const [closing, setClosing] = useState<QuoteRequest>();
  if (query.isPending) return <LoadingView />;
  if (!query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const requests = query.data.pages.flatMap((page) => page.quoteRequests);
  async function close({ _id }: QuoteRequest) {
    setClosing(undefined);
    await closeRequest(_id).catch(() => toast('Your request could not be closed. Please try again.', 'error'));
    await client.invalidateQueries({ queryKey: quoteRequestPages.queryKey });
  }
  if (requests.length === 0) {
    return (
      <>
        <ReloadProblem query={query} />
        <EmptyState title="No quote requests yet" action={<ButtonLink to={paths.getQuotes}>Get quotes</ButtonLink>}>
          Describe a job once and ask up to {inWords(maxQuoteRequestReceivers)} businesses. You will see here who has answered.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      {!query.isFetchNextPageError && <ReloadProblem query={query} />}
      <ul className={styles.list}>
        {requests.map((one) => (
          <li key={one._id}>
            <Request request={one} onClose={() => setClosing(one)}>
              {quotesOf?.(one)}
            </Request>
          </li>
        ))}
      </ul>
      {query.isFetchNextPageError && <p role="alert">Older requests could not be loaded.</p>}
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

function Request({ request, onClose, children }: { request: QuoteRequest; onClose: () => void; children: ReactNode }) {
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
      <p className={styles.summary}>{describeRequest(request, formatDay(createdAt, now, zone))}</p>
      <ul className={styles.receivers}>
        {receivers.map((one) => (
          <li key={one.conversationId} data-answered={one.answeredAt !== null || undefined}>
            <Link to={paths.conversation(one.conversationId)}>{one.business}</Link>
            <span className={styles.answer}>
              {describeAnswer(one, one.answeredAt === null ? '' : formatDay(one.answeredAt, now, zone))}
            </span>
          </li>
        ))}
      </ul>
      {children}
    </article>
  );
}
