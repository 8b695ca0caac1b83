import { paths } from '@handwise/contract/paths';
import { IconMessageCircle } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { NavLink } from 'react-router';
import styles from './messages-link.module.css';
import { call } from '../../lib/api.ts';
import { onLive } from '../../lib/live/live-events.ts';
import { createSharedSubscription } from '../../lib/live/shared-subscription.ts';
import { onSessionChange, readUser } from '../../lib/session/stored-user.ts';

const atMost = 99;

/** Links to the messages, with the number of unread conversations, which the window's title shows too. */
export function MessagesLink() {
  const unread = useSyncExternalStore(onUnreadChange, unreadConversations, () => 0);
  const shown = unread > atMost ? `${atMost}+` : `${unread}`;
  useEffect(() => {
    const mark = () => {
      const title = document.title.replace(/^\(\d+\+?\) /, '');
      const newTitle = unread > 0 ? `(${shown}) ${title}` : title;
      if (document.title !== newTitle) document.title = newTitle;
    };
    mark();
    // Each page sets its own title, which needs the number again.
    const observer = new MutationObserver(mark);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [unread, shown]);
  return (
    <NavLink to={paths.messages} className={styles.link ?? ''} aria-label={unread > 0 ? `Messages, ${unread} unread` : 'Messages'}>
      <IconMessageCircle size={24} stroke={1.75} aria-hidden="true" />
      {unread > 0 && <span className={styles.badge}>{shown}</span>}
    </NavLink>
  );
}

// The number of conversations with unread messages, of the signed-in user.
let cached: { userId: string; conversations: number } | undefined;
let eventsReceived = 0;

function set(userId: string, conversations: number) {
  cached = { userId, conversations };
  subscription.notify();
}

async function read() {
  const userId = readUser()?._id;
  if (!userId || cached?.userId === userId) return;
  await reload(userId);
}

async function reload(userId = readUser()?._id) {
  if (!userId) return;
  const before = eventsReceived;
  try {
    const { conversations } = await call('GET /messages/unread', {});
    // An event received meanwhile is newer.
    if (readUser()?._id === userId && eventsReceived === before) set(userId, conversations);
  } catch {
    // The header shows no number until the next event.
  }
}

function start() {
  const stops = [
    onLive('unread', ({ conversations }) => {
      eventsReceived += 1;
      const userId = readUser()?._id;
      if (userId) set(userId, conversations);
    }),
    onLive('reset', () => void reload()),
    onSessionChange(() => void read()),
  ];
  void read();
  return () => {
    for (const one of stops) one();
  };
}

const subscription = createSharedSubscription(start);

/** Calls the listener whenever the number changes, here or on the server. */
export const onUnreadChange = subscription.subscribe;

export const unreadConversations = () => (cached && cached.userId === readUser()?._id ? cached.conversations : 0);
