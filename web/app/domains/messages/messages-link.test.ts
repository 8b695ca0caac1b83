import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Session from '../../lib/session/stored-user.ts';
import type * as Unread from './messages-link.tsx';
import { until } from '../../lib/testing/until.ts';

type Listeners = { unread: (data: { conversations: number }) => void; reset: () => void };

let unread: typeof Unread;
let session: typeof Session;
let listeners: Listeners;
let answers: ((conversations: number) => void)[] = [];

beforeEach(async () => {
  vi.resetModules();
  answers = [];
  listeners = { unread: () => {}, reset: () => {} };
  vi.doMock('../../lib/live/live-events.ts', () => ({
    onLive: (kind: keyof Listeners, listener: never) => {
      listeners[kind] = listener;
      return () => {};
    },
  }));
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', () => {
    return new Promise((resolve) => answers.push((conversations) => resolve(new Response(JSON.stringify({ conversations })))));
  });
  session = await import('../../lib/session/stored-user.ts');
  unread = await import('./messages-link.tsx');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../lib/live/live-events.ts');
});

const signIn = (id: string) => session.storeUser({ _id: id, token: `token-of-${id}` } as Parameters<typeof session.storeUser>[0]);
const answered = async (count: number) => {
  await until(() => expect(answers).toHaveLength(count));
  return (conversations: number) => answers.at(-1)?.(conversations);
};

test('loads the number once for all listeners, then follows live events', async () => {
  signIn('mere');
  const onChange = vi.fn<() => void>();
  unread.onUnreadChange(onChange);
  unread.onUnreadChange(() => {});
  (await answered(1))(2);
  await until(() => expect(unread.unreadConversations()).toBe(2));
  listeners.unread({ conversations: 3 });
  expect(unread.unreadConversations()).toBe(3);
  expect(onChange).toHaveBeenCalledTimes(2);
  expect(answers).toHaveLength(1);
});

test('ignores a response older than a live event', async () => {
  signIn('mere');
  const shown: number[] = [];
  unread.onUnreadChange(() => shown.push(unread.unreadConversations()));
  const answer = await answered(1);
  listeners.unread({ conversations: 5 });
  answer(4);
  // The first response has arrived before the second.
  listeners.reset();
  (await answered(2))(6);
  await until(() => expect(shown.at(-1)).toBe(6));
  expect(shown).toEqual([5, 6]);
});

test('reloads the number after a gap', async () => {
  signIn('mere');
  unread.onUnreadChange(() => {});
  (await answered(1))(2);
  await until(() => expect(unread.unreadConversations()).toBe(2));
  listeners.reset();
  (await answered(2))(7);
  await until(() => expect(unread.unreadConversations()).toBe(7));
});

test("does not show the previous user's number to the next", async () => {
  signIn('mere');
  unread.onUnreadChange(() => {});
  (await answered(1))(2);
  await until(() => expect(unread.unreadConversations()).toBe(2));
  signIn('tama');
  expect(unread.unreadConversations()).toBe(0);
  (await answered(2))(1);
  await until(() => expect(unread.unreadConversations()).toBe(1));
});
