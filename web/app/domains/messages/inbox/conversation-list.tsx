import { clockText } from '@handwise/contract/dates';
import type { Conversation } from '@handwise/contract/messages/calls';
import { paths } from '@handwise/contract/paths';
import { useInfiniteQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { Button } from '../../../ui/forms/button.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';
import styles from './conversation-list.module.css';
import { conversationPages } from '../messages-queries.ts';
import { QuoteMark } from '../quotes/requests/quote-mark.tsx';
import { dayWords, lastLine } from './thread-view.ts';

/** All conversations, that with the newest message first. */
export function ConversationList({ now, timeZone }: { now: Date; timeZone: string }) {
  const query = useInfiniteQuery(conversationPages);
  if (query.isPending) return <ListSkeleton />;
  if (query.isError) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const conversations = query.data.pages.flatMap((page) => page.conversations);
  return (
    <>
      <ul className={styles.list}>
        {conversations.map((one) => (
          <li key={one._id}>
            <Row conversation={one} now={now} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <div className={styles.more}>
          <Button kind="secondary" size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older conversations
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ conversation, now, timeZone }: { conversation: Conversation; now: Date; timeZone: string }) {
  const { _id, listing, with: other, lastMessage, unread, quoteRequest } = conversation;
  const day = dayWords(lastMessage.createdAt, now, timeZone);
  return (
    <NavLink to={paths.conversation(_id)} className={styles.row ?? ''} data-unread={unread > 0 || undefined}>
      <Avatar name={other.name} src={other.avatar} size={44} />
      <span className={styles.text}>
        <span className={styles.line}>
          <strong className={styles.name}>{other.name}</strong>
          <time className={styles.time} dateTime={lastMessage.createdAt}>
            {day === 'Today' ? clockText(lastMessage.createdAt, timeZone) : day}
          </time>
        </span>
        <span className={styles.line}>
          <span className={styles.listing}>{listing.serviceTitle}</span>
          {quoteRequest && <QuoteMark standing={quoteRequest} />}
        </span>
        <span className={styles.line}>
          <span className={styles.last}>{lastLine(lastMessage)}</span>
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
    <span className="visually-hidden" role="status">
      Loading content...
    </span>
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
