import { beforeEach, expect, test, vi } from 'vitest';
import { stubLocalStorage } from '../testing/local-storage.ts';
import { logout } from './session.ts';
import { beginLook, forgetUser, readUser, storeUser } from './stored-user.ts';

const mere = { _id: 'mere', token: 'token-of-mere' } as Parameters<typeof storeUser>[0];
const storage = new Map<string, string>();
let sent: string[];
let left: string[];
let unsubscribed: number;
let cookies: string[];
let answer: () => Promise<Response>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  storage.clear();
  [sent, left, unsubscribed, cookies] = [[], [], 0, []];
  answer = async () => new Response('{"message":"Done"}');
  stubLocalStorage(storage);
  vi.stubGlobal('document', {
    documentElement: { toggleAttribute: () => {} },
    set cookie(text: string) {
      cookies.push(text);
    },
  });
  vi.stubGlobal('location', { assign: (path: string) => left.push(path) });
  const subscription = { unsubscribe: async () => (unsubscribed += 1) };
  const registration = { pushManager: { getSubscription: async () => subscription } };
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } });
  vi.stubGlobal('fetch', (url: string, { method, headers }: { method: string; headers: Record<string, string> }) => {
    sent.push(`${method} ${url} ${headers['Authorization']}`);
    return answer();
  });
  forgetUser();
  storeUser(mere);
  return () => {
    forgetUser();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test('signing out ends the session here and on the server, the notifications too, and leaves by a new page', async () => {
  storage.set('listingFormData', '{}').set('messageDrafts', '{}');
  await logout();
  expect(sent).toEqual(['POST /api/auth/logout Bearer token-of-mere']);
  expect([left, unsubscribed, [...storage.keys()]]).toEqual([['/home'], 1, ['listingFormData']]);
  expect(cookies).toEqual(['signed-in=; Max-Age=0; Path=/; Secure']);
});

test.each([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['fails', async () => new Response('{"code":"internal","message":""}', { status: 500 })],
])('signing out while the server %s signs out of this browser', async (_, outcome) => {
  answer = outcome;
  await logout();
  expect([left, storage.has('user'), cookies.length]).toEqual([['/home'], false, 1]);
});

test('signing out waits two seconds for a server that does not answer', async () => {
  answer = () => new Promise(() => {});
  const done = logout();
  await vi.advanceTimersByTimeAsync(1999);
  expect([sent.length, unsubscribed]).toEqual([1, 1]);
  expect(left).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect([left, storage.has('user')]).toEqual([['/home'], false]);
});

test('who views the site as somebody else goes back to the own account, whose session goes on', async () => {
  beginLook({ _id: 'tama', token: 'token-of-look' } as typeof mere, { endsAt: '2026-11-22T03:00:00.000Z' });
  await logout();
  expect([left, sent, unsubscribed, readUser()]).toEqual([['/admin'], [], 0, mere]);
});
