import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { addMessage, readOlder } from './messages-queries.ts';
import type { ThreadData } from './inbox/thread-view.ts';

const message = (number: number) => ({ number, mine: false, seenAt: null, clientId: null }) as ThreadData['messages'][number];
const withThread = (...numbers: number[]) => {
  const client = new QueryClient();
  client.setQueryData<ThreadData>(['conversation', 'one'], {
    conversation: {} as ThreadData['conversation'],
    quoteRequest: null,
    emailWaits: false,
    messages: numbers.map(message),
  });
  client.setQueryData(['conversations'], {});
  return client;
};
const numbersIn = (client: QueryClient) => client.getQueryData<ThreadData>(['conversation', 'one'])?.messages.map(({ number }) => number);
const isOld = (client: QueryClient, ...key: string[]) => client.getQueryState(key)?.isInvalidated;

test('adds a live message to its conversation, and reloads the list', () => {
  const client = withThread(1, 2);
  addMessage(client, 'one', message(3));
  expect(numbersIn(client)).toEqual([1, 2, 3]);
  expect([isOld(client, 'conversation', 'one'), isOld(client, 'conversations')]).toEqual([false, true]);
});

test('reloads the conversation after a gap', () => {
  const client = withThread(1, 2);
  addMessage(client, 'one', message(5));
  expect(numbersIn(client)).toEqual([1, 2]);
  expect(isOld(client, 'conversation', 'one')).toBe(true);
});

test('loads messages before the first known one, if there are any', async () => {
  const requests: string[] = [];
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    return new Response(JSON.stringify({ conversation: {}, messages: [message(2), message(1)], hasMore: false }));
  });
  const client = withThread(3, 4);
  await readOlder(client, 'one');
  expect(numbersIn(client)).toEqual([1, 2, 3, 4]);
  await readOlder(client, 'one');
  await readOlder(client, 'another');
  expect(requests).toEqual(['/api/messages/one?before=3']);
  vi.unstubAllGlobals();
});
