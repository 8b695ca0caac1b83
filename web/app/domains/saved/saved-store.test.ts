import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Session from '../../lib/session/stored-user.ts';
import type * as Store from './saved-store.ts';
import { until } from '../../lib/testing/until.ts';

type SentRequest = { method: string; path: string; answer: (status: number, body?: object) => void };

let requests: SentRequest[] = [];
let store: typeof Store;
let session: typeof Session;

beforeEach(async () => {
  vi.resetModules();
  requests = [];
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', (url: string, { method }: { method: string }) => {
    return new Promise((resolve) => {
      requests.push({
        method,
        path: url.replace('/api/listing/saved', ''),
        answer: (status, body = {}) => resolve(new Response(JSON.stringify(body), { status })),
      });
    });
  });
  session = await import('../../lib/session/stored-user.ts');
  store = await import('./saved-store.ts');
});
afterEach(() => vi.unstubAllGlobals());

const signIn = (id: string) => session.storeUser({ _id: id, token: `token-of-${id}` } as Parameters<typeof session.storeUser>[0]);
const calls = () => requests.map(({ method, path }) => `${method} ${path}`);
/** Waits for this many requests and returns the last. */
async function last(count: number): Promise<SentRequest> {
  await until(() => expect(requests).toHaveLength(count));
  const one = requests.at(-1);
  if (!one) throw new Error('nothing was requested');
  return one;
}

test('loads all hearts of a page with one call', async () => {
  signIn('mere');
  const listener = vi.fn<() => void>();
  for (let heart = 0; heart < 20; heart += 1) store.onSavedChange(listener);
  (await last(1)).answer(200, { ids: ['a', 'b'] });
  await until(() => expect(listener).toHaveBeenCalled());
  expect(['a', 'b', 'c'].map(store.isSaved)).toEqual([true, true, false]);
  expect(calls()).toEqual(['GET /ids']);
});

test('shows a press at once, and reverts it if the server rejects it', async () => {
  signIn('mere');
  const pressed = store.setSaved('a', true);
  expect(store.isSaved('a')).toBe(true);
  (await last(1)).answer(500);
  await expect(pressed).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(false);
});

test('keeps a press made before the hearts have loaded', async () => {
  signIn('mere');
  store.onSavedChange(() => {});
  const ids = await last(1);
  const pressed = store.setSaved('a', true);
  (await last(2)).answer(200, { isSaved: true });
  await pressed;
  ids.answer(200, { ids: ['b'] });
  await until(() => expect(store.isSaved('b')).toBe(true));
  expect(store.isSaved('a')).toBe(true);
});

test('sends presses of one heart in order, and the last one counts', async () => {
  signIn('mere');
  const first = store.setSaved('a', true);
  const second = store.setSaved('a', false);
  expect(store.isSaved('a')).toBe(false);
  (await last(1)).answer(500);
  await expect(first).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(false);
  (await last(2)).answer(200, { isSaved: false });
  await second;
  expect(calls()).toEqual(['POST /a', 'DELETE /delete/a']);
  expect(store.isSaved('a')).toBe(false);
});

test('keeps the last press if an earlier one is rejected', async () => {
  signIn('mere');
  const [first, second, third] = [true, false, true].map((wanted) => store.setSaved('a', wanted));
  (await last(1)).answer(500);
  await expect(first).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(true);
  (await last(2)).answer(200, { isSaved: false });
  await second;
  (await last(3)).answer(200, { isSaved: true });
  await third;
  expect(store.isSaved('a')).toBe(true);
});

test('shows the next user nothing of the previous one', async () => {
  signIn('mere');
  store.onSavedChange(() => {});
  (await last(1)).answer(200, { ids: ['a'] });
  await until(() => expect(store.isSaved('a')).toBe(true));
  signIn('tama');
  expect(store.isSaved('a')).toBe(false);
  (await last(2)).answer(200, { ids: ['b'] });
  await until(() => expect(store.isSaved('b')).toBe(true));
  expect(store.isSaved('a')).toBe(false);
});

test('leaves hearts empty and logs it if they fail to load, and retries on the next page', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  signIn('mere');
  store.onSavedChange(() => {});
  (await last(1)).answer(500);
  await until(() => expect(warned).toHaveBeenCalledOnce());
  expect(store.isSaved('a')).toBe(false);
  store.onSavedChange(() => {});
  await last(2);
  warned.mockRestore();
});

