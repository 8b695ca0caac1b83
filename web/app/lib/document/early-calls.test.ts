import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { earlyCallsScript, takeEarlyResponse } from './early-calls.ts';

const mere = { _id: 'mere', token: 'token-of-mere' };
const sent: { url: string; headers: Record<string, string> }[] = [];
let answer: () => Promise<Response>;
beforeEach(() => {
  vi.useFakeTimers();
  sent.length = 0;
  answer = async () => Response.json({ page: 1 });
  vi.stubGlobal('fetch', (url: string, { headers }: { headers: Record<string, string> }) => {
    sent.push({ url, headers });
    return answer();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Runs the script as the head of a page does. */
function open(pathname: string, user: unknown = mere, search = '') {
  const window: Partial<Window> = {};
  // oxlint-disable-next-line typescript/no-implied-eval -- the script's text is our own
  new Function('window', 'location', 'u', earlyCallsScript)(window, { pathname, search }, user);
  vi.stubGlobal('early', window.early);
}

test('makes the calls of a member’s page as the member', () => {
  open('/admin');
  const headers = { Accept: 'application/json', Authorization: 'Bearer token-of-mere' };
  expect(sent).toEqual([
    { url: '/api/admin/overview', headers },
    { url: '/api/admin/referrals?status=held&page=1', headers },
  ]);
});

test.each([
  ['a visitor', '/admin', null, ''],
  ['a user without a token', '/admin', { _id: 'mere' }, ''],
  ['a page without early calls', '/terms', mere, ''],
  ['a page with a query string', '/messages', mere, '?page=2'],
])('makes none for %s', (_, pathname, user, search) => {
  open(pathname, user, search);
  expect(sent).toEqual([]);
  expect(takeEarlyResponse('/admin/overview', mere.token)).toBeUndefined();
});

test('gives each response once', async () => {
  open('/messages');
  expect(takeEarlyResponse('/messages?page=2', mere.token)).toBeUndefined();
  expect(await (await takeEarlyResponse('/messages?page=1', mere.token))?.json()).toEqual({ page: 1 });
  expect(takeEarlyResponse('/messages?page=1', mere.token)).toBeUndefined();
});

test('gives none to another user or a visitor', () => {
  open('/messages');
  expect(takeEarlyResponse('/messages?page=1', 'token-of-wiremu')).toBeUndefined();
  expect(takeEarlyResponse('/messages?page=1', undefined)).toBeUndefined();
  expect(takeEarlyResponse('/messages?page=1', mere.token)).toBeDefined();
});

test('gives none that is older than 15 seconds', () => {
  open('/account');
  vi.advanceTimersByTime(15_000);
  expect(takeEarlyResponse('/auth/me', mere.token)).toBeDefined();
  vi.advanceTimersByTime(1);
  expect(takeEarlyResponse('/decisions', mere.token)).toBeUndefined();
});

test('an early call that fails unused causes no unhandled rejection', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  open('/home');
  await vi.advanceTimersByTimeAsync(1);
  await expect(takeEarlyResponse('/search', mere.token)).rejects.toThrow('Failed to fetch');
});
