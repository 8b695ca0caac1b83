import { ownTimeZone } from '@handwise/contract/dates';
import { paths } from '@handwise/contract/paths';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Link, useMatch } from 'react-router';
import { liveState, onLiveState } from '../../../lib/live/live-events.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { ConversationList } from './conversation-list.tsx';
import styles from './inbox.module.css';
import { conversationPages, useLiveMessages } from '../messages-queries.ts';
import { useNow } from '../own-clock.ts';

/** The list of conversations beside the one that is open; on a phone one of the two. */
export function Inbox({ children }: { children: ReactNode }) {
  const open = useMatch(paths.conversation(':id')) !== null;
  const now = useNow();
  useLiveMessages();
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

/** One calm line where messages do not arrive at the moment. */
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
