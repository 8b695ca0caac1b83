import { ownTimeZone } from '@handwise/contract/dates';
import type { Conversation, Message } from '@handwise/contract/messages/calls';
import { paths } from '@handwise/contract/paths';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useState, useSyncExternalStore, useEffect, useRef } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { LoadingView } from '../../../lib/loading-view.tsx';
import { useSession } from '../../../lib/session/session.ts';
import { toast } from '../../../ui/feedback/toast.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ErrorDisplay } from '../../../ui/feedback/error-display.tsx';
import { LoadProblem } from '../../../ui/feedback/load-problem.tsx';
import { Button, ButtonLink } from '../../../ui/forms/button.tsx';
import { ResendConfirmation } from '../../accounts/resend-confirmation.tsx';
import { Composer } from './composer.tsx';
import { addMessage, refetchMessages, readOlder, threadQuery } from '../messages-queries.ts';
import { JobOfConversation, QuoteRequestMark } from '../quote-requests/list/quote-request-job.tsx';
import { onOutboxChange, listOutbox, queueMessage } from './outbox.ts';
import { useNow } from '../../../lib/now.ts';
import { ThreadItems } from './thread-items.tsx';
import { hasOlder, sentenceEnd, listThreadItems, getLastReceivedNumber, type ThreadData } from './thread-view.ts';
import styles from './thread.module.css';
import { call } from '../../../lib/api.ts';
import { IconArrowLeft, IconDots } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { Avatar } from '../../../ui/pictures/avatar.tsx';

type ThreadProps = {
  id: string;
  /** The report button for a message of the other side. */
  reportOf?: ((messageId: string) => ReactNode) | undefined;
  /** What a message carries, shown instead of its text. */
  cardOf?: ((message: Message) => ReactNode) | undefined;
  /** What else can be sent, above the message field. */
  actionsOf?: ((conversation: Conversation) => ReactNode) | undefined;
};

const PushOffer = lazy(async () => ({ default: (await import('../../push/push-offer.tsx')).PushOffer }));

// Announced as it grows, and focusable so that the keyboard scrolls it.
const log = { role: 'log', 'aria-label': 'Messages', tabIndex: 0 } as const;

/** One conversation: its subject, its messages and the message field. */
export function Thread({ id, reportOf, cardOf, actionsOf }: ThreadProps) {
  const client = useQueryClient();
  const query = useQuery(threadQuery(id));
  const all = useSyncExternalStore(onOutboxChange, listOutbox, listOutbox);
  const now = useNow();
  const [readingOlder, setReadingOlder] = useState(false);
  const onSent = useCallback(
    (conversationId: string, message: Parameters<typeof addMessage>[2]) => addMessage(client, conversationId, message),
    [client],
  );
  const end = useSeen(id, query.data);
  if (query.isPending) return <LoadingView />;
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) {
    return (
      <EmptyState title="This conversation isn’t here" action={<ButtonLink to={paths.messages}>All messages</ButtonLink>}>
        It may belong to another account.
      </EmptyState>
    );
  }
  // A conversation that could not be read again stays, with what is being written.
  if (!query.data) return <ErrorDisplay error={query.error} onRetry={() => void query.refetch()} />;
  const { conversation, quoteRequest } = query.data;
  const pending = all.filter((one) => one.conversationId === id);
  async function older() {
    setReadingOlder(true);
    await readOlder(client, id).catch(() => toast('Older messages could not be loaded. Please try again.', 'error'));
    setReadingOlder(false);
  }
  async function change(work: typeof stop) {
    await work(id).catch(() => toast('Your choice could not be saved. Please try again.', 'error'));
    await refetchMessages(client, id);
  }
  return (
    <div className={styles.thread}>
      <ThreadHead conversation={conversation} onStop={() => change(stop)} onAllow={() => change(allow)} />
      {quoteRequest && <JobOfConversation request={quoteRequest} role={conversation.role} />}
      <div className={styles.scroll} {...log}>
        <div className={styles.messages}>
          {hasOlder(query.data) && (
            <div className={styles.older}>
              <Button kind="secondary" size="sm" busy={readingOlder} onClick={() => void older()}>
                Show older messages
              </Button>
            </div>
          )}
          <ThreadItems
            items={listThreadItems(query.data, pending, now, ownTimeZone())}
            name={conversation.with.name}
            onSent={onSent}
            reportOf={reportOf}
            cardOf={cardOf}
          />
          <div ref={end} className={styles.end} />
        </div>
      </div>
      {!conversation.blocked && query.data.messages.at(-1)?.mine && (
        <div className={styles.offer}>
          <Suspense fallback={null}>
            <PushOffer label="Tell me when they answer" />
          </Suspense>
        </div>
      )}
      {query.isError && <LoadProblem text="New messages could not be loaded." onRetry={() => void query.refetch()} />}
      {query.data.emailWaits && <EmailWaits id={id} name={conversation.with.name} />}
      {conversation.blocked ? (
        <Blocked conversation={conversation} onAllow={() => change(allow)} />
      ) : (
        <>
          {actionsOf?.(conversation)}
          <Composer
            key={id}
            conversationId={id}
            name={conversation.with.name}
            onSend={(text, files) => void queueMessage(id, text, files, onSent)}
          />
        </>
      )}
    </div>
  );
}

