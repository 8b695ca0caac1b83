import type { countUnread } from '@handwise/contract/messages/calls';
import { call } from '../../lib/api.ts';
import { followers } from '../../lib/live/followers.ts';
import { onLive } from '../../lib/live/live-events.ts';
import { onSessionChange, readUser } from '../../lib/session/stored-user.ts';

// In how many conversations something is new, for the user who is signed in now.
let known: { userId: string; conversations: number } | undefined;
let heard = 0;

function set(userId: string, conversations: number) {
  known = { userId, conversations };
  followed.tell();
}

async function read() {
  const userId = readUser()?._id;
  if (!userId || known?.userId === userId) return;
  await readAnew(userId);
}

async function readAnew(userId = readUser()?._id) {
  if (!userId) return;
  const before = heard;
  try {
    const { conversations } = await call<typeof countUnread>({ method: 'GET', url: '/messages/unread' }, {});
    // What was told meanwhile is newer.
    if (readUser()?._id === userId && heard === before) set(userId, conversations);
  } catch {
    // The header goes without a number, and the next event brings it.
  }
}

function start() {
  const stops = [
    onLive('unread', ({ conversations }) => {
      heard += 1;
      const userId = readUser()?._id;
      if (userId) set(userId, conversations);
    }),
    onLive('reset', () => void readAnew()),
    onSessionChange(() => void read()),
  ];
  void read();
  return () => {
    for (const one of stops) one();
  };
}

const followed = followers(start);

/** Calls the listener whenever the number changes, also by what happens on the server. */
export const onUnreadChange = followed.add;

export const unreadConversations = () => (known && known.userId === readUser()?._id ? known.conversations : 0);
