import type { countUnread } from '@handwise/contract/messages/calls';
import { call } from '../../lib/api.ts';
import { sharedSubscription } from '../../lib/live/shared-subscription.ts';
import { onLive } from '../../lib/live/live-events.ts';
import { onSessionChange, readUser } from '../../lib/session/stored-user.ts';

// The number of conversations with unread messages, of the signed-in user.
let known: { userId: string; conversations: number } | undefined;
let eventsReceived = 0;

function set(userId: string, conversations: number) {
  known = { userId, conversations };
  subscription.notify();
}

async function read() {
  const userId = readUser()?._id;
  if (!userId || known?.userId === userId) return;
  await reload(userId);
}

async function reload(userId = readUser()?._id) {
  if (!userId) return;
  const before = eventsReceived;
  try {
    const { conversations } = await call<typeof countUnread>({ method: 'GET', url: '/messages/unread' }, {});
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

const subscription = sharedSubscription(start);

/** Calls the listener whenever the number changes, here or on the server. */
export const onUnreadChange = subscription.subscribe;

export const unreadConversations = () => (known && known.userId === readUser()?._id ? known.conversations : 0);