/** Messages are emailed to confirmed addresses only, which a member may not know. */
function EmailWaits({ id, name }: { id: string; name: string }) {
  const { user } = useSession();
  return (
    <div className={styles.waits}>
      <p>
        You will not get an email when {name} replies, because your address{user ? ` ${user.email}` : ''} is not confirmed. Open the link we
        sent there, or get a new one.
      </p>
      <ResendConfirmation conversationId={id} />
    </div>
  );
}

function Blocked({ conversation, onAllow }: { conversation: Conversation; onAllow: () => Promise<void> }) {
  const { name } = conversation.with;
  return (
    <div className={styles.blocked}>
      {conversation.blocked === 'by_me' ? (
        <>
          <p>You have stopped messages from {sentenceEnd(name)}</p>
          <Button kind="secondary" size="sm" onClick={() => void onAllow()}>
            Allow messages again
          </Button>
        </>
      ) : (
        <p>{name} has stopped messages from you. The conversation so far stays here.</p>
      )}
    </div>
  );
}

/** Blocks the other side of a conversation, and unblocks it. */
const stop = (id: string) => call('POST /messages/:id/block', { params: { id } });
const allow = (id: string) => call('DELETE /messages/:id/block', { params: { id } });

/** Reports messages as seen up to a number, each once. A report that failed is sent again with the next message or view. */
export function createSeenReport(before: number, send: (number: number) => Promise<unknown>) {
  let reported = before;
  return (number: number) => {
    const last = reported;
    if (last >= number) return;
    reported = number;
    send(number).catch(() => {
      reported = last;
    });
  };
}

/** Reports the other side's last message as seen once the end of the conversation is visible. Attach the ref to the end. */
function useSeen(conversationId: string, thread: ThreadData | undefined) {
  const [end, setEnd] = useState<HTMLElement | null>(null);
  const report = useRef<(number: number) => void>(undefined);
  const lastNumber = thread && getLastReceivedNumber(thread);
  const unread = thread?.conversation.unread;
  useEffect(() => {
    if (!end || lastNumber === undefined) return;
    // What was seen at an earlier visit is not reported again.
    report.current ??= createSeenReport(unread === 0 ? lastNumber : 0, (number) =>
      call('POST /messages/:id/seen', { params: { id: conversationId }, body: { number } }),
    );
    let inSight = false;
    const reportSeen = () => {
      if (inSight && document.visibilityState === 'visible') report.current?.(lastNumber);
    };
    const observer = new IntersectionObserver(([entry]) => {
      inSight = entry?.isIntersecting ?? false;
      reportSeen();
    });
    observer.observe(end);
    document.addEventListener('visibilitychange', reportSeen);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', reportSeen);
    };
  }, [end, conversationId, lastNumber, unread]);
  return setEnd;
}

type ThreadHeadProps = { conversation: Conversation; onStop: () => Promise<void>; onAllow: () => Promise<void> };

/** The other side and the listing, always visible above the messages. */
function ThreadHead({ conversation, onStop, onAllow }: ThreadHeadProps) {
  const { with: other, listing, blocked, quoteRequest } = conversation;
  const [asking, setAsking] = useState(false);
  return (
    <header className={styles.head}>
      <Link to={paths.messages} className={styles.back} aria-label="All messages">
        <IconArrowLeft size={24} stroke={1.75} aria-hidden="true" />
      </Link>
      <Avatar name={other.name} src={other.avatar} size={40} />
      <div className={styles.text}>
        <h2 className={styles.name}>{other.name}</h2>
        <p className={styles.about}>
          <Link to={paths.listing(listing._id)} className={styles.listing}>
            {listing.serviceTitle}
          </Link>
          {quoteRequest && (
            <span className={styles.quote}>
              <QuoteRequestMark standing={quoteRequest} />
            </span>
          )}
          {listing.status !== 'active' && <span className={styles.ended}>Not available right now</span>}
        </p>
      </div>
      {blocked !== 'by_them' && (
        <>
          <button type="button" className={styles.menuButton} popoverTarget="conversation-menu" aria-label="More about this conversation">
            <IconDots size={24} stroke={1.75} aria-hidden="true" />
          </button>
          <div id="conversation-menu" popover="auto" className={`floating ${styles.menu}`}>
            <button
              type="button"
              popoverTarget="conversation-menu"
              popoverTargetAction="hide"
              onClick={() => (blocked === 'by_me' ? void onAllow() : setAsking(true))}
            >
              {blocked === 'by_me' ? 'Allow messages again' : `Stop messages from ${other.name}`}
            </button>
          </div>
        </>
      )}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Stop messages from ${other.name}?`}
        actions={
          <>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              onClick={() => {
                setAsking(false);
                void onStop();
              }}
            >
              Stop messages
            </Button>
          </>
        }
      >
        <p>Nothing they write will reach you any more, in any conversation, and they are told so. You can allow it again at any time.</p>
      </Dialog>
    </header>
  );
}