test('discards hearts of a user who has signed out', async () => {
  signIn('mere');
  store.onSavedChange(() => {});
  const ofMere = await last(1);
  signIn('tama');
  const ofTama = await last(2);
  ofTama.answer(200, { ids: ['b'] });
  await until(() => expect(store.isSaved('b')).toBe(true));
  ofMere.answer(200, { ids: ['a'] });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(['a', 'b'].map(store.isSaved)).toEqual([false, true]);
});

test('notifies each subscribed heart of presses, rejections and sign-outs', async () => {
  signIn('mere');
  const [listener, left] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const leave = store.onSavedChange(left);
  store.onSavedChange(listener);
  (await last(1)).answer(200, { ids: [] });
  await until(() => expect(listener).toHaveBeenCalledTimes(1));
  const pressed = store.setSaved('a', true);
  expect([listener.mock.calls.length, left.mock.calls.length]).toEqual([2, 2]);
  (await last(2)).answer(500);
  await expect(pressed).rejects.toThrow('An unexpected error occurred');
  expect([listener.mock.calls.length, left.mock.calls.length]).toEqual([3, 3]);
  session.forgetUser();
  expect([listener.mock.calls.length, left.mock.calls.length]).toEqual([4, 4]);
  leave();
  signIn('tama');
  void store.setSaved('b', true);
  expect([listener.mock.calls.length, left.mock.calls.length]).toEqual([5, 4]);
});

test("saves nothing and sends nothing for a visitor's press", async () => {
  await store.setSaved('a', true);
  expect([requests, store.isSaved('a')]).toEqual([[], false]);
});

test("does not apply the previous user's press to the next", async () => {
  signIn('mere');
  const pressed = store.setSaved('a', true);
  (await last(1)).answer(200, { isSaved: true });
  await pressed;
  signIn('tama');
  const own = store.setSaved('b', true);
  (await last(2)).answer(200, { isSaved: true });
  await own;
  expect(['a', 'b'].map(store.isSaved)).toEqual([false, true]);
});

test('still notifies the remaining hearts of a sign-out after one was removed', async () => {
  signIn('mere');
  const stays = vi.fn<() => void>();
  store.onSavedChange(stays);
  const leave = store.onSavedChange(() => {});
  (await last(1)).answer(200, { ids: ['a'] });
  await until(() => expect(stays).toHaveBeenCalledTimes(1));
  leave();
  session.forgetUser();
  expect(stays).toHaveBeenCalledTimes(2);
});

test('loads nothing at sign-in without hearts, until one is shown', async () => {
  signIn('mere');
  const leave = store.onSavedChange(() => {});
  (await last(1)).answer(200, { ids: [] });
  leave();
  signIn('tama');
  expect(requests).toHaveLength(1);
  store.onSavedChange(() => {});
  expect(requests).toHaveLength(2);
});

test('after several presses that were all rejected a heart is what it was', async () => {
  signIn('mere');
  const [first, second] = [true, false].map((wanted) => store.setSaved('a', wanted));
  (await last(1)).answer(500);
  await expect(first).rejects.toThrow('An unexpected error occurred');
  (await last(2)).answer(500);
  await expect(second).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(false);
  const third = store.setSaved('a', true);
  (await last(3)).answer(200, { isSaved: true });
  await third;
  const [fourth, fifth] = [false, true].map((wanted) => store.setSaved('a', wanted));
  (await last(4)).answer(200, { isSaved: false });
  await fourth;
  (await last(5)).answer(500);
  await expect(fifth).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(false);
});

test('a press of a user who has signed out takes nothing from the next when it is rejected', async () => {
  signIn('mere');
  const pressed = store.setSaved('a', true);
  const ofMere = await last(1);
  signIn('tama');
  store.onSavedChange(() => {});
  (await last(2)).answer(200, { ids: ['b'] });
  await until(() => expect(store.isSaved('b')).toBe(true));
  ofMere.answer(500);
  await expect(pressed).rejects.toThrow('An unexpected error occurred');
  expect(['a', 'b'].map(store.isSaved)).toEqual([false, true]);
});
