import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Session from '../../lib/session/stored-user.ts';
import type * as Store from './saved-store.ts';

type Asked = { method: string; path: string; answer: (status: number, body?: object) => void };

let asked: Asked[] = [];
let store: typeof Store;
let session: typeof Session;

beforeEach(async () => {
  vi.resetModules();
  asked = [];
  vi.stubGlobal('document', { documentElement: { toggleAttribute: () => {} } });
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('fetch', (url: string, { method }: { method: string }) => {
    return new Promise((resolve) => {
      asked.push({
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
const calls = () => asked.map(({ method, path }) => `${method} ${path}`);
/** What was asked for last. */
async function last(count: number): Promise<Asked> {
  await vi.waitFor(() => expect(asked).toHaveLength(count), { timeout: 20_000 });
  const one = asked.at(-1);
  if (!one) throw new Error('nothing was asked for');
  return one;
}

test('all hearts of a page are known by one call', async () => {
  signIn('mere');
  const heard = vi.fn<() => void>();
  for (let heart = 0; heart < 20; heart += 1) store.onSavedChange(heard);
  (await last(1)).answer(200, { ids: ['a', 'b'] });
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { timeout: 20_000 });
  expect(['a', 'b', 'c'].map(store.isSaved)).toEqual([true, true, false]);
  expect(calls()).toEqual(['GET /ids']);
});

test('a press shows at once and goes back where the server refuses', async () => {
  signIn('mere');
  const pressed = store.setSaved('a', true);
  expect(store.isSaved('a')).toBe(true);
  (await last(1)).answer(500);
  await expect(pressed).rejects.toThrow('An unexpected error occurred');
  expect(store.isSaved('a')).toBe(false);
});

test('a press before the hearts are known is kept when they come', async () => {
  signIn('mere');
  store.onSavedChange(() => {});
  const ids = await last(1);
  const pressed = store.setSaved('a', true);
  (await last(2)).answer(200, { isSaved: true });
  await pressed;
  ids.answer(200, { ids: ['b'] });
  await vi.waitFor(() => expect(store.isSaved('b')).toBe(true), { timeout: 20_000 });
  expect(store.isSaved('a')).toBe(true);
});

test('presses of one heart reach the server one after the other, and the last one counts', async () => {
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

test('whoever signs in next sees nothing of the one before', async () => {
  signIn('mere');
  store.onSavedChange(() => {});
  (await last(1)).answer(200, { ids: ['a'] });
  await vi.waitFor(() => expect(store.isSaved('a')).toBe(true), { timeout: 20_000 });
  signIn('tama');
  expect(store.isSaved('a')).toBe(false);
  (await last(2)).answer(200, { ids: ['b'] });
  await vi.waitFor(() => expect(store.isSaved('b')).toBe(true), { timeout: 20_000 });
  expect(store.isSaved('a')).toBe(false);
});

test('where the hearts cannot be read they stay empty, a word of it is logged, and the next page asks again', async () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  signIn('mere');
  store.onSavedChange(() => {});
  (await last(1)).answer(500);
  await vi.waitFor(() => expect(warned).toHaveBeenCalledOnce(), { timeout: 20_000 });
  expect(store.isSaved('a')).toBe(false);
  store.onSavedChange(() => {});
  await last(2);
  warned.mockRestore();
});
