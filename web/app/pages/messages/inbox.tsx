import { Outlet, Link, useMatch, NavLink } from 'react-router';
import { ownTimeZone, formatClock } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { liveState, onLiveState } from '../../lib/live/live-events.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ButtonLink, Button } from '../../ui/forms/button.tsx';
import styles from './inbox.module.css';
import { conversationPages, useLiveMessages } from '../../domains/messages/messages-queries.ts';
import { useNow } from '../../lib/now.ts';
import type { QuoteSummary } from '@handwise/contract/quotes/calls';
import { QuoteStateMark } from '../../domains/quotes/quote-summaries.tsx';
import { summariesQuery, useLiveQuotes } from '../../domains/quotes/quote-queries.ts';
import type { Conversation } from '@handwise/contract/messages/calls';
import { ErrorDisplay } from '../../ui/feedback/error-display.tsx';
import { LoadProblem } from '../../ui/feedback/load-problem.tsx';
import { ReloadProblem } from '../../ui/feedback/reload-problem.tsx';
import { LoadingWords } from '../../lib/loading-view.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { QuoteRequestMark } from '../../domains/messages/quote-requests/list/quote-request-job.tsx';
import { formatDay, getLastLine } from '../../domains/messages/inbox/thread-view.ts';

/** The frame of all pages of messages. */
export default function InboxLayout() {
  return (
    <Inbox>
      <Outlet />
    </Inbox>
  );
}

/** The list of conversations beside the open one; on phones one of the two. */
function Inbox({ children }: { children: ReactNode }) {
  const isReading = useMatch(paths.conversation(':id')) !== null;
  const isWriting = useMatch(paths.writeQuote(':id')) !== null;
  const open = isReading || isWriting;
  const now = useNow();
  useLiveMessages();
  useLiveQuotes();
  const { data } = useInfiniteQuery(conversationPages);
  if (!open && data?.pages[0]?.totalConversations === 0) {
    return (
      <EmptyState title="No messages yet" level={1} action={<ButtonLink to={paths.browse}>Browse Pros near you</ButtonLink>}>
        Open a listing and press “Message the seller”. Your conversations are kept here, including those customers start with you.
      </EmptyState>
    );
  }
  return (
    <div className={styles.inbox} data-open={open || undefined}>
      <h1 className="visually-hidden">Messages</h1>
      <section className={styles.conversations} aria-labelledby="conversations-heading">
        <div className={styles.heading}>
          <h2 id="conversations-heading">Conversations</h2>
          <Link to={paths.quoteRequests}>Quote requests</Link>
        </div>
        <Connection />
        <div className={styles.scroll}>
          <ConversationList now={now} timeZone={ownTimeZone()} />
        </div>
      </section>
      <section className={styles.open} aria-label="Open conversation">
        {open && <Connection />}
        {children}
      </section>
    </div>
  );
}

/** A line shown while the connection for messages is down. */
function Connection() {
  const state = useSyncExternalStore(
    onLiveState,
    () => (navigator.onLine ? liveState() : 'offline'),
    () => 'live',
  );
  return (
    <p className={styles.connection} role="status">
      {state === 'offline' && 'You are offline. What you write is kept here.'}
      {state === 'reconnecting' && 'Reconnecting…'}
    </p>
  );
}

/** All conversations, ordered by their newest message. */
function ConversationList({ now, timeZone }: { now: Date; timeZone: string }) {
  const query = useInfiniteQuery(conversationPages);
  const pages = query.data?.pages ?? [];
  const summaries = useQueries({ queries: pages.map((page) => summariesQuery(page.conversations.map(({ _id }) => _id))) });
  if (query.isPending) return <ListSkeleton />;
  if (!query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const conversations = query.data.pages.flatMap((page) => page.conversations);
  const quotes = new Map(summaries.flatMap(({ data }) => data?.quotes ?? []).map((one) => [one.conversationId, one]));
  const failed = summaries.filter(({ data, isError }) => !data && isError);
  return (
    <>
      {!query.isFetchNextPageError && <ReloadProblem query={query} />}
      {failed.length > 0 && (
        <LoadProblem text="The quotes could not be loaded." onRetry={() => failed.forEach(({ refetch }) => void refetch())} />
      )}
      <ul className={styles.list}>
        {conversations.map((one) => (
          <li key={one._id}>
            <Row conversation={one} quote={quotes.get(one._id)} now={now} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <div className={styles.more}>
          {query.isFetchNextPageError && <p role="alert">Older conversations could not be loaded.</p>}
          <Button kind="secondary" size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older conversations
          </Button>
        </div>
      )}
    </>
  );
}

type RowProps = { conversation: Conversation; quote: QuoteSummary | undefined; now: Date; timeZone: string };

function Row({ conversation, quote, now, timeZone }: RowProps) {
  const { _id, listing, with: other, lastMessage, unread, quoteRequest } = conversation;
  const day = formatDay(lastMessage.createdAt, now, timeZone);
  return (
    <NavLink to={paths.conversation(_id)} className={styles.row ?? ''} data-unread={unread > 0 || undefined}>
      <Avatar name={other.name} src={other.avatar} size={44} />
      <span className={styles.text}>
        <span className={styles.line}>
          <strong className={styles.name}>{other.name}</strong>
          <time className={styles.time} dateTime={lastMessage.createdAt}>
            {day === 'Today' ? formatClock(lastMessage.createdAt, timeZone) : day}
          </time>
        </span>
        <span className={styles.line}>
          <span className={styles.listing}>{listing.serviceTitle}</span>
          {quote ? <QuoteStateMark quote={quote} /> : quoteRequest && <QuoteRequestMark standing={quoteRequest} />}
        </span>
        <span className={styles.line}>
          <span className={styles.last}>{getLastLine(lastMessage)}</span>
          {unread > 0 && (
            <span className={styles.badge}>
              {unread}
              <span className="visually-hidden"> unread</span>
            </span>
          )}
        </span>
      </span>
    </NavLink>
  );
}

const ListSkeleton = () => (
  <div className={styles.skeleton}>
    <div role="status">
      <LoadingWords />
    </div>
    {[0, 1, 2, 3, 4].map((index) => (
      <div key={index} className={styles.row}>
        <Skeleton width={44} height={44} radius="50%" />
        <span className={styles.text}>
          <Skeleton width="60%" height={18} />
          <Skeleton width="85%" height={16} />
        </span>
      </div>
    ))}
  </div>
);
